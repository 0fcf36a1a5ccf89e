package process

import "github.com/runnel-lang/runnel/reactor"

// Info describes a process at a moment.
type Info struct {
	ID       ID
	Parent   ID
	Method   string
	Status   reactor.Status
	Wants    Next // when suspended: what it waits for
	Steps    uint64
	Mailbox  int // events that wait
	Commands int // under way
	Links    int
	Watchers int
}

// Info describes a process.
func (n *Node) Info(pid ID) (Info, error) {
	a, ok := n.actors.Get(pid)
	if !ok {
		return Info{}, ErrNoProcess
	}
	return a.info(), nil
}

// List returns the live processes.
func (n *Node) List() []Info {
	actors := n.actors.All()
	infos := make([]Info, len(actors))
	for i, a := range actors {
		infos[i] = a.info()
	}
	return infos
}

// Len returns the number of live processes.
func (n *Node) Len() int { return n.actors.Len() }

func (a *actor) info() Info {
	a.mu.Lock()
	defer a.mu.Unlock()
	return Info{
		ID: a.pid, Parent: a.parent, Method: a.opts.Method,
		Status: a.proc.Status(), Wants: a.next, Steps: a.steps,
		Mailbox: len(a.events), Commands: a.commands,
		Links: len(a.links), Watchers: len(a.watchers),
	}
}
