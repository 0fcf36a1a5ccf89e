package actor

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"weak"

	"github.com/runnel-lang/runnel/lang/names"
	"github.com/runnel-lang/runnel/reactor/process"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bind"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Native is an actor written in Go, as a state machine run by the instance's own scheduler: see Offer.
type Native struct {
	Name string // of the function that starts one: "thermostat"
	Doc  string
	// New makes the process of an actor. Its Init is called with the method "start" and no input.
	New func() process.Process
	// Messages that it accepts: for each, a value of a Go struct, of which only
	// the type matters. A field of type *Reply[R] is where to answer, RefTo[M]
	// an address.
	Messages []any
	// Handlers of the commands that it yields, by name, besides process.Sleep.
	Handlers map[string]process.Handler
}

// Offer adds an actor written in Go to a host's module, as a function. Scripts
// start and address it like any other: it has a mailbox, a name and watchers.
//
//	actor.Offer(devices, actor.Native{
//		Name:     "thermostat",
//		New:      func() process.Process { return &thermostat{} },
//		Messages: []any{Set{}, Read{}},
//	})
//
//	let t = devices.thermostat(name: "hall")    // an actor.Ref<devices.Thermostat>
//	t.tell(Set(21.5))
//	print(t.ask(devices.Thermostat.Read))
//
// The enum of its messages is derived from the Go types, so a script that sends
// any other message does not compile. A function thermostat_actor returns an
// actor for a supervisor to start. The process gets each message as an event of
// kind process.Message whose Data is the Go struct, and the next one after its
// step: until then, messages wait in the mailbox. The actor ends when a step
// ends with Done, an error or a panic. A stop arrives as the event Cancelled:
// the actor then ends with the first step that ends with Idle.
//
// A step must not wait, so it must use TryTell rather than Tell, Ask or
// functions of the script; to wait, start a goroutine in the step or in the
// handler of a command.
func Offer(m *vm.Module, n Native) {
	if !slices.Contains(m.Needs, Module) {
		m.Needs = append(m.Needs, Module)
		m.Source += "import actor\n\n"
	}
	bind.Write(m, func() (string, error) { return n.source(m) })
	m.Link(n.Name+"_process", false, func(p *vm.Program, ref *bytecode.NativeRef) (vm.Native, error) {
		k := &kind{Native: n, process: ref.Result, message: p.Types[ref.Params[0]].Elem}
		return k.start, nil
	})
}

// source declares the messages and the function that starts one.
func (n Native) source(m *vm.Module) (string, error) {
	if n.New == nil {
		return "", fmt.Errorf("%s: New is missing", n.Name)
	}
	var variants []string
	for _, message := range n.Messages {
		text, err := variantSource(m, reflect.TypeOf(message))
		if err != nil {
			return "", fmt.Errorf("%s: %w", n.Name, err)
		}
		variants = append(variants, text)
	}
	enum := names.Camel(n.Name)
	m.Signatures[n.Name+"_process"] = "(chan<M>, actor.Node) actor.Process"
	return strings.NewReplacer("ENUM", enum, "NAME", n.Name, "VARIANTS", strings.Join(variants, ", "), "DOC", n.doc()).Replace(
		`/// What a NAME can be told.
pub enum ENUM { VARIANTS }

native fn NAME_process(box: chan<ENUM>, node: actor.NativeNode) -> actor.NativeProcess

/// DOC
pub fn NAME(name: str = "", mailbox: int = 0, metrics: bool = false) -> actor.Ref<ENUM> {
  actor.start(NAME_actor(), name: name, mailbox: mailbox, metrics: metrics)
}

/// A NAME that somebody else starts: a supervisor or a pool.
pub fn NAME_actor() -> actor.Actor<ENUM> { actor.Native<ENUM>(|box, node| NAME_process(box, node)) }`), nil
}

func (n Native) doc() string {
	if n.Doc == "" {
		return "Starts an actor that is written in Go."
	}
	return strings.ReplaceAll(n.Doc, "\n", "\n/// ")
}

// variantSource writes the variant of a Go struct.
func variantSource(m *vm.Module, t reflect.Type) (string, error) {
	if t == nil || t.Kind() != reflect.Struct || t.Name() == "" {
		return "", fmt.Errorf("a message is a value of a struct with a name, not of %v", t)
	}
	var fields []string
	for _, f := range visible(t) {
		typ, err := fieldSource(m, f.Type)
		if err != nil {
			return "", fmt.Errorf("%s of %s: %w", f.Name, t.Name(), err)
		}
		fields = append(fields, bind.FieldName(f)+": "+typ)
	}
	if fields == nil {
		return t.Name(), nil
	}
	return t.Name() + "(" + strings.Join(fields, ", ") + ")", nil
}

func fieldSource(m *vm.Module, t reflect.Type) (string, error) {
	of, name := t, "%s"
	switch x := reflect.Zero(t).Interface().(type) {
	case placed:
		of, name = x.answer(), "actor.Reply<%s>"
	case interface{ message() reflect.Type }:
		of, name = x.message(), "actor.Ref<%s>"
	}
	typ, err := bind.Expr(m, of)
	return fmt.Sprintf(name, typ), err
}

