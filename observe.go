package runnel

import (
	"io"

	"github.com/runnel-lang/runnel/internal/chrometrace"
	"github.com/runnel-lang/runnel/vm"
)

// Observer hears of what tasks do: see WithObserver.
type Observer = vm.Observer

// Event is one of the things that an Observer hears of.
type Event = vm.Event

// Stats count what an instance's tasks have done.
type Stats = vm.Stats

// Usage is what an instance uses of its limits.
type Usage = vm.Usage

// Trace is an Observer of one instance that writes a trace for ui.perfetto.dev or
// chrome://tracing. Closing it completes the trace.
type Trace = chrometrace.Writer

// NewTrace begins a trace.
//
//	trace := runnel.NewTrace(file)
//	defer trace.Close()
//	inst, err := prog.With(runnel.WithObserver(trace)).Start(ctx)
func NewTrace(out io.Writer) *Trace { return chrometrace.New(out) }
