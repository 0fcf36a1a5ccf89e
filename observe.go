package runnel

import (
	"io"

	"github.com/runnel-lang/runnel/internal/chrometrace"
	"github.com/runnel-lang/runnel/vm"
)

// Observer is told what tasks do; see WithObserver.
type Observer = vm.Observer

// Event is something that an Observer is told.
type Event = vm.Event

// Stats counts what an instance's tasks have done.
type Stats = vm.Stats

// Usage is how much of its limits an instance uses.
type Usage = vm.Usage

// Trace is an Observer that writes a trace of one instance for ui.perfetto.dev
// or chrome://tracing. Closing it completes the trace.
type Trace = chrometrace.Writer

// NewTrace starts a trace.
//
//	trace := runnel.NewTrace(file)
//	defer trace.Close()
//	inst, err := prog.With(runnel.WithObserver(trace)).Start(ctx)
func NewTrace(out io.Writer) *Trace { return chrometrace.New(out) }
