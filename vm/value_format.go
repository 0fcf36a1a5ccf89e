package vm

import (
	"math"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/lang/format"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// specs caches parsed format specs: programs have few, all written in their text.
var (
	specs     sync.Map // string -> format.Spec
	specCount atomic.Int32
)

const maxSpecs = 1000

func specOf(text string) format.Spec {
	if s, ok := specs.Load(text); ok {
		return s.(format.Spec)
	}
	s, err := format.Parse(text)
	if err != nil {
		throw(ErrValue, "%s", err.Error())
	}
	if specCount.Add(1) > maxSpecs { // a host may compile many programs
		specs.Clear()
		specCount.Store(0)
	}
	specs.Store(text, s)
	return s
}

// formatValue is the text of a value by a format spec, as in "${x:>8.2f}".
func formatValue(w *Worker, t *Task, id uint32, v Value, s format.Spec) *Str {
	kind, v := formatKind(t.w.prog, &id, v)
	if err := s.Fits(kind); err != nil {
		throw(ErrValue, "%s", err.Error())
	}
	var out []byte
	var signEnd int // length of the sign and prefix, behind which `=` pads
	switch {
	case kind == format.Text || s.Type == 's' || s.Type == '?':
		p := newPrinter(t, s.Type == '?')
		defer p.free()
		p.print(id, v)
		out = p.buf
		if s.Prec >= 0 {
			out = firstRunes(out, s.Prec)
		}
	case kind == format.Int && strings.IndexByte("eEfg%", s.Type) < 0:
		out, signEnd = specInt(s, v.Int())
	case kind == format.Int:
		out, signEnd = specFloat(s, float64(v.Int()))
	default:
		out, signEnd = specFloat(s, v.Float())
	}
	return pad(w, s, out, signEnd, kind)
}

// formatKind looks into any and optionals: the static type becomes that of
// the value in them.
func formatKind(prog *Program, id *uint32, v Value) (format.Kind, Value) {
	for {
		t := &prog.Types[*id]
		switch t.Kind {
		case bytecode.TInt:
			return format.Int, v
		case bytecode.TFloat:
			return format.Float, v
		case bytecode.TAny, bytecode.TInterface:
			if v.IsNone() {
				return format.Text, v
			}
			*id = v.TypeID()
		case bytecode.TOptional:
			if v.p == nil {
				return format.Text, v
			}
			if prog.Types[t.Elem].Kind == bytecode.TOptional {
				v = loadField(v.p, &t.Fields[0])
			}
			*id = t.Elem
		default:
			return format.Text, v
		}
	}
}

// firstRunes cuts a text to its first n characters.
func firstRunes(b []byte, n int) []byte {
	i := 0
	for ; n > 0 && i < len(b); n-- {
		_, size := utf8.DecodeRune(b[i:])
		i += size
	}
	return b[:i]
}

func appendSign(b []byte, s format.Spec, negative bool) []byte {
	switch {
	case negative:
		return append(b, '-')
	case s.Sign != '-':
		return append(b, s.Sign)
	}
	return b
}

func specInt(s format.Spec, x int64) (out []byte, signEnd int) {
	base, prefix, every := 10, "", 3
	switch s.Type {
	case 'x', 'X':
		base, prefix, every = 16, "0"+string(s.Type), 4
	case 'b':
		base, prefix, every = 2, "0b", 4
	case 'o':
		base, prefix, every = 8, "0o", 4
	}
	out = appendSign(out, s, x < 0)
	if s.Alt {
		out = append(out, prefix...)
	}
	magnitude := uint64(x)
	if x < 0 {
		magnitude = -magnitude
	}
	digits := strconv.FormatUint(magnitude, base)
	if s.Type == 'X' {
		digits = strings.ToUpper(digits)
	}
	return group(s, out, digits, every), len(out)
}

func specFloat(s format.Spec, f float64) (out []byte, signEnd int) {
	negative := math.Signbit(f) && f == f
	out = appendSign(out, s, negative)
	signEnd = len(out)
	f = math.Abs(f)
	if math.IsInf(f, 0) || f != f {
		return appendFloat(out, f), signEnd
	}
	var digits []byte
	switch verb, prec := s.Type, s.Prec; verb {
	case 0:
		if prec < 0 {
			digits = appendFloat(nil, f)
		} else {
			digits = strconv.AppendFloat(nil, f, 'f', prec, 64)
		}
	case '%':
		if prec < 0 {
			prec = 6
		}
		digits = append(strconv.AppendFloat(nil, f*100, 'f', prec, 64), '%')
	case 'g':
		if prec == 0 {
			prec = 1
		}
		digits = strconv.AppendFloat(nil, f, 'g', prec, 64)
	default:
		if prec < 0 {
			prec = 6
		}
		digits = strconv.AppendFloat(nil, f, verb, prec, 64)
	}
	whole := 0
	for whole < len(digits) && '0' <= digits[whole] && digits[whole] <= '9' {
		whole++
	}
	out = group(s, out, string(digits[:whole]), 3)
	return append(out, digits[whole:]...), signEnd
}

// group appends digits with separators between groups of so many.
func group(s format.Spec, out []byte, digits string, every int) []byte {
	if s.Group == 0 {
		return append(out, digits...)
	}
	for i := 0; i < len(digits); i++ {
		if i > 0 && (len(digits)-i)%every == 0 {
			out = append(out, s.Group)
		}
		out = append(out, digits[i])
	}
	return out
}

// pad fills a text to the spec's width.
func pad(w *Worker, s format.Spec, text []byte, signEnd int, kind format.Kind) *Str {
	missing := s.Width - utf8.RuneCount(text)
	if missing <= 0 {
		return newTextOfBytes(w, bytecode.IDStr, text)
	}
	align := s.Align
	if align == 0 {
		align = '<'
		if kind != format.Text && s.Type != 's' && s.Type != '?' {
			align = '>'
		}
	}
	at, before := 0, missing // where the text is split, and how much fill stands there
	after := 0
	switch align {
	case '<':
		before, after = 0, missing
	case '^':
		before, after = missing/2, missing-missing/2
	case '=':
		at = signEnd
	}
	fill := string(s.Fill)
	out, b := newText(w, bytecode.IDStr, len(text)+missing*len(fill))
	b = b[copy(b, text[:at]):]
	b = fillWith(b, fill, before)
	b = b[copy(b, text[at:]):]
	fillWith(b, fill, after)
	return out
}

func fillWith(b []byte, fill string, n int) []byte {
	for range n {
		b = b[copy(b, fill):]
	}
	return b
}
