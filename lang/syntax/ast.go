package syntax

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// Node is anything with a place in the source.
type Node interface{ Span() diag.Span }

// Base carries a node's span.
type Base struct{ Sp diag.Span }

func (b *Base) Span() diag.Span { return b.Sp }

// ID numbers the expressions, patterns and type expressions of one file from
// 1, in the order the parser made them: the checker's results are slices
// indexed by it.
type ID int32

// ExprBase is embedded in every expression.
type ExprBase struct {
	Sp diag.Span
	Id ID
}

func (b *ExprBase) Span() diag.Span { return b.Sp }
func (b *ExprBase) ID() ID          { return b.Id }
func (b *ExprBase) exprNode()       {}

// Expr is an expression. Loops, return, break, continue and throw are
// expressions too (of type () or never).
type Expr interface {
	Node
	ID() ID
	exprNode()
}

// Stmt is a statement or declaration in a block or at top level.
type Stmt interface {
	Node
	stmtNode()
}

type StmtBase struct{ Sp diag.Span }

func (b *StmtBase) Span() diag.Span { return b.Sp }
func (b *StmtBase) stmtNode()       {}

// Name is an identifier with its place.
type Name struct {
	Text string
	Sp   diag.Span
}

// File is one parsed source file.
type File struct {
	Source *diag.File
	Items  []Stmt        // imports, declarations and statements in source order
	NumIDs int           // expression, pattern and type ids are 1..NumIDs
	Doc    string        // leading /// comment of the file, if a blank line follows it
	Tokens []token.Token // all tokens and comments, for tools that keep the layout
}

// ---- declarations (all are Stmt) ----

// ImportDecl: import math, import "./geo" as g.
type ImportDecl struct {
	StmtBase
	Path   string // "math" or "./geo"
	IsFile bool   // written as a string
	PathSp diag.Span
	Alias  Name // Text "" when not written
}

// FnDecl is a function or method. Body is nil for a method an interface
// requires and for a native function.
type FnDecl struct {
	StmtBase
	Doc        string
	Pub        bool
	Native     bool // `native fn`: only in the prelude and the standard library
	Static     bool // `static fn`: a member that is called on its type
	Name       Name
	TypeParams []*TypeParam
	Params     []*Param
	Result     TypeExpr // nil means ()
	Body       *Block
	Yields     bool // a `yield` stands in the body, and in no function within it
	Untyped    bool // it has been told that the result needs a type
}

// TypeParam: T or T: Bound.
type TypeParam struct {
	Name  Name
	Bound TypeExpr // nil when none
}

// Param of a function or lambda, also a field of an enum variant.
type Param struct {
	Name    Name     // Text "" where Pattern is set; its place is that of the pattern then
	Pattern Pattern  // of a lambda's parameter that is taken apart, else nil
	Type    TypeExpr // nil for a lambda's inferred parameter
	Default Expr     // nil when none
}

// FieldDecl of a struct. ReadOnly is `let x: T`.
type FieldDecl struct {
	Doc      string
	ReadOnly bool
	Name     Name
	Type     TypeExpr
	Default  Expr
}

type StructDecl struct {
	StmtBase
	Doc        string
	Pub        bool
	Native     bool // `native struct` in the library: no literal construction, opaque to scripts
	Name       Name
	TypeParams []*TypeParam
	Implements []TypeExpr // struct S: Actor<Msg>
	Fields     []*FieldDecl
	Methods    []*FnDecl
	Broken     bool // there is more of it, which could not be parsed
}

type Variant struct {
	Doc    string
	Name   Name
	Fields []*Param // names optional: Name.Text "" for positional `Circle(float)`
	Number Expr     // of `Red = 1`, else nil
}

type EnumDecl struct {
	StmtBase
	Doc        string
	Pub        bool
	Name       Name
	TypeParams []*TypeParam
	Implements []TypeExpr // enum E: Comparable<E>
	Variants   []*Variant
	Methods    []*FnDecl
}

type InterfaceDecl struct {
	StmtBase
	Doc        string
	Pub        bool
	Name       Name
	TypeParams []*TypeParam
	Methods    []*FnDecl // Body != nil: a default method
	Broken     bool      // there is more of it, which could not be parsed
}

// TypeDecl: type Id = int.
type TypeDecl struct {
	StmtBase
	Doc        string
	Pub        bool
	Name       Name
	TypeParams []*TypeParam
	Type       TypeExpr
}

