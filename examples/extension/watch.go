package kv

import (
	"context"
	"sync"

	"github.com/runnel-lang/runnel"
)

// watcher passes changes on to a script, which may be slower than they come.
type watcher struct {
	mu      sync.Mutex
	waiting []Entry
	over    bool
	more    chan struct{} // holds one when there is something new
}

func watch(to *runnel.Chan[Entry]) *watcher {
	w := &watcher{more: make(chan struct{}, 1)}
	go w.run(to)
	return w
}

func (w *watcher) put(e Entry) {
	w.mu.Lock()
	w.waiting = append(w.waiting, e)
	w.mu.Unlock()
	w.wake()
}

// end closes the channel when what waits has been passed on.
func (w *watcher) end() {
	w.mu.Lock()
	w.over = true
	w.mu.Unlock()
	w.wake()
}

func (w *watcher) wake() {
	select {
	case w.more <- struct{}{}:
	default:
	}
}

func (w *watcher) run(to *runnel.Chan[Entry]) {
	defer to.Release() // while we hold it, tasks that wait at it are not in a deadlock
	for over := false; !over; {
		<-w.more
		w.mu.Lock()
		batch := w.waiting
		w.waiting, over = nil, w.over
		w.mu.Unlock()
		for _, e := range batch {
			if to.Send(context.Background(), e) != nil {
				return // the script has closed it, or has ended
			}
		}
	}
	_ = to.Close() // unless the script has done so
}
