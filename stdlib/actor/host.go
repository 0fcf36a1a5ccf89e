package actor

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bind"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// ErrStopped is returned for operations on an actor that has ended, and for
// questions to an actor that ends without an answer.
var ErrStopped = errors.New("the actor has ended")

// ErrNotFound is returned if no live actor has a given name or number.
var ErrNotFound = errors.New("there is no such actor")

// ErrNoActors is returned if the script does not import the module actor.
var ErrNoActors = errors.New("actor: the script does not import module actor")

var errForged = errors.New("actor: the program was not made by this compiler")

// Instance is a *runnel.Instance.
type Instance interface{ VM() *vm.Instance }

// Ref is the address of an actor, as the host uses it. Its methods can be
// called from any goroutine. While a host has one, the actor stays alive;
// Release gives it up, and so does the garbage collector when the Ref is
// unreachable.
//
// Besides Find and FindID, functions of the script can return one:
//
//	start, err := runnel.Bind0[*actor.Ref](inst, "start") // pub fn start() -> actor.Ref<Msg>
type Ref struct {
	desk   *desk
	object *vm.Handle // the Ref of the script
	box    *vm.Handle
	msg    uint32 // type of the messages
	id     int64
	name   string
	codec  atomic.Pointer[codec] // of the last message
	done   func() <-chan struct{}
}

type codec struct {
	t reflect.Type
	*bind.Codec
}

// Find returns the actor with a name.
func Find(in Instance, name string) (*Ref, error) {
	return lookUp(in.VM(), "by_name", vm.StrValue(name), fmt.Sprintf("named %q", name))
}

// FindID returns the actor with a number.
func FindID(in Instance, id int64) (*Ref, error) {
	return lookUp(in.VM(), "by_id", vm.IntValue(id), fmt.Sprintf("with number %d", id))
}

func lookUp(in *vm.Instance, by string, key vm.Value, text string) (*Ref, error) {
	d, err := deskIn(in)
	if err != nil {
		return nil, err
	}
	v, err := in.InvokeRetained(context.Background(), d.entry(by), []vm.Value{key})
	defer in.Received(v)
	if err != nil {
		return nil, err
	}
	if v.Object().None() {
		return nil, fmt.Errorf("actor: %s: %w", text, ErrNotFound)
	}
	var r *Ref
	err = in.WithCall(context.Background(), func(c *vm.Call) { r = newRef(c, d, v) })
	return r, err
}

// newRef takes hold of a Ref of the script.
func newRef(c *vm.Call, d *desk, ref vm.Value) *Ref {
	core, box := c.Part(ref, "own", bytecode.TStruct), c.Part(ref, "_box", bytecode.TChan)
	r := &Ref{
		desk:   d,
		id:     c.Part(core, "id", bytecode.TInt).Int(),
		name:   strings.Clone(c.Text(c.Part(core, "name", bytecode.TStr))),
		box:    c.Instance().NewHandle(c.ChanOf(box).Object()),
		object: c.Instance().NewHandle(ref.Object()),
	}
	r.msg = c.Type(r.box.Type()).Elem
	r.done = sync.OnceValue(r.ended)
	return r
}

// ID returns the actor's number, which is unique in the instance and never
// reused. Use it as the key of a Go map of actors: two Refs of one actor are
// different pointers.
func (r *Ref) ID() int64 { return r.id }

// Name returns the actor's name and number: "counter#1", "actor#2".
func (r *Ref) Name() string {
	name := r.name
	if name == "" {
		name = "actor"
	}
	return fmt.Sprintf("%s#%d", name, r.id)
}

// String returns the name.
func (r *Ref) String() string { return r.Name() }

// Release gives up the address; the actor stops when nobody else can send to it.
func (r *Ref) Release() {
	r.object.Release()
	r.box.Release()
}

