// Package chrometrace writes what the tasks of a program do in the Chrome trace
// event format, which Perfetto (ui.perfetto.dev) and chrome://tracing show.
//
//	workers   a track for each worker: slices of the tasks that run on it
//	tasks     a track for each task: what it waits for, and whether it is ready or runs
//	io        as many tracks as there are blocking jobs at a time: slices of them
//
// On the track of an actor there is a slice for each message that it handles too.
//
// Arrows lead from a spawn to the first slice of the task, from the end of a
// task to those that await it, from a sender to a receiver that waits, from an
// answer to the one who has asked, and from a blocking job to its task.
//
// Events are written as they come: only the tasks that are alive are kept in
// memory. The file is a JSON array with one record on each line, so that the
// trace of a process that was killed can still be opened. The same events give
// the same bytes.
package chrometrace

import (
	"bufio"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/runnel-lang/runnel/vm"
)

// The groups of tracks; to the viewer they are processes.
const (
	workers = 1 + iota
	tasks
	jobs
)

// Writer is a vm.Observer that writes a trace. It is safe for concurrent use.
type Writer struct {
	mu      sync.Mutex
	out     *bufio.Writer
	err     error // the first one of out
	now     time.Duration
	line    []byte // the record under construction
	inArgs  bool   // its args have begun
	written bool   // a record has been
	closed  bool
	sends   uint64 // numbers of the arrows of sent values
	awaits  uint64 // and of awaited results
	workers []lane
	jobs    []lane
	tasks   map[uint64]*task
	ends    map[uint64]end // of the tasks that have ended last
	kept    []uint64       // their numbers, the oldest at next
	next    int
}

// lane is a track on which one thing runs at a time.
type lane struct {
	named bool
	open  bool
	name  string // of the open slice
	task  uint64
	job   uint64
}

// task is one that is alive.
type task struct {
	name    string
	state   string // the open slice of its track
	message string // in hand: the open slice around that of the state
	worker  int    // on which it runs, or -1
	last    end
	woken   bool // while it was still on a worker
	arrows  []arrow
}

// end is where and when a task has last stopped running; at 0 it never has.
type end struct {
	worker int
	at     time.Duration
}

// maxEnds bounds the ended tasks from which arrows can still come.
const maxEnds = 4096

// arrow is one whose head waits for the task's next slice.
type arrow struct {
	kind arrowKind
	n    uint64 // among those of its kind
}

// New starts a trace. The caller closes out after the Writer.
func New(out io.Writer) *Writer {
	w := &Writer{out: bufio.NewWriterSize(out, 256<<10), tasks: map[uint64]*task{}, ends: map[uint64]end{}}
	w.raw("[\n")
	for i, name := range []string{"workers", "tasks", "io"} {
		w.metadata(workers+i, 0, "process_name", name)
		w.sortIndex(workers+i, 0, "process_sort_index", i)
	}
	return w
}

// Event writes what happened. Time never stands still in a trace: what happens
// at the same instant of a virtual clock is a nanosecond apart, so that slices
// can be seen and the order is kept.
func (w *Writer) Event(e vm.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	w.now = max(e.At, w.now+1)
	switch e.Kind {
	case vm.TaskSpawned:
		w.spawned(&e)
	case vm.TaskRuns:
		w.runs(&e)
	case vm.TaskStops:
		w.stops(&e)
	case vm.TaskWoken:
		w.woken(&e)
	case vm.TaskEnded:
		w.ended(&e)
	case vm.ValueSent:
		w.sent(&e)
	case vm.TaskAwaited:
		w.awaited(&e)
	case vm.MessageTaken:
		w.taken(&e)
	case vm.JobBegins:
		w.jobBegins(&e)
	case vm.JobEnds:
		w.jobEnds(&e)
	}
}

// Close ends the slices of what still runs and finishes the file: events that
// come later are not in it. It tells about the first write that failed.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return w.err
	}
	w.closed = true
	w.now++
	for i := range w.workers {
		w.closeLane(&w.workers[i], workers, i, nil)
	}
	for i := range w.jobs {
		w.closeLane(&w.jobs[i], jobs, i, nil)
	}
	for _, id := range slices.Sorted(maps.Keys(w.tasks)) {
		w.endTrack(id, w.tasks[id], "")
	}
	w.raw("\n]") // viewers take nothing after it
	if err := w.out.Flush(); w.err == nil {
		w.err = err
	}
	return w.err
}

func named(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return name
}