// ExtendDecl: `extend<T> [T] { fn ... }`, methods of a built-in type. Only in the prelude.
type ExtendDecl struct {
	StmtBase
	TypeParams []*TypeParam
	Target     TypeExpr
	Methods    []*FnDecl
}

// TestDecl: test "name" { ... }, or bench "name" { ... }.
type TestDecl struct {
	StmtBase
	Bench bool
	Name  string
	Body  *Block
}

// ---- statements ----

type LetKind uint8

const (
	Let LetKind = iota
	Var
	Const
)

// LetStmt: let/var/const. Pattern is a BindPattern, or a TuplePattern (or
// struct pattern) that cannot fail.
type LetStmt struct {
	StmtBase
	Doc     string
	Pub     bool
	Kind    LetKind
	Pattern Pattern
	Type    TypeExpr // nil when inferred
	Value   Expr
}

// AssignStmt: target op= value; Op is Assign for plain `=`, else the binary operator.
type AssignStmt struct {
	StmtBase
	Target Expr
	Op     BinOp // OpNone for `=`
	OpSp   diag.Span
	Value  Expr
}

// ExprStmt is an expression used as a statement. Semi says that a `;` follows,
// so as a block's last statement it does not give the block's value.
type ExprStmt struct {
	StmtBase
	X    Expr
	Semi bool
}

// DeferStmt: defer expr, defer { ... }, defer x = 1.
type DeferStmt struct {
	StmtBase
	Body Stmt
}

// BadStmt stands for what could not be parsed; the checker skips it.
type BadStmt struct{ StmtBase }

// ---- expressions ----

type IntLit struct {
	ExprBase
	Value int64 // 9223372036854775808 is only allowed under a minus: then Value is math.MinInt64 and Neg2 is set
	Neg2  bool
}

type FloatLit struct {
	ExprBase
	Value float64
}

type BoolLit struct {
	ExprBase
	Value bool
}

type NoneLit struct{ ExprBase }

// UnitLit: ().
type UnitLit struct{ ExprBase }

// StrLit without interpolation (also raw strings).
type StrLit struct {
	ExprBase
	Value string
}

type BytesLit struct {
	ExprBase
	Value string
}

// DurationLit in nanoseconds.
type DurationLit struct {
	ExprBase
	Value int64
}

// InterpPart is text, or an expression with an optional format spec.
type InterpPart struct {
	Text   string // when X is nil
	X      Expr
	Spec   string // after the ':' without it, with a format.Hole for each of Holes; "" when none
	SpecSp diag.Span
	Holes  []Expr // names that stand for numbers in it: ${x:{width}.{precision}}
}

type InterpLit struct {
	ExprBase
	Parts []InterpPart
}

type ListLit struct {
	ExprBase
	Elems []Expr
}

// Spread: the elements of a list among those of a list literal, `..xs`. Its type is that
// of an element.
type Spread struct {
	ExprBase
	X Expr
}

type MapEntry struct{ Key, Value Expr }

type MapLit struct {
	ExprBase
	Entries []MapEntry
}

type TupleLit struct {
	ExprBase
	Elems []Expr
}

// RangeLit: lo..hi, lo..=hi, lo... Hi is nil for one without an end; Lo may be nil only
// inside an index ([..b]).
type RangeLit struct {
	ExprBase
	Lo, Hi    Expr
	Inclusive bool
}

// Ident is a value name, a variant name, a type name in a call (Point(...),
// int(x)) or before a dot, or a module name before a dot. TypeArgs are explicit
// arguments (decode<Config>).
type Ident struct {
	ExprBase
	Name     string
	TypeArgs []TypeExpr
}

// TypeName is a type used as an expression head where an identifier cannot
// stand: map<str, int>(), chan<int>(16), [int]... Only as the callee of a call
// or before a dot.
type TypeName struct {
	ExprBase
	Type TypeExpr
}

// SelfExpr: self.
type SelfExpr struct{ ExprBase }

// Member: x.name, x?.name; for tuples Name is the decimal index.
type Member struct {
	ExprBase
	X        Expr
	Name     Name
	Safe     bool // ?.
	TypeArgs []TypeExpr
}

// Index: x[i], x[a..b] (I is a *RangeLit).
type Index struct {
	ExprBase
	X, I Expr
}

type Arg struct {
	Name  Name // Text "" when positional
	Value Expr
}

type Call struct {
	ExprBase
	Fn     Expr
	Args   []Arg
	Rparen diag.Span
}

// Unwrap: x!
type Unwrap struct {
	ExprBase
	X Expr
}

type UnOp uint8

