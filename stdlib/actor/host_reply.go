package actor

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bind"
)

// ErrAnswered is returned for a second answer, and for one that nobody waits for any more.
var ErrAnswered = errors.New("the question has its answer, or nobody waits for it any more")

// Reply is where to answer a question: a script's Reply<R>. It arrives in
// messages to actors written in Go, and is sent in those of Ask. The answer can
// be given now or later, from any goroutine. If it is forgotten, the asker
// waits until the garbage collector finds the Reply, or until the actor that
// received it has ended.
type Reply[R any] struct{ place }

// placed is a Reply of any type.
type placed interface {
	at() *place
	answer() reflect.Type
}

func (*Reply[R]) answer() reflect.Type { return reflect.TypeFor[R]() }

// place is what Replies of all types have.
type place struct {
	in      *vm.Instance
	promise *vm.Promise
	object  *vm.Handle // of one that came from a script
	box     *vm.Chan   // of one that goes to a script: the mailbox of the actor that is asked
	task    vm.Object
	id      uint32 // of R in the script
	elem    *bind.Codec
	passed  atomic.Bool // on to another actor
}

func (p *place) at() *place { return p }

// done reports whether who got the question has no more to do with its answer.
func (p *place) done() bool { return p.passed.Load() || p.promise.Settled() }

// forget ends a question whose actor has ended without an answer.
func (p *place) forget(err error) {
	switch {
	case p.done():
	case err != nil:
		p.promise.FailExternal(p.in, err)
	default:
		p.promise.CancelExternal(p.in)
	}
	p.object.Release()
}

// Send sends the answer.
func (r *Reply[R]) Send(x R) error {
	var v vm.Value
	if err := r.in.WithCall(context.Background(), func(c *vm.Call) { v = bind.Arg(r.elem, c, x) }); err != nil {
		return err
	}
	return r.settled(r.promise.CompleteExternal(r.in, r.id, v))
}

// Fail answers with an error, which is thrown where the answer is awaited: as a
// HostError, or, if it is an error of the script, as itself.
func (r *Reply[R]) Fail(err error) error { return r.settled(r.promise.FailExternal(r.in, err)) }

func (p *place) settled(first bool) error {
	if p.object != nil {
		p.object.Release()
	}
	if !first {
		return fmt.Errorf("actor: %w", ErrAnswered)
	}
	return nil
}

// Codec returns the codec of replies: see bind.Own.
func (*Reply[R]) Codec(b *bind.Table, id uint32) (*bind.Codec, error) {
	a, ok := deskOf(b).replies[id]
	if !ok {
		return nil, fmt.Errorf("%s is not a Go type for %s", reflect.TypeFor[*Reply[R]](), b.Program().Types[id].Name)
	}
	elem, err := b.Codec(reflect.TypeFor[R](), a.elem)
	if err != nil {
		return nil, err
	}
	return bind.NewCodec(
		func(c *vm.Call, p **Reply[R]) vm.Value {
			r := *p
			if r == nil {
				c.Throw(vm.ErrValue, "a nil reply was given")
			}
			if r.promise == nil { // that of Ask
				obj := c.NewPromise(id, r.box)
				r.promise = vm.NativeOf[*vm.Promise](c, obj.Value())
				r.task, r.id, r.elem = r.promise.Handle(c, a.task), a.elem, elem
			}
			r.passed.Store(true)
			if r.in != c.Instance() || r.promise.Object().TypeID() != id {
				c.Throw(vm.ErrValue, "the reply belongs to another question")
			}
			return r.promise.Object().Value()
		},
		func(c *vm.Call, v vm.Value, p **Reply[R]) {
			promise := vm.NativeOf[*vm.Promise](c, v)
			*p = &Reply[R]{place{in: c.Instance(), promise: promise, object: c.Instance().NewHandle(v.Object()), id: a.elem, elem: elem}}
		}), nil
}
