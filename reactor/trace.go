package reactor

import (
	"encoding/binary"
	"fmt"
)

// Recorder is a Chooser that records the choices of another.
type Recorder struct {
	c     Chooser
	trace []byte
}

// Record wraps a Chooser.
func Record(c Chooser) *Recorder { return &Recorder{c: c} }

// Choose asks the wrapped Chooser.
func (r *Recorder) Choose(n int) int { return r.note(n, r.c.Choose(n)) }

// ChooseProc asks the wrapped Chooser.
func (r *Recorder) ChooseProc(ready []*Proc) int {
	if c, ok := r.c.(ProcChooser); ok {
		return r.note(len(ready), c.ChooseProc(ready))
	}
	return r.Choose(len(ready))
}

func (r *Recorder) note(n, i int) int {
	r.trace = binary.AppendUvarint(r.trace, uint64(n))
	r.trace = binary.AppendUvarint(r.trace, uint64(i))
	return i
}

// Trace returns the record so far: for each choice, the number of alternatives and the one taken, as varints.
func (r *Recorder) Trace() []byte { return r.trace }

// Replayer is a Chooser that repeats recorded choices.
type Replayer struct {
	rest []byte
	step int
	err  error
}

// Replay repeats a trace of a Recorder.
func Replay(trace []byte) *Replayer { return &Replayer{rest: trace} }

// Choose returns the recorded choice. Where the run differs from the record,
// and after the end of the record, it chooses the oldest.
func (r *Replayer) Choose(n int) int {
	if r.err != nil {
		return 0
	}
	r.step++
	if len(r.rest) == 0 {
		r.err = fmt.Errorf("the trace ends before choice %d", r.step)
		return 0
	}
	of, k := binary.Uvarint(r.rest)
	i, m := binary.Uvarint(r.rest[max(k, 0):])
	if k <= 0 || m <= 0 || i >= of {
		r.err = fmt.Errorf("the trace is damaged at choice %d", r.step)
		return 0
	}
	if of != uint64(n) {
		r.err = fmt.Errorf("the run differs from the trace at choice %d: %d alternatives, recorded %d", r.step, n, of)
		return 0
	}
	r.rest = r.rest[k+m:]
	return int(i)
}

// Err says where the run first differed from the trace, or returns nil.
func (r *Replayer) Err() error { return r.err }
