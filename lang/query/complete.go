package query

import (
	"slices"
	"strconv"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/syntax/token"
	"github.com/runnel-lang/runnel/lang/types"
)

// Completion is a name that could stand at an offset.
type Completion struct {
	Label      string // the name; of an argument with its colon
	Kind       string // variable, constant, function, method, field, variant, struct, enum, interface, type, module, keyword, argument or label
	Detail     string // its declaration on one line
	Doc        string // the first sentence of its doc comment
	Insert     string // what to write in place of the bytes from Start to End
	Start, End int
}

// Complete lists what could stand at an offset, the best first. What is typed
// of it selects: names that begin with it come before those that only have its
// letters in this order. Nothing else of the text need be right.
func (f *File) Complete(at int) []Completion {
	c := contextAt(f.text, f.inside(at))
	l := &completer{c: c}
	switch {
	case c.inText || c.start > 0 && f.text[c.start-1] == '\'':
		l.labels()
	case c.kind(1) == token.Import:
		l.imports(f.opts.Loader)
	case c.declaring():
	case c.afterOperand():
		l.infix()
	case c.inMembers():
		l.words(memberWords)
	default:
		a, ok := f.atHole(c)
		if !ok {
			break
		}
		l.a, l.site = a, a.prog.Site
		l.atSite()
	}
	return l.ranked()
}

// atHole checks the text with a hole at the word.
func (f *File) atHole(c *surroundings) (*analysis, bool) {
	for _, t := range c.attempts() {
		a := analyze(f.name, t.text, f.opts, t.at+1)
		if a.prog != nil && a.prog.Site != nil {
			return a, true
		}
	}
	return nil, false
}

// inMembers reports whether the word begins a member of a type's declaration.
func (c *surroundings) inMembers() bool {
	t := c.top()
	if t.kind != token.LBrace || t.head != token.Struct && t.head != token.Enum && t.head != token.Interface {
		return false
	}
	return c.kind(1) == token.LBrace || c.kind(1) == token.Comma && c.typeArgs() == 0 || c.newLine(len(c.toks))
}

// completer collects completions.
type completer struct {
	c    *surroundings
	a    *analysis
	site *types.Site
	list []candidate
	seen map[string]bool
}

// atSite lists what fits the place of the hole.
func (l *completer) atSite() {
	s := l.site
	switch s.Kind {
	case types.SiteMember:
		l.membersOf(s)
	case types.SiteType:
		l.typesAt(s)
	case types.SitePattern:
		l.patternsAt(s)
	default:
		if l.c.kind(1) == token.Throw {
			s.Want = l.thrown()
		}
		l.arguments()
		l.wanted(s.Want)
		l.locals()
		l.topLevel(isValue)
		l.keywords()
	}
}

// ---- values ----

// arguments lists the parameters that the hole, an argument, could be named by.
func (l *completer) arguments() {
	call := l.a.prog.Call
	if call == nil || !call.Named() {
		return
	}
	given, here := map[string]bool{}, false
	for i, arg := range call.Call.Args {
		switch id, ok := arg.Value.(*syntax.Ident); {
		case arg.Name.Text != "":
			given[arg.Name.Text] = true
		case ok && id.Name == hole:
			here = true
		case i < len(call.Params):
			given[call.Params[i].Name] = true
		}
	}
	for _, p := range call.Params {
		if !here || p.Name == "" || given[p.Name] {
			continue
		}
		l.add(candidate{group: groupArgument, Completion: Completion{
			Label: p.Name + ":", Kind: "argument", Detail: typed(p.Name, p.Type), Insert: p.Name + ": ",
		}})
	}
}

// wanted lists the variants of the enum that is expected: their bare names do.
func (l *completer) wanted(want types.Type) {
	if want == nil {
		return
	}
	if n, ok := types.Prune(unwrapped(want)).(*types.Named); ok && n.Decl.Kind == types.KEnum {
		for _, v := range n.Decl.Variant {
			l.variant(v, n, groupWanted)
		}
	}
}

// unwrapped is T for T?.
func unwrapped(t types.Type) types.Type {
	if a, ok := types.Prune(t).(*types.App); ok && a.Ctor == types.COptional {
		return types.Prune(a.Args[0])
	}
	return types.Prune(t)
}

func (l *completer) variant(v *types.VariantDecl, t types.Type, group int) {
	insert := v.Name
	if len(v.Fields) > 0 {
		insert = l.called(v.Name, true)
	}
	l.add(candidate{group: group, value: t, Completion: Completion{
		Label: v.Name, Kind: "variant", Detail: variantLabel(v), Doc: v.Doc, Insert: insert,
	}})
}

// locals lists the local names in scope, the innermost of each name.
func (l *completer) locals() {
	for i := len(l.site.Locals) - 1; i >= 0; i-- {
		v := l.site.Locals[i]
		switch o := v.Obj.(type) {
		case *types.Local:
			kind := "variable"
			if v.Name == "self" {
				kind = "keyword"
			}
			l.add(candidate{group: groupLocal, value: v.Type, Completion: Completion{
				Label: v.Name, Kind: kind, Detail: describe(o, v.Type), Insert: l.valued(v.Name, v.Type),
			}})
		default:
			l.object(v.Name, v.Obj, groupLocal)
		}
	}
}

