package types

import (
	"strconv"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// Type is the static type of an expression. Types are compared with Identical
// (invariance everywhere); Key gives a string that is equal exactly for
// identical closed types.
type Type interface {
	String() string // as a user writes it
	typeNode()
}

// Kind of a Basic type.
type Kind uint8

const (
	KInvalid Kind = iota // error recovery: fits everywhere, never reported twice
	KInt
	KFloat
	KBool
	KStr
	KBytes
	KDuration
	KUnit  // ()
	KNever // fits everywhere
	KAny
	KBuffer
)

// Basic is a built-in type without arguments. Compare by pointer.
type Basic struct {
	Kind Kind
	Name string
}

var (
	Invalid  = &Basic{KInvalid, "<invalid>"}
	Int      = &Basic{KInt, "int"}
	Float    = &Basic{KFloat, "float"}
	Bool     = &Basic{KBool, "bool"}
	Str      = &Basic{KStr, "str"}
	Bytes    = &Basic{KBytes, "bytes"}
	Duration = &Basic{KDuration, "duration"}
	Unit     = &Basic{KUnit, "()"}
	Never    = &Basic{KNever, "never"}
	Any      = &Basic{KAny, "any"}
	Buffer   = &Basic{KBuffer, "buffer"}
)

// Ctor is a built-in generic type constructor.
type Ctor uint8

const (
	CList     Ctor = iota // [T]
	CMap                  // map<K, V>
	CSet                  // set<T>
	CTask                 // task<T>
	CChan                 // chan<T>
	CMutex                // mutex<T>
	COptional             // T?
	CTuple                // (A, B, ...)
)

// App is a built-in generic type with its arguments.
type App struct {
	Ctor Ctor
	Args []Type
}

// Func is a function type. Result is Unit when it gives nothing.
type Func struct {
	Params []Type
	Result Type
}

// NamedKind says what a user type is.
type NamedKind uint8

const (
	KStruct NamedKind = iota
	KEnum
	KInterface
)

// Named is an instance of a user type: its declaration with type arguments
// (as many as the declaration has parameters). Inside the declaration itself
// the arguments are its own TypeParams.
type Named struct {
	Decl *TypeDecl
	Args []Type
}

// TypeParam is a type parameter of a declaration. Params of one declaration
// are distinct pointers.
type TypeParam struct {
	Name  string
	Index int    // position in its declaration's list
	Owner any    // *TypeDecl, *FuncDecl or *Extend
	Bound *Named // an interface, nil when none

	repeated bool // an error: another one has the same name
}

// Var is an inference variable; it never occurs in the results of a check
// without errors.
type Var struct {
	ID    int
	Bound *Named
	Link  Type // what it was solved to, nil while open
	// IntLit, when true, means the variable stands for an integer literal
	// that becomes int unless solved to float.
	IntLit bool
	At     diag.Span
	later  *later // what decides it after its statement, if anything does
}

func (*Basic) typeNode()     {}
func (*App) typeNode()       {}
func (*Func) typeNode()      {}
func (*Named) typeNode()     {}
func (*TypeParam) typeNode() {}
func (*Var) typeNode()       {}

func NewList(t Type) *App     { return &App{CList, []Type{t}} }
func NewMap(k, v Type) *App   { return &App{CMap, []Type{k, v}} }
func NewSet(t Type) *App      { return &App{CSet, []Type{t}} }
func NewOptional(t Type) *App { return &App{COptional, []Type{t}} }
func NewTuple(ts ...Type) *App {
	return &App{CTuple, ts}
}

// TypeDecl declares a struct, an enum or an interface. A type alias leaves no
// trace: it is replaced by what it stands for.
type TypeDecl struct {
	Kind    NamedKind
	Name    string
	Module  *Module
	Pub     bool
	Native  bool
	Doc     string
	Params  []*TypeParam
	Self    *Named // the type inside its own declaration
	Fields  []*Field
	Variant []*VariantDecl
	Methods []*FuncDecl // declared methods; for an interface also the required ones
	Statics []*FuncDecl // functions that are called on the type
	Asserts []*Named    // struct S: Iface
	At      diag.Span   // of the name
	Syntax  syntax.Stmt
	Broken  bool // there is more of it, which could not be parsed

	methodIndex, staticIndex   map[string]*FuncDecl
	fieldPlaces, variantPlaces places
	copy, number               *FuncDecl // see Copy and Number
}

// Method finds a declared method by name, or nil.
func (d *TypeDecl) Method(name string) *FuncDecl {
	if d.methodIndex == nil {
		d.methodIndex = byName(d.Methods)
	}
	return d.methodIndex[name]
}

// Static finds a function that is called on the type by name, or nil.
func (d *TypeDecl) Static(name string) *FuncDecl {
	if d.staticIndex == nil {
		d.staticIndex = byName(d.Statics)
	}
	return d.staticIndex[name]
}

// byName indexes functions; of two of one name it has the first.
func byName(list []*FuncDecl) map[string]*FuncDecl {
	index := make(map[string]*FuncDecl, len(list))
	for _, f := range list {
		if index[f.Name] == nil {
			index[f.Name] = f
		}
	}
	return index
}

// Field of a struct, in declaration order.
type Field struct {
	Name     string
	Type     Type
	ReadOnly bool
	Default  syntax.Expr // nil when none; typed in the declaring module's Info
	Index    int
	At       diag.Span
	Doc      string

	noneByDefault bool // of a struct, and declared as optional
}

// VariantDecl of an enum; Tag is its position, Number what int() gives of it.
type VariantDecl struct {
	Name   string
	Tag    int
	Number int64
	Fields []*Field // Name "" for positional ones
	At     diag.Span
	Doc    string
}

// Plain reports whether no variant of the enum has fields.
func (d *TypeDecl) Plain() bool {
	for _, v := range d.Variant {
		if len(v.Fields) > 0 {
			return false
		}
	}
	return true
}

// FuncDecl is a function, a method, a default method of an interface, or a
// method of a built-in type from the prelude.
type FuncDecl struct {
	Name   string
	Module *Module
	Pub    bool
	Native bool // implemented by the runtime under NativeName
	Doc    string
	// TypeParams are the function's own. A method's body also sees the
	// parameters of its owner: Owner.Params, On.Params or Ext.Params.
	TypeParams []*TypeParam
	Params     []*Param
	Result     Type
	Owner      *TypeDecl // nil unless a method of a user type
	On         *TypeDecl // the type that a static function is called on, else nil
	Ext        *Extend   // nil unless a method of a built-in type
	Syntax     *syntax.FnDecl
	At         diag.Span
	Derived    Derived
}

// Derived says what a static function does that every enum without fields has.
type Derived uint8

const (
	NotDerived    Derived = iota
	DerivedAll            // all() gives the variants
	DerivedParse          // parse(text) finds one by its name
	DerivedOf             // of(number) finds one by its number
	DerivedNumber         // number(variant): what int(variant) gives, where that is not the position
)

// OwnerParams are the type parameters a method or static function has from its type.
func (f *FuncDecl) OwnerParams() []*TypeParam {
	switch {
	case f.Owner != nil:
		return f.Owner.Params
	case f.On != nil:
		return f.On.Params
	case f.Ext != nil:
		return f.Ext.Params
	}
	return nil
}

// Param of a function.
type Param struct {
	Name    string
	Type    Type
	Default syntax.Expr // typed in the declaring module's Info
	Obj     *Local
}

// Extend is one `extend<T> [T] { ... }` of the prelude: methods of a built-in type.
type Extend struct {
	Params  []*TypeParam
	Target  Type
	Methods []*FuncDecl
}

// ---- objects ----

// Object is what an identifier can stand for.
type Object interface{ objNode() }

// Local is a variable of a function, block or lambda: a parameter, let, var,
// pattern or loop binding, or the name a lock binds.
type Local struct {
	Name string
	Type Type
	Var  bool // may be reassigned
	// Captured is set when a lambda or spawn block inside uses it; a captured
	// Var lives in a heap cell, a captured let is copied.
	Captured bool
	Func     any // the function it belongs to: *FuncDecl, *syntax.Lambda, *syntax.Spawn, *TypeDecl (defaults of its fields), *Module (top-level code) or *syntax.TestDecl
	At       diag.Span
	Used     bool
	LockOf   bool      // bound by lock: assignable inside
	Fn       *FuncDecl // of a local function, else nil
}

// Global is a top-level let or var of a module.
type Global struct {
	Name   string
	Module *Module
	Type   Type
	Var    bool
	Pub    bool
	Doc    string
	At     diag.Span
	Index  int // position among the module's globals
	Used   bool
}

// ConstObj is a compile-time constant, local or top-level.
type ConstObj struct {
	Name   string
	Module *Module
	Type   Type
	Value  Const
	Pub    bool
	Doc    string
	At     diag.Span
	Used   bool
}

// ModuleObj is an imported module's name.
type ModuleObj struct {
	Module *Module
	At     diag.Span
	Used   bool
}

func (*Local) objNode()       {}
func (*Global) objNode()      {}
func (*ConstObj) objNode()    {}
func (*ModuleObj) objNode()   {}
func (*FuncDecl) objNode()    {}
func (*TypeDecl) objNode()    {}
func (*VariantRef) objNode()  {}
func (*BuiltinFunc) objNode() {}

// VariantRef is an enum variant used as a value or function.
type VariantRef struct {
	Enum    *TypeDecl
	Variant *VariantDecl
}

// BuiltinFunc is a function the compiler knows by name because its type cannot
// be written in Runnel: print, assert, type_of, same, the conversions (int,
// float, str, bytes), and the like.
type BuiltinFunc struct{ Name string }

// Const is a compile-time value: bool, int64 (int and duration), float64 or
// string (str and bytes).
type Const any

// ---- modules ----

// Module is one checked source file.
type Module struct {
	Path    string // "math", or the cleaned path of a file module
	Name    string // last element of Path: how importers call it by default
	Std     bool   // part of the standard library (may declare native functions)
	Script  bool   // the program's entry file
	File    *syntax.File
	Imports []*Module // in source order
	Funcs   []*FuncDecl
	Types   []*TypeDecl
	Globals []*Global
	Consts  []*ConstObj
	Tests   []*syntax.TestDecl
	Info    *Info
	Doc     string
	Value   *Global // of an Entry: its last expression's, nil without one that has a value

	valued      bool                     // see Entry
	folded      map[*syntax.LetStmt]bool // the constants that are known when compiling
	scope       map[string]Object        // top-level names
	outer       map[string]Object        // names that the module continues: see Options.Outer
	extends     []*Extend
	extendDecls []*syntax.ExtendDecl
	prelude     bool // a file of the prelude: seen everywhere
}

// Lookup finds a top-level name of the module, or nil.
func (m *Module) Lookup(name string) Object { return m.find(name) }

// find finds a top-level name of the module or one that it continues, or nil.
func (m *Module) find(name string) Object {
	if o, ok := m.scope[name]; ok {
		return o
	}
	return m.outer[name]
}

// names visits the top-level names that find finds.
func (m *Module) names(yield func(string, Object) bool) {
	for n, o := range m.scope {
		if !yield(n, o) {
			return
		}
	}
	for n, o := range m.outer {
		if m.scope[n] == nil && !yield(n, o) {
			return
		}
	}
}

// Program is everything that was checked together.
type Program struct {
	Files   *diag.FileSet
	Modules []*Module // dependency order: a module stands after what it imports; the script last
	Prelude *Prelude
	Main    *Module

	// What stands at Options.At, nil if that is neither a name nor a call.
	Site *Site
	Call *CallSite

	c *checker // checks library bodies when they are asked for
}

// ---- results ----

// CallKind says what a call does.
type CallKind uint8

const (
	CallFunc       CallKind = iota // a declared function; Fn
	CallMethod                     // a method on a receiver of concrete or built-in type; Fn, Recv is the Member's X
	CallIface                      // a method required by an interface, on an interface value; Fn
	CallBound                      // a method on a receiver whose type is a type parameter; Fn is the bound's method: resolve it again when the type is known
	CallValue                      // a closure; Fn when it is that of a local function
	CallStruct                     // construction; Type is the Named result
	CallVariant                    // enum variant; Variant, Type is the Named result
	CallCopy                       // x.copy(...) of a struct; Type is the Named result, Params and Args are those of its fields
	CallBuiltin                    // Builtin
	CallNewBuiltin                 // map<K,V>(), set<T>(), chan<T>(n), mutex(v), buffer(): Type is the result, Args the arguments
)

// CallInfo is what the checker found out about a Call.
type CallInfo struct {
	Kind    CallKind
	Fn      *FuncDecl
	Variant *VariantDecl
	Builtin string
	Type    Type // CallStruct, CallVariant, CallCopy, CallNewBuiltin: the result type
	// TypeArgs of Fn itself (as many as Fn.TypeParams). RecvArgs are those of
	// the receiver's type (as many as Fn.OwnerParams()).
	TypeArgs []Type
	RecvArgs []Type
	// Params are the parameter types after substitution; Args gives for each
	// parameter (or field) the index of the argument in Call.Args, or -1 for
	// the default. For CallBuiltin, CallValue: one to one.
	Params []Type
	Args   []int
}

// MemberKind says what x.name is.
type MemberKind uint8

const (
	MemField   MemberKind = iota // struct field; Field
	MemTuple                     // tuple element; Index
	MemModule                    // a name of an imported module: see Uses
	MemVariant                   // Enum.Variant: see Uses
	MemStatic                    // a function that is called on its type: see Uses
	MemMethod                    // a method as a value (bound): Fn, RecvArgs, TypeArgs
)

// MemberInfo is what the checker found out about a Member that is not the
// callee of a method call. For a `?.` access the type of the whole expression
// is optional; Type is what the member itself has.
type MemberInfo struct {
	Kind     MemberKind
	Field    *Field
	Index    int
	Fn       *FuncDecl
	RecvArgs []Type
	TypeArgs []Type
	Type     Type
	CallKind CallKind // MemMethod: CallMethod, CallIface or CallBound
}

// PatInfo is what the checker found out about a pattern.
type PatInfo struct {
	Bind    *Local // BindPattern that binds
	Type    Type   // type of the value matched; for a type test the tested type is Test
	Test    Type
	Variant *VariantDecl // VariantPattern on an enum
	Struct  *TypeDecl    // VariantPattern on a struct
	Fields  []int        // for each Fields element: index of the variant's or struct's field
	Lit     Const        // LitPattern; nil for none
	Lo, Hi  int64        // RangePattern, both inclusive; of text, codes of characters
	// Bare is a lower-case or `some` binding of a non-optional inside an
	// optional: the pattern matches the inner value when not none.
	Unwrap bool
}

// ForKind says how a for loop runs.
type ForKind uint8

const (
	ForRange    ForKind = iota // literal range: counts without a range object
	ForList                    // one var: element; two: index, element
	ForMap                     // two vars: key, value; one: key
	ForSet                     // element
	ForStr                     // runes as str; two vars: byte index, rune
	ForBytes                   // byte as int
	ForChan                    // until closed
	ForIterator                // Next is the method `next() -> T?`
	ForRangeVal                // a value of type range
)

// ForInfo belongs to a For.
type ForInfo struct {
	Kind ForKind
	Elem Type
	Key  Type      // ForMap
	Next *CallInfo // ForIterator
}

// Info holds the results for one module, slices indexed by syntax.ID.
type Info struct {
	Types  []Type              // expressions: type; type expressions: what they denote
	Uses   []Object            // Ident (and Member of kind MemModule, MemVariant): what it stands for
	Consts map[syntax.ID]Const // constant-folded expressions (also idents of const)
	Calls  map[*syntax.Call]*CallInfo
	// Operators holds the methods that operators call: of a Unary, Binary or AssignStmt.
	Operators map[syntax.Node]*CallInfo
	Members   map[*syntax.Member]*MemberInfo
	Pats      map[syntax.Pattern]*PatInfo
	Fors      map[*syntax.For]*ForInfo
	Catches   map[*syntax.CatchClause]*Local // what the clause binds, nil for _
	Locks     map[*syntax.Lock]*Local
	Params    map[*syntax.Param]*Local // of lambdas and functions
	Selfs     map[*syntax.FnDecl]*Local
	// Captures lists what a lambda, spawn block or defer captures, in order.
	Captures map[syntax.Expr][]*Local
	Variants map[*syntax.Is]*syntax.VariantPattern // those that ask for a variant
	Labels   map[syntax.Expr]syntax.Expr           // Break, Continue -> the loop
	// Insts are the type arguments of a generic function or variant used as a
	// value, by the id of its Ident or Member.
	Insts map[syntax.ID][]Type
	// LocalFns are the functions that a block declares one after the other, by the first one.
	LocalFns map[*syntax.FnDecl][]*Local
	// Globals declared by a top-level let pattern, by binding.
	GlobalBinds map[*syntax.BindPattern]*Global
	// Constants, also local ones, by binding.
	ConstBinds map[*syntax.BindPattern]*ConstObj
}

// TypeOf returns the type of an expression.
func (in *Info) TypeOf(e syntax.Expr) Type { return in.Types[e.ID()] }

// TypeOfExpr returns what a type expression denotes.
func (in *Info) TypeOfExpr(t syntax.TypeExpr) Type { return in.Types[t.ID()] }

// ---- printing ----

func (b *Basic) String() string     { return b.Name }
func (p *TypeParam) String() string { return p.Name }

func (v *Var) String() string {
	if v.Link != nil {
		return v.Link.String()
	}
	if v.IntLit {
		return "int"
	}
	return "_"
}

func (a *App) String() string {
	switch a.Ctor {
	case CList:
		return "[" + a.Args[0].String() + "]"
	case COptional:
		if f, ok := Prune(a.Args[0]).(*Func); ok {
			return "(" + f.String() + ")?"
		}
		return a.Args[0].String() + "?"
	case CTuple:
		return "(" + joinTypes(a.Args) + ")"
	}
	return ctorNames[a.Ctor] + "<" + joinTypes(a.Args) + ">"
}

var ctorNames = [...]string{CMap: "map", CSet: "set", CTask: "task", CChan: "chan", CMutex: "mutex"}

func (f *Func) String() string {
	s := "fn(" + joinTypes(f.Params) + ")"
	if Prune(f.Result) != Type(Unit) {
		s += " -> " + f.Result.String()
	}
	return s
}

func (n *Named) String() string {
	if len(n.Args) == 0 {
		return n.Decl.Name
	}
	return n.Decl.Name + "<" + joinTypes(n.Args) + ">"
}

func joinTypes(ts []Type) string {
	parts := make([]string, len(ts))
	for i, t := range ts {
		parts[i] = t.String()
	}
	return strings.Join(parts, ", ")
}

// Prune follows solved inference variables.
func Prune(t Type) Type {
	for {
		v, ok := t.(*Var)
		if !ok || v.Link == nil {
			return t
		}
		t = v.Link
	}
}

// Identical reports whether two types are the same type.
func Identical(a, b Type) bool {
	a, b = Prune(a), Prune(b)
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *App:
		b, ok := b.(*App)
		return ok && a.Ctor == b.Ctor && identicalAll(a.Args, b.Args)
	case *Func:
		b, ok := b.(*Func)
		return ok && identicalAll(a.Params, b.Params) && Identical(a.Result, b.Result)
	case *Named:
		b, ok := b.(*Named)
		return ok && a.Decl == b.Decl && identicalAll(a.Args, b.Args)
	}
	return false
}