const (
	OpNot   UnOp = iota // !
	OpNeg               // -
	OpCompl             // ~
)

type Unary struct {
	ExprBase
	Op UnOp
	X  Expr
}

type BinOp uint8

const (
	OpNone BinOp = iota
	OpAdd
	OpSub
	OpMul
	OpDiv
	OpMod
	OpPow
	OpShl
	OpShr
	OpAnd
	OpXor
	OpOr
	OpEq
	OpNe
	OpLt
	OpLe
	OpGt
	OpGe
	OpAndAnd
	OpOrOr
	OpCoalesce // ??
)

type Binary struct {
	ExprBase
	Op   BinOp
	OpSp diag.Span
	X, Y Expr
}

// Is: x is T.
type Is struct {
	ExprBase
	X    Expr
	Type TypeExpr
}

// As: x as T (throws when x is not a T).
type As struct {
	ExprBase
	X    Expr
	Type TypeExpr
}

// Lambda: |x, y| body. Body is an expression (a *Block when braces were written).
type Lambda struct {
	ExprBase
	Params []*Param
	Result TypeExpr // nil when not written
	Body   Expr
	Yields bool // see FnDecl
}

// Block: { stmts }. Its value is its last statement when that is an ExprStmt
// without a semicolon.
type Block struct {
	ExprBase
	Stmts  []Stmt
	Rbrace diag.Span
}

// Cond is the head of an if or while: an expression, or `let pattern = x`
// (Pattern not nil), which holds when x is not none (a plain binding) or when
// the pattern matches. Behind && follow More, which see what the patterns bind.
type Cond struct {
	Pattern Pattern
	X       Expr
	More    []Cond    // themselves without More
	AndSp   diag.Span // of the && before it, in More
}

// Binds reports whether a pattern is matched.
func (c *Cond) Binds() bool { return c.Pattern != nil || len(c.More) > 0 }

type If struct {
	ExprBase
	Cond Cond
	Then *Block
	Else Expr // *Block, *If or nil
}

type While struct {
	ExprBase
	Label Name
	Cond  Cond
	Body  *Block
}

type Loop struct {
	ExprBase
	Label Name
	Body  *Block
}

// For: for x in xs, for i, x in xs, for (k, v) in pairs. Vars cannot fail.
type For struct {
	ExprBase
	Label Name
	Vars  []Pattern // one or two
	X     Expr
	Body  *Block
}

type MatchArm struct {
	Pattern Pattern
	Guard   Expr // nil when none
	Body    Expr
}

type Match struct {
	ExprBase
	X    Expr
	Arms []*MatchArm
}

type CatchClause struct {
	Name Name     // "_" or a name
	Type TypeExpr // nil: catches everything but Cancelled
	Body *Block
	Sp   diag.Span
}

type Try struct {
	ExprBase
	Body    *Block
	Catches []*CatchClause
}

type Throw struct {
	ExprBase
	X Expr
}

// Yield gives an element of the generator that it stands in.
type Yield struct {
	ExprBase
	X Expr
}

type Return struct {
	ExprBase
	X Expr // nil when none
}

type Break struct {
	ExprBase
	Label Name
}

type Continue struct {
	ExprBase
	Label Name
}

// Spawn: spawn f(x), spawn { }, spawn detached f(x). X is a *Call or a *Block.
type Spawn struct {
	ExprBase
	Detached bool
	X        Expr
}

type Await struct {
	ExprBase
	X Expr
}

// Scope: scope { ... }.
type Scope struct {
	ExprBase
	Body *Block
}

// Lock: lock m as v { ... }.
type Lock struct {
	ExprBase
	X    Expr
	Name Name
	Body *Block
}

type SelectKind uint8

const (
	SelRecv    SelectKind = iota // let v = a.recv() => / a.recv() =>
	SelSend                      // b.send(x) =>
	SelAfter                     // after 1s =>
	SelDefault                   // _ =>
)

type SelectArm struct {
	Kind SelectKind
	Bind Pattern // SelRecv only, nil when not bound
	Chan Expr    // SelRecv, SelSend
	X    Expr    // SelSend: value; SelAfter: duration
	Body Expr
	Sp   diag.Span
}

type Select struct {
	ExprBase
	Arms []*SelectArm
}

// Paren keeps written parentheses (the formatter and some diagnostics want them).
type Paren struct {
	ExprBase
	X Expr
}

// BadExpr stands for what could not be parsed; its type is invalid.
type BadExpr struct{ ExprBase }

// ---- patterns ----

type Pattern interface {
	Node
	ID() ID
	patternNode()
}