// topLevel lists the names of the module, of the prelude and the built-in ones
// that are of use here.
func (l *completer) topLevel(use func(types.Object) bool) {
	p := l.a.prog
	for name, o := range p.Main.Visible() {
		if name != hole && !l.later(o) && use(o) {
			l.object(name, o, groupModule)
		}
	}
	for _, m := range p.WholePrelude().Modules {
		for name, o := range m.Exports() {
			if use(o) {
				l.object(name, o, l.preludeGroup(o))
			}
		}
	}
	for _, b := range types.Builtins {
		if p.Main.Lookup(b.Name) != nil || !use(&types.BuiltinFunc{Name: b.Name}) {
			continue
		}
		k := candidate{group: groupPrelude, called: builtinResults[b.Name]}
		k.Completion = Completion{Label: b.Name, Kind: "function", Detail: b.Signature, Doc: b.Doc, Insert: l.called(b.Name, b.Name != "buffer")}
		if b.Name == "map" || b.Name == "chan" { // nothing given tells their types
			k.Insert = b.Name + l.unless('<', "<")
		}
		l.add(k)
	}
}

// preludeGroup ranks a name of the prelude: its types are many, mostly of
// errors, and seldom made.
func (l *completer) preludeGroup(o types.Object) int {
	if _, ok := o.(*types.TypeDecl); ok && l.site.Kind == types.SiteValue {
		return groupType
	}
	return groupPrelude
}

// thrown returns the type expected of what is thrown.
func (l *completer) thrown() types.Type {
	if d, ok := l.a.prog.PreludeName("Error").(*types.TypeDecl); ok {
		return d.Self
	}
	return nil
}

// later reports whether a name is not declared yet where the hole is.
func (l *completer) later(o types.Object) bool {
	g, ok := o.(*types.Global)
	return ok && slices.Contains(l.site.Later, g)
}

// builtinResults are the types that the functions give whose types cannot be
// written.
var builtinResults = map[string]types.Type{
	"same": types.Bool, "type_of": types.Str, "int": types.Int, "float": types.Float, "str": types.Str, "bytes": types.Bytes, "buffer": types.Buffer,
}

// isValue reports whether a name is of use where a value is expected.
func isValue(o types.Object) bool {
	switch o := o.(type) {
	case *types.Global, *types.ConstObj, *types.FuncDecl, *types.ModuleObj, *types.BuiltinFunc:
		return true
	case *types.TypeDecl:
		return o.Kind == types.KStruct && !o.Native || o.Kind == types.KEnum
	}
	_, t := types.Alias(o)
	n, ok := t.(*types.Named)
	return ok && n.Decl.Kind != types.KInterface
}

// object lists a name that stands for something declared.
func (l *completer) object(name string, o types.Object, group int) {
	k := candidate{group: group, Completion: Completion{Label: name, Insert: name, Detail: describe(o, nil), Doc: docOf(o)}}
	switch o := o.(type) {
	case *types.Local:
		k.Kind, k.value = "variable", o.Type
	case *types.Global:
		k.Kind, k.value, k.Insert = "variable", o.Type, l.valued(name, o.Type)
	case *types.ConstObj:
		k.Kind, k.value = "constant", o.Type
	case *types.FuncDecl:
		k.Kind, k.called, k.value = "function", o.Result, funcOf(o)
		k.Insert = l.called(name, len(o.Params) > 0)
	case *types.ModuleObj:
		k.Kind, k.Insert = "module", name+l.unless('.', ".")
	case *types.TypeDecl:
		k.Kind = kindWord(o.Kind)
		l.typeCandidate(&k, o)
	default:
		d, t := types.Alias(o)
		if d == nil {
			return // a name that is wrong already
		}
		k.Kind = "type"
		if n, ok := types.Prune(t).(*types.Named); ok {
			l.typeCandidate(&k, n.Decl)
		}
	}
	l.add(k)
}

// typeCandidate says what a type's name makes where it stands for a value.
func (l *completer) typeCandidate(k *candidate, d *types.TypeDecl) {
	if l.site.Kind != types.SiteValue && l.site.Kind != types.SiteMember {
		return
	}
	switch d.Kind {
	case types.KStruct:
		k.called, k.Insert = d.Self, l.called(k.Label, len(d.Fields) > 0)
	case types.KEnum:
		k.called, k.Insert = d.Self, k.Label+l.unless('.', ".")
	}
}

func funcOf(f *types.FuncDecl) *types.Func {
	t := &types.Func{Result: f.Result}
	for _, p := range f.Params {
		t.Params = append(t.Params, p.Type)
	}
	return t
}

// called is the text of a call's beginning, of the name alone where a bracket
// follows or a function is wanted.
func (l *completer) called(name string, args bool) string {
	if l.site.Want != nil {
		if _, ok := unwrapped(l.site.Want).(*types.Func); ok {
			return name
		}
	}
	if args {
		return name + l.unless('(', "(")
	}
	return name + l.unless('(', "()")
}

