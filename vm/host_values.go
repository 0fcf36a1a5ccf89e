package vm

import (
	"context"
	"errors"
	"runtime"
	"unsafe"
	"weak"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// What a host does with the values of an instance on goroutines that run no task.

// ErrClosedChannel is returned for sending on a closed channel or closing it again.
var ErrClosedChannel = errors.New("the channel is closed")

// Handle keeps an object of a script alive for its host, and counts it as in use.
// While a host holds anything, waiting tasks are not deadlocked: the host may
// wake them. Release ends that, and so does the garbage collector when the Handle
// is unreachable.
type Handle struct {
	in      *Instance
	ptr     unsafe.Pointer
	id      uint64
	cleanup runtime.Cleanup
}

// NewHandle makes a Handle of an object.
func (in *Instance) NewHandle(o Object) *Handle {
	p := o.p
	in.mu.Lock()
	in.lastHandle++
	h := &Handle{in: in, ptr: p, id: in.lastHandle}
	if in.handles == nil {
		in.handles = map[uint64]unsafe.Pointer{}
	}
	in.handles[h.id] = p
	in.mu.Unlock()
	in.sched.AddExternal(1)
	inst := weak.Make(in) // else it would be alive as long as what it holds itself
	h.cleanup = runtime.AddCleanup(h, func(id uint64) {
		if in := inst.Value(); in != nil {
			go in.release(id)
		}
	}, h.id)
	return h
}

// Object returns the object.
func (h *Handle) Object() Object { return Object{h.ptr} }

// Value of the object.
func (h *Handle) Value() Value { return Value{p: h.ptr} }

// Chan returns the object as the channel that it is.
func (h *Handle) Chan() *Chan {
	if t := &h.in.Program().Types[h.Type()]; t.Kind != bytecode.TChan {
		internal("a %s is taken for a channel", t.Name)
	}
	return (*Chan)(h.ptr)
}

// Type of the object.
func (h *Handle) Type() uint32 { return typeOf(h.ptr) }

// Instance returns the instance the object belongs to.
func (h *Handle) Instance() *Instance { return h.in }

// Release gives up the object.
func (h *Handle) Release() {
	h.cleanup.Stop()
	h.in.release(h.id)
}

func (in *Instance) release(id uint64) {
	in.mu.Lock()
	_, ok := in.handles[id]
	delete(in.handles, id)
	in.mu.Unlock()
	if ok {
		if in.reaper.used.Load() {
			in.reaper.stirred.Store(true)
			in.mayReap()
		}
		in.sched.AddExternal(-1)
	}
}

// handleRoots are the objects that hosts hold, for the tracer; mu is held.
func (in *Instance) handleRoots() []unsafe.Pointer {
	var ps []unsafe.Pointer
	for _, p := range in.handles {
		ps = append(ps, p)
	}
	for _, c := range in.ports {
		if c != nil {
			ps = append(ps, unsafe.Pointer(c))
		}
	}
	return ps
}

// Func is a script's function that a host can call from any goroutine.
type Func struct {
	*Handle
	callee Callee
}

// Callback gives a function argument to the host.
func (c *Call) Callback(i int) *Func {
	if r := c.w.race; r != nil { // what the task has done comes before the calls
		r.host.Release(c.t.thread())
	}
	return c.w.inst.FuncOf(c.Value(i))
}

// FuncOf gives a function value to the host.
func (in *Instance) FuncOf(v Value) *Func {
	p, prog := notNil(v.p), in.Program()
	if id := typeOf(p); prog.Types[id].Kind != bytecode.TFunc {
		internal("a %s is taken for a function", prog.Types[id].Name)
	}
	return &Func{in.NewHandle(Object{p}), Callee{f: &prog.Funcs[(*Header)(p).Aux], closure: p}}
}

// Gives returns the type of the function's result.
func (f *Func) Gives() uint32 { return f.callee.f.Result }

// Call runs the function as Instance.Invoke does.
func (f *Func) Call(ctx context.Context, args ...Value) (Value, error) {
	return f.in.Invoke(ctx, f.callee, args)
}

// CallRetained runs the function as Instance.InvokeRetained does.
func (f *Func) CallRetained(ctx context.Context, args ...Value) (Value, error) {
	return f.in.InvokeRetained(ctx, f.callee, args)
}

// NewHostObject makes an instance of a native struct around a Go value of a host
// that is about size bytes large.
func (in *Instance) NewHostObject(id uint32, value any, size int) Value {
	return refValue(unsafe.Pointer(&nativeObject{Header: Header{Type: id, Aux: uint32(size)}, value: value}))
}

// NativeValue returns the Go value of a native struct.
func (c *Call) NativeValue(v Value) any {
	if c.kindOf(v) != bytecode.TNative {
		c.noObject("a native struct", v)
	}
	return (*nativeObject)(v.p).value
}

// NativeOf is NativeArg for a native struct that is not an argument.
func NativeOf[T any](c *Call, v Value) T {
	x, ok := c.NativeValue(v).(T)
	if !ok {
		internal("a %s does not hold the Go value that belongs there", c.w.prog.nameOf(v.TypeID()))
	}
	return x
}

// ---- channels ----

// NewChan makes a channel of a type with a buffer for room values.
func (in *Instance) NewChan(id uint32, room int) *Handle {
	elem := in.Program().Types[id].Elem
	h := Header{Type: id, Aux: uint32(in.Program().Types[elem].Rep)}
	return in.NewHandle((&Chan{Header: h, room: max(room, 0)}).Object())
}

// The channels that an instance and its host always have.
const (
	Inputs = iota
	Outputs
)

// portRoom is how many values wait in a port.
const portRoom = 1024

// Port returns Inputs or Outputs; id is the type chan<any>.
func (in *Instance) Port(which int, id uint32) *Handle {
	in.mu.Lock()
	c := in.ports[which]
	if c == nil {
		c = &Chan{Header: Header{Type: id, Aux: uint32(in.Program().Types[bytecode.IDAny].Rep)}, room: portRoom}
		in.ports[which] = c
		in.sched.AddExternal(1) // the host may always come to it
	}
	in.mu.Unlock()
	return &Handle{in: in, ptr: unsafe.Pointer(c)}
}

// Send sends on a channel, waiting until it is taken or buffered.
func (h *Handle) Send(ctx context.Context, v Value) error {
	p := h.in.Program()
	if elem := p.Types[h.Type()].Elem; !p.fits(elem, v) {
		return h.in.misuse("what is sent is no %s", p.Types[elem].Name)
	}
	got, err := h.in.invoke(ctx, p.stubs.send, []Value{{p: h.ptr}, v}, nil, nil)
	h.in.Received(got)
	var e *Error
	if errors.As(err, &e) && e.Kind == "Closed" {
		return ErrClosedChannel
	}
	return err
}

// Recv receives the next value of a channel; ok is false if it is closed and empty.
func (h *Handle) Recv(ctx context.Context) (v Value, ok bool, err error) {
	ok = true
	v, err = h.in.invoke(ctx, h.in.Program().stubs.recv, []Value{{p: h.ptr}}, func(t *Task) {
		ok = t.slot(firstWindow+32).n == 0
	}, nil)
	in := h.in
	in.Received(v)
	return v, ok && err == nil, err
}

// TryRecv receives the next value of a channel if there is one.
func (h *Handle) TryRecv() (v Value, ok bool) {
	h.in.world.enter() // it may reach into a task that waits
	defer h.in.world.leave()
	c := (*Chan)(h.ptr)
	c.lock.Lock()
	v, x, o := c.take()
	c.lock.Unlock()
	if x != nil {
		h.in.wakeLast(nil, x.task)
	}
	return v, o == passed
}

// CloseChan closes a channel.
func (h *Handle) CloseChan() error {
	h.in.world.enter()
	defer h.in.world.leave()
	if !(*Chan)(h.ptr).close(h.in, nil) {
		return ErrClosedChannel
	}
	return nil
}

// stubs are functions of one instruction that a host calls.
type stubs struct{ send, recv, await Callee }

// linkStubs writes the stubs behind the code, or, when more code may follow, to its
// begin.
func (p *Program) linkStubs(code []uint64) []uint64 {
	const r0, r1, r2 = 0, 16, 32 // registers; of scalars it is the word behind
	ret := bytecode.Instr(bytecode.RET, 0, 0, 0, 0)
	at := uint32(0)
	if !p.grows {
		at = uint32(len(code))
		code = append(code, make([]uint64, bytecode.StubWords)...)
	}
	stub := func(name string, instrs ...uint64) Callee {
		start := at
		at += uint32(copy(code[at:], instrs))
		return Callee{f: &bytecode.Func{Name: name, Start: start, End: at, Frame: 4, Result: bytecode.IDAny}}
	}
	p.stubs.send = stub("send", bytecode.Instr(bytecode.SEND, 0, r0, r1, 0), ret)
	p.stubs.recv = stub("recv",
		bytecode.Instr(bytecode.RECV, 0, r1, r0, 8), bytecode.Instr(bytecode.RETV, 0, r1, 0, 0),
		bytecode.WithK(bytecode.Instr(bytecode.LDI, 0, r2+8, 0, 0), 1), ret)
	p.stubs.await = stub("await", bytecode.Instr(bytecode.AWAIT, 0, r1, r0, 0), bytecode.Instr(bytecode.RETV, 0, r1, 0, 0))
	return code
}