type PatternBase struct {
	Sp diag.Span
	Id ID
}

func (b *PatternBase) Span() diag.Span { return b.Sp }
func (b *PatternBase) ID() ID          { return b.Id }
func (b *PatternBase) patternNode()    {}

// BindPattern: a lower-case name; Type is set for a type test `n: int`. "_" binds nothing.
type BindPattern struct {
	PatternBase
	Name  Name
	Type  TypeExpr
	Const bool // the name of a constant
}

// LitPattern: int, float, bool, str, bytes, duration literal (also negated), none.
type LitPattern struct {
	PatternBase
	X Expr
}

// RangePattern: 1..5, 'lo..=hi' over int or duration literals, and characters. Hi is nil
// for one without an end.
type RangePattern struct {
	PatternBase
	Lo, Hi    Expr
	Inclusive bool
}

// TuplePattern: (a, b), (a, .., z). Rest is one more than the place of `..` among
// Elems, 0 when there is none.
type TuplePattern struct {
	PatternBase
	Elems []Pattern
	Rest  int
}

// Part returns which of the n parts of a tuple the i-th pattern looks at, -1 when
// there is none.
func (p *TuplePattern) Part(i, n int) int { return part(i, len(p.Elems), p.Rest, n) }

// Fits reports whether a tuple of n parts has one for each pattern, and no more
// without a `..`.
func (p *TuplePattern) Fits(n int) bool {
	return n == len(p.Elems) || p.Rest > 0 && n > len(p.Elems)
}

// part returns the place among n of the i-th of some patterns with a `..`.
func part(i, patterns, rest, n int) int {
	if rest > 0 && i >= rest-1 {
		i += n - patterns
	}
	if i >= n || i < 0 {
		return -1
	}
	return i
}

// ListPattern: [], [a, b], [first, ..], [a, ..rest, z]. Rest is one more than the place
// of `..` among Elems, 0 when there is none; Between is the name behind it, or nil.
type ListPattern struct {
	PatternBase
	Elems   []Pattern
	Rest    int
	Between *BindPattern
}

// Before is how many elements are counted from the front.
func (p *ListPattern) Before() int {
	if p.Rest > 0 {
		return p.Rest - 1
	}
	return len(p.Elems)
}

// After is how many elements are counted from the end.
func (p *ListPattern) After() int { return len(p.Elems) - p.Before() }

// FieldPattern is one field of a variant or struct pattern; Name.Text is "" when positional.
type FieldPattern struct {
	Name Name
	Pat  Pattern
}

// VariantPattern: Circle(r), Shape.Empty, Rect(w: 0, h); and Point(x: 0, y) for
// structs. HasArgs says parentheses were written. Rest is one more than the place of
// `..` among Fields, which have no names then; 0 when there is none.
type VariantPattern struct {
	PatternBase
	Qualifier Name // module, type or both are joined: "shapes.Shape"; "" when bare
	Name      Name
	TypeArgs  []TypeExpr
	HasArgs   bool
	Fields    []FieldPattern
	Rest      int
}

// Part returns which of n fields the i-th pattern looks at, when it has no name; -1
// when there is none.
func (p *VariantPattern) Part(i, n int) int { return part(i, len(p.Fields), p.Rest, n) }

// OrPattern: a | b.
type OrPattern struct {
	PatternBase
	Alts []Pattern
}

// BadPattern stands for what could not be parsed.
type BadPattern struct{ PatternBase }

// ---- type expressions ----

type TypeExpr interface {
	Node
	ID() ID
	typeNode()
}

type TypeBase struct {
	Sp diag.Span
	Id ID
}

func (b *TypeBase) Span() diag.Span { return b.Sp }
func (b *TypeBase) ID() ID          { return b.Id }
func (b *TypeBase) typeNode()       {}

// NamedType: int, Point<T>, geo.Point, map<K, V>.
type NamedType struct {
	TypeBase
	Module Name // "" when none
	Name   Name
	Args   []TypeExpr
}

// ListType: [T].
type ListType struct {
	TypeBase
	Elem TypeExpr
}

// TupleType: (A, B); () with no elements is unit.
type TupleType struct {
	TypeBase
	Elems []TypeExpr
}

// OptionalType: T?.
type OptionalType struct {
	TypeBase
	Elem TypeExpr
}

// FnType: fn(A, B) -> C.
type FnType struct {
	TypeBase
	Params []TypeExpr
	Result TypeExpr // nil means ()
}

// BadType stands for what could not be parsed.
type BadType struct{ TypeBase }