// valued is the text of a variable: with a bracket when it is a function to be
// called in a statement.
func (l *completer) valued(name string, t types.Type) string {
	if t == nil || !l.c.startsStatement() {
		return name
	}
	if f, ok := types.Prune(t).(*types.Func); ok {
		return l.called(name, len(f.Params) > 0)
	}
	return name
}

// unless is a text, or nothing when what follows begins with a byte.
func (l *completer) unless(b byte, text string) string {
	if l.c.end < len(l.c.text) && l.c.text[l.c.end] == b {
		return ""
	}
	return text
}

// ---- members ----

func (l *completer) membersOf(s *types.Site) {
	switch {
	case s.Module != nil:
		for name, o := range s.Module.Exports() {
			l.object(name, o, groupMember)
		}
	case s.Enum != nil:
		for _, v := range s.Enum.Variant {
			l.variant(v, s.Enum.Self, groupMember)
		}
		for _, f := range s.Enum.Statics {
			group := groupMember
			if f.Derived != types.NotDerived { // other enums have it too
				group = groupLinked
			}
			l.object(f.Name, f, group)
		}
	case s.Recv != nil:
		l.membersOfType(s.Recv, "")
		if inner := unwrapped(s.Recv); inner != types.Prune(s.Recv) && l.c.kind(1) == token.Dot {
			l.membersOfType(inner, "?.")
		}
	}
}

// membersOfType lists fields and methods. With a link they are those of what an
// optional holds, and the dot before the word is replaced by it.
func (l *completer) membersOfType(t types.Type, link string) {
	group := groupMember
	if link != "" {
		group = groupLinked
	}
	add := func(k candidate) {
		k.group = group
		if link != "" {
			k.Start = int(l.c.toks[len(l.c.toks)-1].Sp.Start)
			k.Insert = link + k.Insert
		}
		l.add(k)
	}
	switch t := types.Prune(t).(type) {
	case *types.Named:
		s := &types.Subst{Params: t.Decl.Params, Args: t.Args}
		if t.Decl.Kind == types.KStruct {
			for _, f := range t.Decl.Fields {
				ft := s.Apply(f.Type)
				add(candidate{value: ft, Completion: Completion{
					Label: f.Name, Kind: "field", Detail: typed(f.Name, ft), Doc: f.Doc, Insert: l.valued(f.Name, ft),
				}})
			}
		}
	case *types.App:
		if t.Ctor == types.CTuple {
			for i, e := range t.Args {
				name := strconv.Itoa(i)
				add(candidate{value: e, Completion: Completion{Label: name, Kind: "field", Detail: typed(name, e), Insert: name}})
			}
		}
	}
	for _, m := range l.a.prog.Methods(t) {
		if n, ok := types.Prune(t).(*types.Named); ok && n.Decl.Kind == types.KStruct && (m.Fn == n.Decl.Copy() || n.Decl.Method(m.Fn.Name) == nil) {
			group = groupLinked // what is its own comes first
		}
		add(candidate{value: m.Type, called: m.Type.Result, Completion: Completion{
			Label: m.Fn.Name, Kind: "method", Detail: methodLabel(m), Doc: m.Fn.Doc, Insert: l.called(m.Fn.Name, len(m.Fn.Params) > 0),
		}})
	}
}

// ---- types ----

func (l *completer) typesAt(s *types.Site) {
	if s.Module != nil {
		for name, o := range s.Module.Exports() {
			if isType(o) {
				l.object(name, o, groupMember)
			}
		}
		return
	}
	for _, p := range s.TypeParams {
		l.add(candidate{group: groupLocal, Completion: Completion{Label: p.Name, Kind: "type", Detail: bounded(p), Insert: p.Name}})
	}
	for name, insert := range typeWords {
		l.add(candidate{group: groupLocal, Completion: Completion{Label: name, Kind: "type", Detail: "type " + name, Insert: insert}})
	}
	l.topLevel(func(o types.Object) bool {
		_, module := o.(*types.ModuleObj)
		return module || isType(o)
	})
}

// typeWords are the built-in types, and how each begins.
var typeWords = map[string]string{
	"int": "int", "float": "float", "bool": "bool", "str": "str", "bytes": "bytes", "duration": "duration", "any": "any",
	"never": "never", "buffer": "buffer", "map": "map<", "set": "set<", "task": "task<", "chan": "chan<", "mutex": "mutex<",
}

func isType(o types.Object) bool {
	if _, ok := o.(*types.TypeDecl); ok {
		return true
	}
	d, _ := types.Alias(o)
	return d != nil
}

// ---- modules ----

// imports lists the modules of the library.
func (l *completer) imports(loader types.Loader) {
	if loader == nil {
		return
	}
	for _, name := range loader.Names() {
		l.add(candidate{Completion: Completion{Label: name, Kind: "module", Detail: "import " + name, Insert: name}})
	}
}
