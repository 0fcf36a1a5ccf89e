package vm

import (
	"slices"
	"sync/atomic"
)

// A graph of actors that nobody can reach any more stops as a whole: each when all that
// hold it have ended, so that they may still send to it in their on_stop. Parts are
// actors that all reach each other, which stop at once, and what lies between them.
type droppedPart struct {
	tasks   []*Task
	boxes   []*Chan        // of these tasks
	alive   atomic.Int32   // of these tasks, those that have not ended
	holders atomic.Int32   // references from parts that have not ended
	holds   []*droppedPart // one for each reference
}

// dropped makes parts of what a graph has found. It gives the tasks to stop now; the
// others follow as these end. The world stands still.
func (g *reachGraph) dropped() (first []*Task) {
	made := make([]*droppedPart, len(g.parts))
	led := g.ledTo()
	for i := range g.parts { // what it leads to comes before a part
		var holds []*droppedPart
		for _, to := range led[i] {
			if q := made[to]; q != nil {
				holds = append(holds, q)
			}
		}
		if tasks := g.parts[i].tasks; len(tasks) > 0 || len(holds) > 0 {
			slices.SortFunc(tasks, oldest)
			made[i] = &droppedPart{tasks: tasks, holds: holds}
		}
		for _, q := range holds {
			q.holders.Add(1)
		}
	}
	for _, p := range made {
		if p == nil {
			continue
		}
		p.condemn()
		if p.holders.Load() == 0 {
			first = append(first, p.tasks...)
		}
		p.tasks = nil
	}
	return first
}

// ledTo gives, for each part, those that it leads to.
func (g *reachGraph) ledTo() [][]int32 {
	count := make([]int32, len(g.parts))
	for _, e := range g.cross {
		count[g.part[e.node]]++
	}
	all := make([]int32, 0, len(g.cross))
	led := make([][]int32, len(g.parts))
	for i, n := range count {
		led[i] = all[len(all) : len(all) : len(all)+int(n)]
		all = all[:len(all)+int(n)]
	}
	for _, e := range g.cross {
		p := g.part[e.node]
		led[p] = append(led[p], e.part)
	}
	return led
}

// condemn has the tasks of a part tell it when they end.
func (p *droppedPart) condemn() {
	if p.holders.Load() > 0 {
		for _, t := range p.tasks {
			p.boxes = append(p.boxes, t.mailbox())
		}
	}
	if len(p.holds) > 0 {
		p.alive.Store(int32(len(p.tasks)))
		for _, t := range p.tasks {
			more := t.extra()
			more.dropped = append(more.dropped, p)
		}
	}
}

// ended is called when a task of a part has. What only that and others like it have held
// stops then.
func (p *droppedPart) ended(in *Instance) {
	if p.alive.Add(-1) > 0 {
		return
	}
	for over := []*droppedPart{p}; len(over) > 0; {
		p := over[len(over)-1]
		over = over[:len(over)-1]
		for _, q := range p.holds {
			if q.holders.Add(-1) > 0 {
				continue
			}
			for _, c := range q.boxes {
				c.close(in, nil)
			}
			if len(q.boxes) == 0 {
				over = append(over, q)
			}
		}
	}
}