// kind is a Native in a program.
type kind struct {
	Native
	process uint32 // type of the handle
	message uint32
	once    sync.Once
	codecs  []*bind.Codec // of the messages, by the tag
	types   []reflect.Type
	places  [][]int // for answers in them: the numbers of the fields
	err     error
}

// codecsOf makes the codecs when the first process is started.
func (k *kind) codecsOf(b *bind.Table) error {
	k.once.Do(func() {
		if t := &b.Program().Types[k.message]; t.Kind != bytecode.TEnum || len(t.Variants) != len(k.Messages) {
			k.err = fmt.Errorf("%s are not the messages of %s", t.Name, k.Name)
			return
		}
		for tag, m := range k.Messages {
			t := reflect.TypeOf(m)
			codec, err := variantCodec(b, t, k.message, tag)
			if err != nil {
				k.err = err
				return
			}
			k.codecs, k.types, k.places = append(k.codecs, codec), append(k.types, t), append(k.places, placesIn(t))
		}
	})
	return k.err
}

// decode returns a message as its Go struct, and the places for answers in it.
func (k *kind) decode(c *vm.Call, v vm.Value) (message any, open []*place) {
	tag := int(v.Int())
	if !v.Object().None() {
		tag = vm.Tag(v.Object())
	}
	p := reflect.New(k.types[tag])
	k.codecs[tag].Get(c, v, bind.PlaceAt(p))
	for _, i := range k.places[tag] {
		open = append(open, p.Elem().Field(i).Interface().(placed).at())
	}
	return p.Elem().Interface(), open
}

// placesIn finds the places for answers in a message.
func placesIn(t reflect.Type) (fields []int) {
	for _, f := range visible(t) {
		if f.Type.Implements(reflect.TypeFor[placed]()) {
			fields = append(fields, f.Index[0])
		}
	}
	return fields
}

// start is the native that starts a process.
func (k *kind) start(c *vm.Call) {
	in := c.Instance()
	if err := k.codecsOf(bind.Of(in.Program())); err != nil {
		c.Throw(vm.ErrValue, "%v", err)
	}
	n := vm.NativeArg[*node](c, 1)
	n.use(c, k)
	l := &link{kind: k, in: in, node: n, box: c.Chan(0)}
	obj := c.NewNative(k.process, l, vm.SizeOf[link]())
	c.Pin(obj)
	c.EnterHost()
	err := n.spawn(l)
	c.ExitHost()
	if err != nil {
		c.ThrowHost(err)
	}
	c.SetObject(obj)
}

// node runs the processes of an instance.
type node struct {
	*process.Node
	mu       sync.Mutex
	links    map[process.ID]*link
	kinds    map[*kind]bool // whose handlers it has
	resource vm.Object      // closes it with the instance
}

var nodeSize = vm.SizeOf[node]()

func newNode(c *vm.Call) {
	n := &node{links: map[process.ID]*link{}, kinds: map[*kind]bool{}}
	n.Node = process.NewNode(c.Instance().Sched(), process.NodeOptions{OnComplete: n.ended})
	c.SetObject(c.NewNative(c.Ref().Result, n, nodeSize))
}

// use prepares the node for processes of a kind.
func (n *node) use(c *vm.Call, k *kind) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.resource.None() {
		n.resource = c.NewResource(c.Ref().Params[1], "processes in Go", closer{n}, 0)
	}
	if !n.kinds[k] {
		n.kinds[k] = true
		for name, h := range k.Handlers {
			n.Handle(name, h)
		}
	}
}

// closer ends what is left when the instance is closed: processes that those of
// actors have spawned.
type closer struct{ *node }

func (n closer) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return n.Node.Close(ctx)
}

func (n *node) spawn(l *link) error {
	made := l.kind.New()
	if made == nil {
		return fmt.Errorf("actor: New of %s has made no process", l.kind.Name)
	}
	n.mu.Lock() // until it is in the list: it may end at once
	defer n.mu.Unlock()
	pid, err := n.Spawn(&stepper{link: l, inner: made}, process.SpawnOptions{Method: "start"})
	if err == nil {
		l.pid = pid
		n.links[pid] = l
	}
	return err
}

func (n *node) ended(pid process.ID, _ any, err error) {
	n.mu.Lock()
	l := n.links[pid]
	delete(n.links, pid)
	n.mu.Unlock()
	if l != nil {
		l.ended(err)
	}
}

// link is what an actor of the script and its process have of each other.
type link struct {
	kind *kind
	in   *vm.Instance
	node *node
	box  *vm.Chan // the actor's mailbox
	pid  process.ID

	mu    sync.Mutex
	over  bool
	err   error   // what it has failed with, until it is told
	waits []*wait // the actor, for a step or the end
	// Of the questions it has got, some of them answered. Weak, so that one that it
	// has forgotten is found; room for twice as many as were open when last looked.
	open []weak.Pointer[place]
	room int
}

// wait is a promise for which the actor waits and which the process completes.
type wait struct {
	promise *vm.Promise
	object  *vm.Handle
	end     bool // completed when the process ends
}

