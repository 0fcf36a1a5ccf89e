// Package compiler turns a checked program into bytecode.
//
//	types.Program ──Compile──> bytecode.Program
//
// Every generic function is compiled once for each list of concrete type
// arguments it is used with (an instance). Compilation starts at the script
// and follows what it calls, so only what is used of the library is compiled.
package compiler

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Options of a compilation.
type Options struct {
	Tests    bool // compile test declarations
	Plain    bool // general instructions only: what the specialised ones are tested against
	Branches bool // mark where branches begin: for coverage
	// HasNative tells which native functions there are to be called; nil: all.
	HasNative func(name string) bool
	// Context ends the compilation; nil: nothing does.
	Context context.Context
	// Signatures are what native functions are declared with; nil: as they are used.
	Signatures func(name string) []bytecode.Signature
}

// maxInstances bounds the functions of a program; maxChain how deep instances
// may ask for ever new ones.
const (
	maxInstances = 100_000
	maxChain     = 32
)

type compiler struct {
	prog *types.Program
	opts Options
	out  *bytecode.Program

	idByPtr map[types.Type]uint32
	idByKey map[string]uint32
	static  []types.Type // by type id from NumFixedTypes on

	strs, byteStrs map[string]int
	enums          map[string]int
	natives        map[string]int
	funcs          map[string]int
	generators     map[*types.TypeDecl]int // by the type of their frames: the functions that go on
	queue          []work
	code           []compiled // by function index
	globals        map[*types.Global]int
	deferred       map[*types.Local]bool // used in a defer statement
	files          map[*diag.File]uint32
	making         []making
	infos          map[*types.TypeDecl]*types.Info

	selectors map[string]int
	selFn     []selector
	ifaces    map[string]int
	boxed     []types.Type
	boxedKeys map[string]bool
	anyShows  bool            // a type may show itself by a method
	holds     map[uint32]bool // the types of holdsShown
	errType   types.Type
	current   int                   // the function being compiled, -1 before the first
	here      diag.Span             // what is being compiled
	laidOut   int                   // functions whose code has its place
	session   bool                  // the program grows: see Session
	inits     map[*types.Module]int // of a session: the functions that initialize modules
	failed    *diag.Diagnostic
}

// work is a function to be compiled.
type work struct {
	index int
	build func(far bool) *builder
}

// compiled is a function's code before layout.
type compiled struct {
	*builder
	meta   bytecode.Func
	parent int             // the function that asked for it first, -1 for none
	fn     *types.FuncDecl // of an instance
	args   []types.Type
}

type selector struct {
	iface *types.Named
	fn    *types.FuncDecl
	done  map[uint32]bool
}

// Compile makes the program's bytecode. The program must have been checked
// without errors; what is returned are limits exceeded by instances, and mistakes
// in bodies of the library.
func Compile(prog *types.Program, opts Options) (*bytecode.Program, []diag.Diagnostic) {
	c := newCompiler(prog, opts)
	if diags := c.compile(&bytecode.Program{}, func() { c.errors(); c.entry() }); len(diags) > 0 {
		return nil, diags
	}
	return c.out, nil
}

func newCompiler(prog *types.Program, opts Options) *compiler {
	return &compiler{
		prog: prog, opts: opts, out: &bytecode.Program{Types: bytecode.FixedTypes(), MessageSel: -1},
		idByPtr: map[types.Type]uint32{}, idByKey: map[string]uint32{},
		strs: map[string]int{}, byteStrs: map[string]int{}, enums: map[string]int{}, natives: map[string]int{}, funcs: map[string]int{}, generators: map[*types.TypeDecl]int{},
		globals: map[*types.Global]int{}, deferred: map[*types.Local]bool{}, files: map[*diag.File]uint32{},
		infos: map[*types.TypeDecl]*types.Info{}, selectors: map[string]int{}, ifaces: map[string]int{},
		anyShows: prog.AnyShows(), holds: map[uint32]bool{},
		boxedKeys: map[string]bool{}, current: -1, static: make([]types.Type, bytecode.NumFixedTypes),
	}
}

// compile compiles what first queues, and all that this asks for, behind what old
// has already.
func (c *compiler) compile(old *bytecode.Program, first func()) []diag.Diagnostic {
	c.guarded(func() {
		first()
		c.drain()
		if c.failed == nil {
			c.fillIfaces()
			c.layout()
			c.gate(old)
		}
	})
	late := slices.DeleteFunc(c.prog.LateDiagnostics(), func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
	if len(late) > 0 || c.failed == nil {
		return late // what was made of a broken body says nothing
	}
	return []diag.Diagnostic{*c.failed}
}

// guarded runs f. A program never takes its host down: a defect of the compiler is a
// diagnostic, as is what else was found before.
func (c *compiler) guarded(f func()) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *diag.Stopped:
			d := r.Diagnostic()
			c.failed = &d
		default:
			c.internalAt(diag.NoSpan, fmt.Sprint(r))
		}
	}()
	f()
}

