package process

import "github.com/runnel-lang/runnel/reactor"

// Info describes a process at a moment.
type Info struct {
	ID          ID
	Parent      ID
	Method      string
	Status      reactor.Status
	Wants       Next // when suspended: what it waits for
	Steps       uint64
	Mailbox     int // events that wait
	Commands    int // under way
	Links       int
	MonitoredBy int
}

// Info describes a process.
func (n *Node) Info(pid ID) (Info, error) {
	a, ok := n.processes.Get(pid)
	if !ok {
		return Info{}, ErrNoProcess
	}
	return a.info(), nil
}

// List returns the live processes.
func (n *Node) List() []Info {
	processes := n.processes.All()
	infos := make([]Info, len(processes))
	for i, a := range processes {
		infos[i] = a.info()
	}
	return infos
}

// Len returns the number of live processes.
func (n *Node) Len() int { return n.processes.Len() }

func (r *running) info() Info {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Info{
		ID: r.pid, Parent: r.parent, Method: r.opts.Method,
		Status: r.proc.Status(), Wants: r.next, Steps: r.steps,
		Mailbox: len(r.events), Commands: r.commands,
		Links: len(r.links), MonitoredBy: len(r.monitoredBy),
	}
}