// Tell sends a message. While the mailbox is full it waits, until the context
// ends. A message of the wrong type is an error; ErrStopped means that the
// actor accepts no more messages.
//
// An enum whose variants have data is a runnel.Variant, or a struct with the name
// and fields of a variant.
func (r *Ref) Tell(ctx context.Context, message any) error {
	v, err := r.encode(ctx, message)
	if err != nil {
		return err
	}
	return r.send(ctx, v)
}

func (r *Ref) send(ctx context.Context, v vm.Value) error {
	err := r.box.Send(ctx, v)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, vm.ErrClosedChannel):
		if r.handleOverflow(v) {
			return nil
		}
		r.lose(v, false)
		return fmt.Errorf("actor: %s: %w", r.Name(), ErrStopped)
	case errors.Is(err, context.DeadlineExceeded):
		r.lose(v, true)
		return fmt.Errorf("actor: the mailbox of %s stayed full: %w", r.Name(), err)
	}
	return err
}

// TryTell sends a message if there is room for it and the actor accepts
// messages, and reports whether it did. It never waits, so a Process can call
// it in a step.
func (r *Ref) TryTell(message any) (bool, error) {
	v, err := r.encode(context.Background(), message)
	if err != nil {
		return false, err
	}
	sent, err := r.box.TrySend(v)
	if errors.Is(err, vm.ErrClosedChannel) {
		err = nil
	}
	return sent, err
}

// handleOverflow gives a message that found no room, and that nobody is to wait with,
// to the actor's overflow. It reports false when the actor has ended.
func (r *Ref) handleOverflow(v vm.Value) bool {
	in := r.object.Instance()
	done, err := in.Invoke(context.Background(), r.desk.entry("handle_overflow"),
		[]vm.Value{r.object.Value(), in.Program().Box(r.msg, v)})
	return err == nil && done.Int() != 0
}

// lose makes a message a dead letter.
func (r *Ref) lose(v vm.Value, late bool) {
	r.letter(r.object.Instance().Program().Box(r.msg, v), late)
}

func (r *Ref) letter(content vm.Value, late bool) {
	in := r.object.Instance()
	// When that fails the instance ends, and with it who could look at them.
	_, _ = in.Invoke(context.Background(), r.desk.entry("lose"),
		[]vm.Value{vm.StrValue(r.Name()), content, vm.BoolValue(late)})
}

// encode makes a message of the script.
func (r *Ref) encode(ctx context.Context, message any) (v vm.Value, err error) {
	prog := r.object.Instance().Program()
	fail := func(err error) error {
		return fmt.Errorf("actor: %s takes messages of type %s: %w", r.Name(), prog.Types[r.msg].Name, err)
	}
	t := reflect.TypeOf(message)
	if t == nil {
		return v, fail(errors.New("nil is none"))
	}
	k := r.codec.Load()
	if k == nil || k.t != t {
		made, err := messageCodec(bind.Of(prog), t, r.msg)
		if err != nil {
			return v, fail(err)
		}
		k = &codec{t, made}
		r.codec.Store(k)
	}
	p := reflect.New(t)
	p.Elem().Set(reflect.ValueOf(message))
	if err = r.object.Instance().WithCall(ctx, func(c *vm.Call) { v = k.Put(c, bind.PlaceAt(p)) }); err != nil {
		return v, fail(err)
	}
	return v, nil
}

// Ask sends a question and waits for its answer: make builds the message around the reply it is given.
//
//	n, err := actor.Ask(ctx, counter, func(r *actor.Reply[int]) any {
//		return runnel.Variant{Name: "Get", Values: []any{r}}
//	})
//
// The error is the one the actor answers or fails with (a *runnel.Error);
// ErrStopped if nobody can answer any more; or that of the context, which ends
// the wait.
func Ask[R any](ctx context.Context, r *Ref, make func(reply *Reply[R]) any) (answer R, err error) {
	in := r.object.Instance()
	reply := &Reply[R]{place{in: in, box: r.box.Chan()}}
	v, err := r.encode(ctx, make(reply))
	if err != nil {
		return answer, err
	}
	if reply.promise == nil {
		return answer, fmt.Errorf("actor: the message for %s has no place for the answer", r.Name())
	}
	if err := r.send(ctx, v); err != nil {
		reply.promise.CancelExternal(in)
		return answer, err
	}
	out, err := in.Await(ctx, reply.task)
	if err != nil {
		reply.promise.CancelExternal(in)
		return answer, r.unanswered(err)
	}
	err = in.WithCall(ctx, func(c *vm.Call) { answer = bind.Read[R](reply.elem, c, out) })
	return answer, err
}