// gate lets through what is safe to run, by the rules for compiled files. What it
// stops is a defect of the compiler.
func (c *compiler) gate(old *bytecode.Program) {
	if err := bytecode.VerifyGrown(c.out, old, c.opts.Signatures); err != nil {
		c.internalAt(diag.NoSpan, err.Error())
	}
}

// drain compiles queued functions and fills the tables of interface methods
// until nothing new is asked for.
func (c *compiler) drain() {
	for c.failed == nil {
		for len(c.queue) > 0 && c.failed == nil {
			diag.Stop(c.opts.Context)
			w := c.queue[len(c.queue)-1]
			c.queue = c.queue[:len(c.queue)-1]
			c.current = w.index
			b := w.build(false)
			if b.tooFar {
				b = w.build(true)
			}
			c.finishFunc(w.index, b)
		}
		if !c.fillSelectors() {
			return
		}
	}
}

// ---- diagnostics ----

func (c *compiler) fail(span diag.Span, code diag.Code, msg string, help ...string) {
	if c.failed == nil {
		c.failed = &diag.Diagnostic{Code: code, Span: span, Message: msg, Help: help}
	}
}

// tooLarge reports that there are more than most of something, and what to do instead.
func (c *compiler) tooLarge(at diag.Span, what string, most int, help string) {
	c.fail(at, diag.ProgramTooLarge, fmt.Sprintf("the program is too large: it has more than %d %s", most, what), help)
}

// place lays out fields, of which an object has a limited number.
func (c *compiler) place(fields []bytecode.Field, at diag.Span, what, help string) bytecode.Layout {
	l := bytecode.Place(fields)
	if n := bytecode.MaxFieldOff/8 - 1; l.Size() > bytecode.MaxFieldOff {
		c.tooLarge(at, "values in "+what+" (an interface, `any` or an optional number counts as two)", n, help)
	}
	return l
}

// internal reports a defect of the compiler itself, with its place, instead of
// making wrong code.
func (c *compiler) internal(n syntax.Node, msg string) { c.internalAt(n.Span(), msg) }

func (c *compiler) internalAt(s diag.Span, msg string) {
	d := diag.Defect(msg)
	c.fail(s, d.Code, d.Message, d.Help...)
}

// available reports a native function that the prelude or a module declares and
// nobody has registered, or given a signature that its uses are checked against.
func (c *compiler) available(n syntax.Node, fn *types.FuncDecl, self types.Type) {
	name := nativeName(fn, self)
	has, sigs := c.opts.HasNative, c.opts.Signatures
	switch {
	case !fn.Native || has == nil || taskOps[name]:
	case !has(name):
		c.internal(n, "there is no native "+name)
	case sigs != nil && sigs(name) == nil:
		module, rest, _ := strings.Cut(name, ".")
		c.fail(n.Span(), diag.CompilerDefect, "the native `"+name+"` has no signature, which its uses are checked against",
			"in Go module "+module+" gives it: `Module.Signatures[\""+rest+"\"] = \"(float, str) list<int>\"`, with the types of its declaration")
	}
}

// ---- tables ----

func (c *compiler) str(s string) int { return intern(c.strs, &c.out.Strings, s) }

func (c *compiler) bytesConst(s string) int { return intern(c.byteStrs, &c.out.Bytes, s) }

func intern(index map[string]int, list *[]string, s string) int {
	if i, ok := index[s]; ok {
		return i
	}
	i := len(*list)
	*list = append(*list, s)
	index[s] = i
	return i
}

func (c *compiler) newTable(n int) int {
	c.out.Jumps = append(c.out.Jumps, make([]uint32, n))
	return len(c.out.Jumps) - 1
}

// cellType is the type of the cells that hold a captured var of type t.
func (c *compiler) cellType(t types.Type) uint32 {
	key := "cell " + types.Key(t)
	if id, ok := c.idByKey[key]; ok {
		return id
	}
	f := []bytecode.Field{c.field("", t)}
	layout := bytecode.Place(f)
	id := uint32(len(c.out.Types))
	c.out.Types = append(c.out.Types, bytecode.Type{Kind: bytecode.TCell, Rep: bytecode.RepP, Name: "cell of " + t.String(), Layout: layout, Fields: f})
	c.static = append(c.static, nil)
	c.idByKey[key] = id
	return id
}

