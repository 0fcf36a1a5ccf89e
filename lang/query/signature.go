package query

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
)

// Signature is the head of what is called around an offset.
type Signature struct {
	Label  string
	Doc    string
	Params []Range // of each parameter in Label
	Active int     // the parameter that the offset is at, -1 when there is none for it
}

// Range is a range of bytes of a text.
type Range struct{ Start, End int }

// Signature tells what the innermost call around an offset takes.
func (f *File) Signature(at int) (Signature, bool) {
	at = f.inside(at)
	c := contextAt(f.text, at)
	tries := []attempt{{f.text, at - 1}}
	if !c.inText && !c.afterOperand() && !c.declaring() {
		tries = append(c.attempts(), tries...)
	}
	for _, t := range tries {
		a := analyze(f.name, t.text, f.opts, t.at+1)
		if a.prog == nil || a.prog.Call == nil {
			continue
		}
		s := signatureOf(a.prog.Call)
		s.Active = activeParam(a.prog.Call, a.pos(t.at+1), len(s.Params))
		return s, true
	}
	return Signature{}, false
}

// signatureOf writes the head of what is called.
func signatureOf(call *types.CallSite) Signature {
	if call.Info.Kind == types.CallBuiltin {
		b := types.BuiltinNamed(call.Name)
		return Signature{Label: strings.TrimPrefix(b.Signature, "fn "), Doc: b.Doc}
	}
	s := Signature{Doc: docOf(calledSymbol(call.Info))}
	var b strings.Builder
	b.WriteString(call.Name + "(")
	for i, p := range call.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		from := b.Len()
		if p.Name == "" {
			b.WriteString(types.Prune(p.Type).String())
		} else {
			b.WriteString(typed(p.Name, p.Type))
		}
		if p.Optional {
			b.WriteString(" = ...")
		}
		s.Params = append(s.Params, Range{from, b.Len()})
	}
	b.WriteString(")")
	if t := types.Prune(call.Result); t != types.Type(types.Unit) && t != types.Type(types.Invalid) {
		b.WriteString(" -> " + t.String())
	}
	s.Label = b.String()
	return s
}

// calledSymbol is what has the doc comment of a call.
func calledSymbol(info *types.CallInfo) Symbol {
	switch {
	case info.Fn != nil:
		return info.Fn
	case info.Variant != nil:
		return info.Variant
	}
	if n, ok := types.Prune(info.Type).(*types.Named); ok {
		return n.Decl
	}
	return nil
}

// activeParam is the parameter that the argument at a position is for.
func activeParam(call *types.CallSite, at uint32, params int) int {
	i := 0
	for i < len(call.Call.Args) && endOf(call.Call.Args[i]) < at {
		i++
	}
	if i < len(call.Call.Args) {
		if name := call.Call.Args[i].Name.Text; name != "" {
			for j, p := range call.Params {
				if p.Name == name {
					return j
				}
			}
			return -1
		}
	}
	if i >= params {
		return -1
	}
	return i
}

func endOf(a syntax.Arg) uint32 { return a.Value.Span().End }