func identicalAll(a, b []Type) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Identical(a[i], b[i]) {
			return false
		}
	}
	return true
}

// Key is a string equal exactly for identical closed types of one program.
func Key(t Type) string {
	var b strings.Builder
	writeKey(&b, t)
	return b.String()
}

func writeKey(b *strings.Builder, t Type) {
	switch t := Prune(t).(type) {
	case *Basic:
		b.WriteString(t.Name)
	case *TypeParam:
		b.WriteByte('$')
		b.WriteString(t.Name)
	case *App:
		b.WriteByte('a')
		b.WriteString(strconv.Itoa(int(t.Ctor)))
		writeKeys(b, t.Args)
	case *Func:
		b.WriteByte('f')
		writeKeys(b, t.Params)
		writeKey(b, t.Result)
	case *Named:
		m := t.Decl.Module
		b.WriteString(m.Path)
		if !m.Std { // a session may have loaded the file before, with other types
			b.WriteByte('@')
			b.WriteString(strconv.Itoa(int(m.File.Source.Base)))
		}
		b.WriteByte('.')
		b.WriteString(t.Decl.Name)
		writeKeys(b, t.Args)
	default:
		b.WriteByte('?')
	}
}

func writeKeys(b *strings.Builder, ts []Type) {
	b.WriteByte('(')
	for i, t := range ts {
		if i > 0 {
			b.WriteByte(',')
		}
		writeKey(b, t)
	}
	b.WriteByte(')')
}

