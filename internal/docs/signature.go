package docs

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/types"
)

// Signature is how an item is declared, in pieces, as types in it are links.
type Signature []Piece

// Piece of a signature: To or Page is what it links to, if anything.
type Piece struct {
	Text   string
	Broken string // instead of Text, when the signature is too long for a line
	Name   bool   // the name of what is declared
	To     *Item
	Page   *Page
}

func (s Signature) String() string {
	var b strings.Builder
	for _, p := range s {
		b.WriteString(p.Text)
	}
	return b.String()
}

// broken is a signature with each parameter on a line of its own if it is
// longer than a width.
func (s Signature) broken(width int) string { return s.lines(width).String() }

func (s Signature) lines(width int) Signature {
	if utf8.RuneCountInString(s.String()) <= width {
		return s
	}
	s = slices.Clone(s)
	for i := range s {
		s[i].Text = cmp.Or(s[i].Broken, s[i].Text)
	}
	return s
}

// writer writes signatures for a page.
type writer struct {
	c    *collector
	page *Page
	out  Signature
}

// text adds what is nothing but text, to the piece before if that is the same.
func (w *writer) text(s string) {
	if n := len(w.out); n > 0 && w.out[n-1] == (Piece{Text: w.out[n-1].Text}) {
		w.out[n-1].Text += s
		return
	}
	w.out = append(w.out, Piece{Text: s})
}

// name adds the name of what is declared.
func (w *writer) name(s string) { w.out = append(w.out, Piece{Text: s, Name: true}) }

// space adds what is another text in a broken signature.
func (w *writer) space(text, broken string) {
	w.out = append(w.out, Piece{Text: text, Broken: broken})
}

// builtIn adds the name of a built-in type.
func (w *writer) builtIn(name string) {
	if page := w.c.builtIn[name]; page != nil {
		w.out = append(w.out, Piece{Text: name, Page: page})
		return
	}
	w.text(name)
}

func (w *writer) typ(t types.Type) {
	switch t := types.Prune(t).(type) {
	case *types.Basic:
		w.builtIn(t.Name)
	case *types.App:
		w.applied(t)
	case *types.Func:
		w.text("fn(")
		w.types(t.Params)
		w.text(")")
		w.result(t.Result)
	case *types.Named:
		w.named(t)
	default:
		w.text(t.String())
	}
}

func (w *writer) types(ts []types.Type) {
	for i, t := range ts {
		if i > 0 {
			w.text(", ")
		}
		w.typ(t)
	}
}

func (w *writer) applied(t *types.App) {
	switch t.Ctor {
	case types.CList:
		w.text("[")
		w.typ(t.Args[0])
		w.text("]")
	case types.CTuple:
		w.text("(")
		w.types(t.Args)
		w.text(")")
	case types.COptional:
		_, isFunc := types.Prune(t.Args[0]).(*types.Func)
		if isFunc {
			w.text("(")
		}
		w.typ(t.Args[0])
		if isFunc {
			w.text(")")
		}
		w.text("?")
	default:
		name, _, _ := strings.Cut(t.String(), "<")
		w.builtIn(name)
		w.args(t.Args)
	}
}

func (w *writer) args(ts []types.Type) {
	if len(ts) > 0 {
		w.text("<")
		w.types(ts)
		w.text(">")
	}
}

// named adds a type by the name that it has for readers of the page.
func (w *writer) named(t *types.Named) {
	if it := w.c.places[t.Decl]; it != nil {
		name := it.Full
		if it.Page == w.page {
			name = it.Name
		}
		w.out = append(w.out, Piece{Text: name, To: it})
	} else {
		w.text(t.Decl.Name)
	}
	w.args(t.Args)
}

func (w *writer) result(t types.Type) {
	if types.Prune(t) != types.Type(types.Unit) {
		w.text(" -> ")
		w.typ(t)
	}
}

func (w *writer) typeParams(ps []*types.TypeParam) {
	for i, p := range ps {
		w.text([]string{"<", ", "}[min(i, 1)])
		w.text(p.Name)
		if p.Bound != nil {
			w.text(": ")
			w.typ(p.Bound)
		}
	}
	if len(ps) > 0 {
		w.text(">")
	}
}

// fn writes a function. A method of a built-in type stands behind the type, as
// not every method is there for every element type.
func (w *writer) fn(f *types.FuncDecl) {
	if f.On != nil {
		w.text("static ")
	}
	w.text("fn ")
	if f.Ext != nil {
		w.typ(f.Ext.Target)
		w.text(".")
	}
	w.name(f.Name)
	w.typeParams(f.TypeParams)
	w.text("(")
	for i, p := range f.Params {
		w.space([]string{"", ", "}[min(i, 1)], []string{"\n    ", ",\n    "}[min(i, 1)])
		w.text(p.Name + ": ")
		w.typ(p.Type)
		if p.Default != nil {
			w.text(" = " + w.c.source(p.Default.Span()))
		}
	}
	if len(f.Params) > 0 {
		w.space("", ",\n")
	}
	w.text(")")
	w.result(f.Result)
	if f.Ext != nil {
		w.bounds(f.Ext.Params)
	}
}

func (w *writer) bounds(ps []*types.TypeParam) {
	word := " where "
	for _, p := range ps {
		if p.Bound != nil {
			w.text(word + p.Name + ": ")
			w.typ(p.Bound)
			word = ", "
		}
	}
}

var typeWords = [...]string{types.KStruct: "struct ", types.KEnum: "enum ", types.KInterface: "interface "}

func (w *writer) typeDecl(name string, d *types.TypeDecl) {
	w.text(typeWords[d.Kind])
	w.name(name)
	w.typeParams(d.Params)
	for i, a := range d.Asserts {
		w.text([]string{": ", ", "}[min(i, 1)])
		w.typ(a)
	}
}

func (w *writer) field(f *types.Field) {
	if f.ReadOnly {
		w.text("let ")
	}
	w.name(f.Name)
	w.text(": ")
	w.typ(f.Type)
	if f.Default != nil {
		w.text(" = " + w.c.source(f.Default.Span()))
	}
}

func (w *writer) variant(v *types.VariantDecl) {
	w.name(v.Name)
	for i, f := range v.Fields {
		w.text([]string{"(", ", "}[min(i, 1)])
		if f.Name != "" {
			w.text(f.Name + ": ")
		}
		w.typ(f.Type)
	}
	if len(v.Fields) > 0 {
		w.text(")")
	}
}

func (w *writer) value(word, name string, t types.Type) {
	w.text(word + " ")
	w.name(name)
	w.text(": ")
	w.typ(t)
}

// source returns an expression as it is written, on one line.
func (c *collector) source(at diag.Span) string {
	return strings.Join(strings.Fields(c.prog.Files.File(at.Start).Text(at)), " ")
}

// constant shows a value as it would be written.
func constant(v types.Const, t types.Type) string {
	switch v := v.(type) {
	case string:
		if t == types.Type(types.Bytes) {
			return "b" + strconv.Quote(v)
		}
		return strconv.Quote(v)
	case int64:
		if t == types.Type(types.Duration) {
			return time.Duration(v).String()
		}
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}