// await makes the task<()> that a native gives. The lock is held.
func (l *link) await(c *vm.Call, end bool) {
	obj := c.NewPromise(l.kind.process, nil)
	h := &wait{promise: vm.NativeOf[*vm.Promise](c, obj.Value()), object: c.Instance().NewHandle(obj), end: end}
	l.waits = append(l.waits, h)
	c.SetObject(h.promise.Task(c, c.Ref().Result))
}

// got remembers questions. The lock is held.
func (l *link) got(questions []*place) {
	if len(l.open)+len(questions) > l.room {
		l.open = slices.DeleteFunc(l.open, func(w weak.Pointer[place]) bool {
			p := w.Value()
			return p == nil || p.done()
		})
		l.room = 2*len(l.open) + 16
	}
	for _, p := range questions {
		l.open = append(l.open, weak.Make(p))
	}
}

// told completes the promises of the actor: those for a step, or all.
func (l *link) told(all bool, err error) {
	l.mu.Lock()
	var done []*wait
	l.waits = slices.DeleteFunc(l.waits, func(h *wait) bool {
		if all || !h.end {
			done = append(done, h)
			return true
		}
		return false
	})
	if err != nil && len(done) > 0 {
		l.err = nil
	}
	l.mu.Unlock()
	for _, h := range done {
		if err != nil {
			h.promise.FailExternal(l.in, err)
		} else {
			h.promise.CompleteExternal(l.in, bytecode.IDUnit, vm.Value{})
		}
		h.object.Release()
	}
}

// ended is called when the process has.
func (l *link) ended(err error) {
	if errors.Is(err, process.ErrTerminated) || errors.Is(err, process.ErrCancelled) {
		err = nil
	}
	l.mu.Lock()
	l.over, l.err = true, err
	open := l.open
	ending := slices.ContainsFunc(l.waits, func(h *wait) bool { return h.end })
	hears := ending || err != nil && len(l.waits) > 0
	l.mu.Unlock()
	if !hears { // the actor waits for a message, or will
		l.in.Nudge(l.box)
	}
	l.told(true, err)
	for _, w := range open {
		if p := w.Value(); p != nil {
			p.forget(err)
		}
	}
}

func linked(c *vm.Call) *link { return vm.NativeArg[*link](c, 0) }

// runs is Process.runs.
func runs(c *vm.Call) {
	l := linked(c)
	l.mu.Lock()
	err, over := l.err, l.over
	l.err = nil
	l.mu.Unlock()
	if err != nil {
		c.ThrowHost(err)
	}
	c.SetBool(!over)
}

// step is the function of that name.
func step(c *vm.Call) {
	l := linked(c)
	c.MustBe(c.Ref().TypeArgs[0], l.kind.message)
	message, open := l.kind.decode(c, c.Value(1))
	l.mu.Lock()
	l.got(open)
	over := l.over
	l.await(c, false)
	l.mu.Unlock()
	c.EnterHost()
	defer c.ExitHost()
	if over || l.node.Send(l.pid, envelope{message}) != nil {
		l.told(false, nil) // it has ended meanwhile: the actor finds out next
		for _, p := range open {
			p.forget(nil)
		}
	}
}

// end is Process.end.
func end(c *vm.Call) {
	l, killed := linked(c), c.Bool(1)
	l.mu.Lock()
	over, err := l.over, l.err
	l.await(c, true)
	l.mu.Unlock()
	c.EnterHost()
	defer c.ExitHost()
	switch {
	case over:
		l.told(true, err)
	case killed:
		_ = l.node.Terminate(l.pid) // or it has ended meanwhile, which is told
	default:
		_ = l.node.Cancel(l.pid)
	}
}

// envelope is a message of the actor on its way to the process.
type envelope struct{ message any }

// stepper is a process that tells the actor when it is done with a message.
type stepper struct {
	link     *link
	inner    process.Process
	busy     bool // with a message
	stopping bool
}

func (s *stepper) Init(ctx context.Context, method string, input any) error {
	return s.inner.Init(s.link.in.Within(ctx), method, input)
}

func (s *stepper) Step(events []process.Event, out *process.StepOutput) error {
	for i := range events {
		switch e := &events[i]; {
		case e.Kind == process.Cancelled:
			s.stopping = true
		case e.Kind == process.Message:
			if m, ok := e.Data.(envelope); ok {
				e.Data, s.busy = m.message, true
			}
		}
	}
	err := s.inner.Step(events, out)
	clear(events) // else a question that it has forgotten could be reached
	if err != nil {
		return err
	}
	switch {
	case out.Next == process.Upgrade:
		next := out.Replacement()
		*next = &stepper{link: s.link, inner: *next, stopping: s.stopping}
	case out.Next == process.Yield:
		return nil // the next message waits till then
	case out.Next == process.Idle && s.stopping:
		out.Done(nil)
	}
	if s.busy {
		s.busy = false
		s.link.told(false, nil)
	}
	return nil
}

func (s *stepper) Close() { s.inner.Close() }

func init() {
	Module.Native("new_node", newNode)
	Module.Native("Process.runs", runs)
	Module.Native("Process.end", end)
	Module.Native("step", step)
}