// Subst replaces type parameters: params[i] becomes args[i]. What has no
// parameter in it is returned as it is.
type Subst struct {
	Params []*TypeParam
	Args   []Type
}

// Apply substitutes in t.
func (s *Subst) Apply(t Type) Type {
	if s == nil || len(s.Params) == 0 {
		return Prune(t)
	}
	switch t := Prune(t).(type) {
	case *TypeParam:
		for i, p := range s.Params {
			if p == t {
				return s.Args[i]
			}
		}
		return t
	case *App:
		if args, changed := s.applyAll(t.Args); changed {
			return &App{t.Ctor, args}
		}
		return t
	case *Func:
		params, c1 := s.applyAll(t.Params)
		res := s.Apply(t.Result)
		if c1 || res != t.Result {
			return &Func{params, res}
		}
		return t
	case *Named:
		if args, changed := s.applyAll(t.Args); changed {
			return &Named{t.Decl, args}
		}
		return t
	default:
		return t
	}
}

func (s *Subst) applyAll(ts []Type) ([]Type, bool) {
	var out []Type
	for i, t := range ts {
		n := s.Apply(t)
		if n != t && out == nil {
			out = append(make([]Type, 0, len(ts)), ts[:i]...)
		}
		if out != nil {
			out = append(out, n)
		}
	}
	if out == nil {
		return ts, false
	}
	return out, true
}