func (c *compiler) globalIndex(g *types.Global) int {
	if i, ok := c.globals[g]; ok {
		return i
	}
	i := len(c.out.Globals)
	c.globals[g] = i
	c.out.Globals = append(c.out.Globals, bytecode.Global{Name: g.Name, Type: c.typeID(g.Type)})
	return i
}

// initDone reports whether a global is certainly initialized where b reads it:
// in a module's own top-level code everything declared above is, and so are
// the globals of imported modules. An earlier entry of a session may have failed.
func (c *compiler) initDone(b *builder, g *types.Global) bool {
	return b.inited[g] || b.module != g.Module && !(c.session && g.Module.Script)
}

// nativeName is the name a native function is registered under.
func nativeName(fn *types.FuncDecl, self types.Type) string {
	switch {
	case fn.Owner != nil:
		return modName(fn.Module) + "." + fn.Owner.Name + "." + fn.Name
	case fn.On != nil:
		return modName(fn.Module) + "." + fn.On.Name + "." + fn.Name
	case fn.Ext != nil:
		return extName(fn.Ext.Target) + "." + fn.Name
	}
	return modName(fn.Module) + "." + fn.Name
}

// modName: the prelude's files are one module, core, to natives.
func modName(m *types.Module) string {
	if strings.HasPrefix(m.Path, "prelude") {
		return "core"
	}
	name, _, _ := strings.Cut(m.Path, "/") // a part's natives are its module's
	return name
}

func extName(t types.Type) string {
	switch t := types.Prune(t).(type) {
	case *types.Basic:
		return t.Name
	case *types.App:
		return [...]string{types.CList: "list", types.CMap: "map", types.CSet: "set", types.CTask: "task",
			types.CChan: "chan", types.CMutex: "mutex", types.COptional: "optional", types.CTuple: "tuple"}[t.Ctor]
	case *types.Named:
		return t.Decl.Name
	}
	return "func"
}

func (c *compiler) native(fn *types.FuncDecl, recvArgs, typeArgs []types.Type, self types.Type) int {
	return c.nativeIndex(c.nativeUse(fn, recvArgs, typeArgs, self))
}

// nativeUse is a native with the types of one use.
func (c *compiler) nativeUse(fn *types.FuncDecl, recvArgs, typeArgs []types.Type, self types.Type) bytecode.NativeRef {
	sub := types.Subst{
		Params: append(append([]*types.TypeParam(nil), fn.OwnerParams()...), fn.TypeParams...),
		Args:   append(append([]types.Type(nil), recvArgs...), typeArgs...),
	}
	var params []types.Type
	if self != nil {
		params = append(params, self)
	}
	for _, p := range fn.Params {
		params = append(params, sub.Apply(p.Type))
	}
	return c.nativeWith(nativeName(fn, self), typeArgs, params, sub.Apply(fn.Result))
}

func (c *compiler) nativeWith(name string, typeArgs, params []types.Type, result types.Type) bytecode.NativeRef {
	ref := bytecode.NativeRef{Name: name, Result: c.typeID(result)}
	for _, t := range typeArgs {
		ref.TypeArgs = append(ref.TypeArgs, c.typeID(t))
	}
	for _, t := range params {
		ref.Params = append(ref.Params, c.typeID(t))
	}
	return ref
}

func (c *compiler) nativeRef(name string, typeArgs, params []types.Type, result types.Type) int {
	return c.nativeIndex(c.nativeWith(name, typeArgs, params, result))
}

// nativeIndex returns the place in the program's table.
func (c *compiler) nativeIndex(ref bytecode.NativeRef) int {
	key := fmt.Sprint(ref)
	if i, ok := c.natives[key]; ok {
		return i
	}
	i := len(c.out.Natives)
	c.natives[key] = i
	c.out.Natives = append(c.out.Natives, ref)
	return i
}

// ---- interfaces ----

// box notes that values of type t become any or interface values, so the
// tables of interface methods need t's.
func (c *compiler) box(t types.Type) {
	t = types.Prune(t)
	if isAny(t) || isIface(t) || isNever(t) {
		return
	}
	if e := optElem(t); e != nil {
		c.box(e)
		return
	}
	key := types.Key(t)
	if !c.boxedKeys[key] {
		c.boxedKeys[key] = true
		c.typeID(t)
		c.boxed = append(c.boxed, t)
		c.holdsShown(c.typeID(t)) // what is in it may be shown
	}
}

