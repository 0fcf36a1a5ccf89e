package vm

// eachTask visits all tasks. The world stands still.
func (in *Instance) eachTask(visit func(*Task)) {
	k := in.walkTasks()
	for t := k.next(); t != nil; t = k.next() {
		visit(t)
	}
}

// taskWalk goes through all tasks.
type taskWalk struct {
	path []tasksOf
	id   uint32 // of the task that it is at
}

// tasksOf is how far the tasks of a scope have been visited, and the scopes whose
// body the one at hand runs. Scopes are nested as deep as there are tasks.
type tasksOf struct {
	scope  *Scope
	begun  bool
	spared bool // it is at those that are spared
	task   *Task
	inner  *Scope
}

func (in *Instance) walkTasks() taskWalk { return taskWalk{path: []tasksOf{{scope: &in.root}}} }

// next returns the next task, nil at the end. The world is stopped.
func (k *taskWalk) next() *Task {
	for len(k.path) > 0 {
		at := &k.path[len(k.path)-1]
		switch {
		case at.inner != nil && at.inner != at.scope:
			inner := at.inner
			at.inner = inner.parent
			k.path = append(k.path, tasksOf{scope: inner})
			continue
		case !at.begun:
			at.begun, at.task = true, at.scope.first
		default:
			at.task = at.task.next
		}
		if at.task == nil && !at.spared {
			at.spared, at.task = true, at.scope.spared
		}
		if at.task == nil {
			k.path = k.path[:len(k.path)-1]
			continue
		}
		at.inner = at.task.scope
		k.id = at.task.future.id
		return at.task
	}
	return nil
}

// resume reports whether the walk may continue after tasks have run: it may if it is at a
// task in no scope, which lives. Which scopes that one runs is found again.
func (k *taskWalk) resume() bool {
	if len(k.path) != 1 || !k.path[0].begun {
		return false
	}
	at := &k.path[0]
	t := at.task
	if t.future == nil || t.future.id != k.id || t.future.task != t || t.home != at.scope {
		return false
	}
	at.inner = t.scope
	return true
}