// unanswered makes the error of a question that has no answer.
func (r *Ref) unanswered(err error) error {
	var e *vm.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		r.letter(vm.StrValue("a question"), true)
		return fmt.Errorf("actor: %s did not answer: %w", r.Name(), err)
	case errors.As(err, &e) && e.TypeOf() == r.desk.stopped:
		return fmt.Errorf("actor: %s: %w", e.Message, ErrStopped)
	case errors.As(err, &e) && e.TypeOf() == r.desk.dropped:
		return fmt.Errorf("actor: %s dropped the question: %w", r.Name(), ErrStopped)
	}
	return err
}

// Stop ends the actor after it has handled the messages in its mailbox.
func (r *Ref) Stop() error { return r.call("stop") }

// Kill ends the actor at once, even in a handler that waits or loops.
func (r *Ref) Kill() error { return r.call("kill") }

func (r *Ref) call(name string) error {
	_, err := r.object.Instance().Invoke(context.Background(), r.desk.entry(name), []vm.Value{r.object.Value()})
	return err
}

// Alive reports whether the actor still accepts messages.
func (r *Ref) Alive() bool { return !r.box.Chan().Closed() }

// Exit is how an actor has ended.
type Exit struct {
	ID     int64
	Name   string // as it was started with: ""
	Killed bool
	Err    error // what it has failed with: a *runnel.Error, or nil
}

// Join waits until the actor or the context ends. If nobody joins or watches an
// actor, its failure is reported as an error of the program.
func (r *Ref) Join(ctx context.Context) (exit Exit, err error) {
	in := r.object.Instance()
	v, err := in.Invoke(ctx, r.desk.entry("join"), []vm.Value{r.object.Value()})
	if err != nil {
		return exit, err
	}
	err = in.WithCall(ctx, func(c *vm.Call) { exit = exitOf(c, v) })
	return exit, err
}

// Watch calls a function once, on its own goroutine, when the actor has ended,
// even if that was before the call. The instance reports a panic in it: see
// runnel.WithUnhandled.
func (r *Ref) Watch(f func(Exit)) error {
	in := r.object.Instance()
	bell := in.NewHostObject(r.desk.bell, &bell{ring: f}, vm.SizeOf[bell]())
	_, err := in.Invoke(context.Background(), r.desk.entry("watch"), []vm.Value{r.object.Value(), bell})
	return err
}

// Done returns a channel, always the same one, that is closed when the actor
// has ended or the instance is closed.
func (r *Ref) Done() <-chan struct{} { return r.done() }

func (r *Ref) ended() <-chan struct{} {
	done := make(chan struct{})
	if err := r.Watch(func(Exit) { close(done) }); err != nil {
		close(done)
	}
	return done
}

// bell is what a script calls when an actor has ended.
type bell struct{ ring func(Exit) }

func ring(c *vm.Call) {
	b, exit := vm.NativeArg[*bell](c, 0), exitOf(c, c.Value(1))
	c.Instance().GoForeign(func() { b.ring(exit) })
}

// exitOf reads an End of the script.
func exitOf(c *vm.Call, end vm.Value) Exit {
	text := func(name string) string { return strings.Clone(c.Text(c.Part(end, name, bytecode.TStr))) }
	x := Exit{ID: c.Part(end, "id", bytecode.TInt).Int(), Name: text("name"), Killed: c.Part(end, "killed", bytecode.TBool).Bool()}
	if e := c.Part(end, "error", bytecode.TOptional); !e.IsNone() {
		x.Err = c.Instance().Thrown(e, text("kind"), text("text"))
	}
	return x
}