// selector returns the index of an interface's method among those called.
func (c *compiler) selector(iface types.Type, fn *types.FuncDecl) int {
	n := types.Prune(iface).(*types.Named)
	key := types.Key(n) + "." + fn.Name
	if i, ok := c.selectors[key]; ok {
		return i
	}
	i := len(c.selFn)
	c.selectors[key] = i
	c.selFn = append(c.selFn, selector{n, fn, map[uint32]bool{}})
	sub := &types.Subst{Params: n.Decl.Params, Args: n.Args}
	sel := bytecode.Selector{Name: fn.Name, Iface: c.typeID(n), Result: c.typeID(sub.Apply(fn.Result))}
	for _, p := range fn.Params {
		sel.Params = append(sel.Params, c.typeID(sub.Apply(p.Type)))
	}
	c.out.Selectors = append(c.out.Selectors, sel)
	return i
}

func (c *compiler) iface(t types.Type) int {
	key := types.Key(t)
	if i, ok := c.ifaces[key]; ok {
		return i
	}
	i := len(c.out.Ifaces)
	c.ifaces[key] = i
	c.out.Ifaces = append(c.out.Ifaces, bytecode.Iface{Type: c.typeID(t)})
	return i
}

// fillSelectors completes the tables for the types boxed so far and reports
// whether that asked for new functions.
func (c *compiler) fillSelectors() bool {
	for i := 0; i < len(c.selFn); i++ {
		for k := 0; k < len(c.boxed); k++ {
			s, t := &c.selFn[i], c.boxed[k]
			id := c.typeID(t)
			if s.done[id] {
				continue
			}
			s.done[id] = true
			if !c.prog.Satisfies(t, s.iface) {
				continue
			}
			index := c.methodFor(t, s)
			tab := c.out.Selectors[i].Table
			for len(tab) <= int(id) {
				tab = append(tab, 0)
			}
			tab[id] = uint32(index) + 1
			c.out.Selectors[i].Table = tab
		}
	}
	return len(c.queue) > 0
}

// fillIfaces notes which of the types that become any or interface values
// satisfy the interfaces that are tested for.
func (c *compiler) fillIfaces() {
	for i := range c.out.Ifaces {
		f := &c.out.Ifaces[i]
		n := types.Prune(c.static[f.Type]).(*types.Named)
		f.Sat = make([]bool, len(c.out.Types))
		for _, t := range c.boxed {
			f.Sat[c.typeID(t)] = c.prog.Satisfies(t, n)
		}
	}
}

// methodFor returns the function that serves an interface's method for values of
// type t: t's own, else the interface's default.
func (c *compiler) methodFor(t types.Type, s *selector) int {
	if n, ok := types.Prune(t).(*types.Named); ok && s.fn.Name == "next" {
		if index, ok := c.generators[n.Decl]; ok {
			return index
		}
	}
	fn, args := c.prog.MethodOf(t, s.fn.Name)
	self := t
	switch {
	case fn == nil || fn.Owner == s.iface.Decl:
		fn, args, self = s.fn, s.iface.Args, s.iface
	case fn.Owner != nil && fn.Owner.Kind == types.KInterface: // the default of another one, that t asserts
		self = &types.Named{Decl: fn.Owner, Args: args}
	case fn.Ext != nil:
		sub := &types.Subst{Params: fn.Ext.Params, Args: args}
		self = sub.Apply(fn.Ext.Target)
	}
	if fn.Native {
		return c.nativeFunc(fn, args, nil, self)
	}
	return c.instance(fn, args, nil, self)
}

// errors prepares the error structs of the runtime and their messages.
func (c *compiler) errors() {
	c.errType = types.Any
	if d, ok := c.prog.PreludeName("Error").(*types.TypeDecl); ok {
		c.errType = &types.Named{Decl: d}
		c.out.MessageSel = c.selector(c.errType, d.Method("message"))
	}
	for _, name := range bytecode.ErrNames {
		id := uint32(0)
		if d, ok := c.prog.PreludeName(name).(*types.TypeDecl); ok {
			t := &types.Named{Decl: d}
			id = c.typeID(t)
			c.box(t)
		}
		c.out.ErrTypes = append(c.out.ErrTypes, id)
	}
}

func (c *compiler) errorType() types.Type { return c.errType }

// cancelledType is the id of the error that ends a cancelled task.
func (c *compiler) cancelledType() uint32 {
	return c.out.ErrTypes[slices.Index(bytecode.ErrNames[:], "Cancelled")]
}
