package vm

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// What an uncaught error tells comes from the message method of its type: code of
// the script, which may loop, sleep, allocate, call its host, or throw an error that
// has such a method too. It runs within the limits of a call and within these, its
// defers have no grace, and an error of it is told without asking that one.
const (
	tellingTime   = time.Second
	tellingSteps  = 5_000_000
	tellingMemory = 64 << 20 // bytes allocated
	// tellingsAtOnce is how many run in an instance at a time. A message that has its host
	// call what fails with the same error waits for itself.
	tellingsAtOnce = 16
)

// telling is the part of a root's state that runs a message method.
type telling struct {
	until     time.Time
	allocated int64
}

// overspent counts what a message method allocates.
func (t *telling) overspent(n int64) bool {
	t.allocated += n
	return t.allocated > tellingMemory
}

var errTooSlow = errors.New("it took too long")

// uncaught makes the Go error of a failed task, within a context.
func (in *Instance) uncaught(ctx context.Context, fail *failure) *Error {
	e := in.errorOf(fail)
	in.ask(ctx, e)
	return e
}

// ask has the message method of an error's type tell what it says, if that is not
// known; so for the one in whose place it is.
func (in *Instance) ask(ctx context.Context, e *Error) {
	for ; e != nil; e = e.First {
		in.askAlone(ctx, e)
	}
}

func (in *Instance) askAlone(ctx context.Context, e *Error) {
	if e.Message != "" || e.Limit != 0 {
		return
	}
	if method, ok := in.messageOf(e.val); ok {
		text, err := in.tell(ctx, method, e.val)
		if err != nil {
			text = "(its message() failed: " + err.Error() + ")"
		}
		e.Message = text
	}
}

// errorOf is the Go error of a failure without what its message method gives.
func (in *Instance) errorOf(fail *failure) *Error {
	e := in.alone(fail)
	if fail.first != nil {
		e.First = in.alone(fail.first)
	}
	return e
}

// alone is errorOf without the error that it replaced.
func (in *Instance) alone(fail *failure) *Error {
	v := fail.val
	prog := in.Program()
	id := v.TypeID()
	typ := &prog.Types[id]
	e := &Error{Kind: typ.Name, Trace: fail.trace, Cause: fail.cause, Actor: fail.actor, in: in, val: v}
	switch {
	case id == bytecode.IDLimit:
		e.Limit = limitOf(v)
		switch e.Limit {
		case ErrRace:
			e.Kind, e.Limit = "RaceError", 0
		case ErrInternal:
			e.Kind, e.Limit = "InternalError", 0
		}
	case !slices.Contains(prog.ErrTypes[:], id): // those have their text in the first field
		return e
	}
	if s := (*Str)(loadField(v.p, &typ.Fields[0]).p); s != nil {
		e.Message = s.String()
	}
	return e
}

// messageOf finds the message method of an error's type.
func (in *Instance) messageOf(v Value) (fn int, ok bool) {
	prog := in.Program()
	if prog.MessageSel < 0 {
		return 0, false
	}
	tab := prog.Selectors[prog.MessageSel].Table
	if id := v.TypeID(); int(id) < len(tab) && tab[id] != 0 {
		return int(tab[id] - 1), true
	}
	return 0, false
}

// tell runs the message method of an error.
func (in *Instance) tell(ctx context.Context, method int, v Value) (text string, err error) {
	if !in.mayTell(ctx) {
		return "", errTooSlow
	}
	defer func() { <-in.tellings }()
	told := &telling{until: time.Now().Add(tellingTime)}
	got, err := in.invoke(ctx, in.Program().Callee(method), []Value{v}, func(t *Task) {
		if s := (*Str)(t.future.val.p); s != nil { // nil as only a race or a damaged program has it
			text = s.String()
		}
	}, told)
	in.Received(got)
	if err != nil && (ctx.Err() != nil || time.Now().After(told.until)) {
		err = errTooSlow
	}
	return text, err
}

// mayTell waits until fewer message methods run than may at a time.
func (in *Instance) mayTell(ctx context.Context) bool {
	in.mu.Lock()
	if in.tellings == nil {
		in.tellings = make(chan struct{}, tellingsAtOnce)
	}
	tellings := in.tellings
	in.mu.Unlock()
	select {
	case tellings <- struct{}{}:
		return true
	default:
	}
	late := time.NewTimer(tellingTime)
	defer late.Stop()
	select {
	case tellings <- struct{}{}:
		return true
	case <-late.C:
	case <-ctx.Done():
	}
	return false
}
