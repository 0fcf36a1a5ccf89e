package vm

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// toStr is the text of a value of a static type: what print, str(x) and
// interpolation show. A str is itself.
func toStr(w *Worker, t *Task, id uint32, v Value) *Str {
	typ := &t.w.prog.Types[id]
	switch typ.Kind {
	case bytecode.TStr:
		return textOf(v)
	case bytecode.TAny, bytecode.TInterface, bytecode.TOptional:
		if s := plainStr(v); s != nil {
			return s
		}
	}
	var buf [64]byte
	if b, ok := appendScalar(buf[:0], t.w.prog, id, v); ok {
		return newTextOfBytes(w, bytecode.IDStr, b)
	}
	p := newPrinter(t, false)
	p.print(id, v)
	s := newTextOfBytes(w, bytecode.IDStr, p.buf)
	p.free()
	return s
}

// plainStr returns the str that a value with a type of its own is.
func plainStr(v Value) *Str {
	if v.p != nil && v.p != noneInAny && (*Header)(v.p).Type == bytecode.IDStr {
		return (*Str)(v.p)
	}
	return nil
}

// display is the text of a value in a message, cut when it is long.
func (t *Task) display(id uint32, v Value) string {
	const most = 100
	return displayed(t.w.prog, id, v, most)
}

// displayed is the text of a value with texts in quotes, cut when it has more than
// so many bytes.
func displayed(prog *Program, id uint32, v Value, most int) string {
	p := printer{prog: prog, limit: most, nested: true}
	return p.short(id, v)
}

// Display returns the text of a value of a type, with texts in quotes, cut when it
// has more than so many bytes.
func (c *Call) Display(id uint32, v Value, most int) string { return displayed(c.w.prog, id, v, most) }

// printer writes values without recursion: frames are the objects being
// written, outermost first.
type printer struct {
	prog    *Program
	task    *Task // pays for work and memory; nil: limit bounds it
	limit   int
	buf     []byte
	paid    int
	nested  bool     // texts in quotes
	folds   bool     // long ones are shown in part
	asks    *showing // for texts of values that show themselves
	frames  []printFrame
	onPath  map[unsafe.Pointer]struct{} // the objects of frames, once these are many
	most    int                         // depth that has been paid for in onPath
	charged int                         // by charge, until release
}

// printFrame is an object of which i of n parts are written.
type printFrame struct {
	t      *bytecode.Type
	obj    unsafe.Pointer
	fields []bytecode.Field
	back   *backing
	i, n   int
	more   int // parts behind the n that are not shown
	close  string
	comma  bool
}

// printers keeps some with their buffers.
var printers = sync.Pool{New: func() any { return new(printer) }}

func newPrinter(t *Task, nested bool) *printer {
	p := printers.Get().(*printer)
	*p = printer{prog: t.w.prog, task: t, nested: nested, buf: p.buf[:0], frames: p.frames[:0]}
	return p
}

// maxKept bounds the buffer of a printer that is kept.
const maxKept = 64 << 10

// free gives a printer back whose text has been copied. One that was left
// because of an error is not given back.
func (p *printer) free() {
	p.release()
	if cap(p.buf) <= maxKept && cap(p.frames) <= manyFrames {
		p.prog, p.task, p.onPath, p.asks = nil, nil, nil, nil
		printers.Put(p)
	}
}

func (p *printer) print(id uint32, v Value) {
	p.paid = cap(p.buf)
	p.value(id, v)
	for len(p.frames) > 0 && (p.task != nil || len(p.buf) <= p.limit) {
		p.step()
	}
	p.pay()
}

// charge pays for memory until the printer is done.
func (p *printer) charge(n int) {
	p.task.w.chargeNative(n)
	p.charged += n
}

// release gives back what charge has charged.
func (p *printer) release() {
	if p.task != nil {
		p.task.w.nativeBytes -= int64(p.charged)
		p.charged = 0
	}
}

// pay charges what the buffer has grown by.
func (p *printer) pay() {
	if p.task == nil || len(p.buf) <= p.paid {
		return
	}
	if cap(p.buf) > maxObject {
		p.task.w.checkSize(cap(p.buf))
	}
	p.charge(cap(p.buf) - p.paid)
	p.paid = cap(p.buf)
}

// enter begins an object with parts, unless it is one of those being written.
func (p *printer) enter(f printFrame, open string) {
	if p.visiting(f.obj) {
		p.text("...")
		return
	}
	p.text(open)
	p.deepen()
	p.frames = append(p.frames, f)
	if p.onPath != nil {
		p.onPath[f.obj] = struct{}{}
	}
	p.nested = true
}

// deepen pays for one more frame.
func (p *printer) deepen() {
	n := len(p.frames)
	if p.task == nil || n < manyFrames {
		return
	}
	if n == cap(p.frames) {
		p.charge(2 * n * int(unsafe.Sizeof(printFrame{})))
		p.frames = slices.Grow(p.frames, n)
	}
	if n > p.most {
		p.most = n
		p.charge(onPathSize)
	}
}

// onPathSize is what an entry of onPath takes while the map grows.
const onPathSize = 48

// manyFrames is the depth from which a set finds objects on the path.
const manyFrames = 32

func (p *printer) visiting(obj unsafe.Pointer) bool {
	if p.onPath != nil {
		_, ok := p.onPath[obj]
		return ok
	}
	for i := range p.frames {
		if p.frames[i].obj == obj {
			return true
		}
	}
	if len(p.frames) == manyFrames {
		p.onPath = map[unsafe.Pointer]struct{}{}
		for i := range p.frames {
			p.onPath[p.frames[i].obj] = struct{}{}
		}
	}
	return false
}

func (p *printer) leave(f *printFrame) {
	if f.more > 0 {
		p.text(", ")
		p.more(f.more, "")
	}
	p.text(f.close)
	if p.onPath != nil {
		delete(p.onPath, f.obj)
	}
	*f = printFrame{}
	p.frames = p.frames[:len(p.frames)-1]
}

func (p *printer) text(s string) { p.buf = append(p.buf, s...) }

// room pays for a long text that is about to be written.
func (p *printer) room(n int) {
	if p.task == nil {
		return
	}
	p.task.steps(int64(bulk(n)))
	if free := cap(p.buf) - len(p.buf); free < n {
		if n += cap(p.buf) / 4; n > maxObject {
			n = maxObject + 1
		}
		p.task.w.checkSize(len(p.buf) + n)
		p.charge(len(p.buf) + n - min(p.paid, len(p.buf)+n))
		p.buf = slices.Grow(p.buf, n)
		p.paid = cap(p.buf)
	}
}

// piece is how much of a long text is written at once.
const piece = 4 << 10

// pieces writes a text in pieces that are paid for before; each byte becomes at
// most times of them. Of a text in a message, which is cut, the start is enough.
func (p *printer) pieces(s string, times int, write func(b []byte, s string) []byte) {
	for len(s) > piece && (p.task != nil || len(p.buf) <= p.limit) {
		n := piece
		for n > piece-utf8.UTFMax && !utf8.RuneStart(s[n]) {
			n--
		}
		if s[n] == '{' && s[n-1] == '$' {
			n--
		}
		p.room(times * n)
		p.buf = write(p.buf, s[:n])
		s = s[n:]
	}
	if len(s) > piece {
		return // it is cut
	}
	p.buf = write(p.buf, s)
}

// step writes the next part of the innermost object.
func (p *printer) step() {
	if p.task != nil {
		p.task.steps(1)
		if len(p.buf) > p.paid+1024 {
			p.pay()
		}
	}
	if p.asks != nil && p.asks.texts == nil {
		p.buf = p.buf[:0] // only who shows itself is wanted
	}
	f := &p.frames[len(p.frames)-1]
	switch f.t.Kind {
	case bytecode.TMap, bytecode.TSet:
		p.entry(f)
		return
	}
	if f.i == f.n {
		p.leave(f)
		return
	}
	i := f.i
	f.i++
	if f.fields != nil && f.fields[i].Hidden() {
		return
	}
	if f.comma {
		p.text(", ")
	}
	f.comma = true
	if f.t.Kind == bytecode.TList {
		p.value(f.t.Elem, f.back.load(classOf(&p.prog.Types[f.t.Elem]), i))
		return
	}
	field := &f.fields[i]
	if field.Name != "" && f.t.Kind != bytecode.TTuple {
		p.text(field.Name)
		p.text(": ")
	}
	p.value(field.Type, loadField(f.obj, field))
}

// entry writes the next entry of a map or set.
func (p *printer) entry(f *printFrame) {
	next, key, val, ok := mapNext((*Map)(f.obj), f.i)
	if f.n--; !ok || f.n < 0 {
		p.leave(f)
		return
	}
	f.i = next
	if f.comma {
		p.text(", ")
	}
	f.comma = true
	t := f.t
	p.key(t.Key, key)
	if t.Kind == bytecode.TMap {
		p.text(": ")
		p.value(t.Elem, val)
	}
}

// key writes a map key as a whole: keys are finite, but can have parts.
func (p *printer) key(id uint32, key Value) {
	if isLeaf(&p.prog.Types[id]) {
		p.value(id, key)
		return
	}
	sub := printer{prog: p.prog, task: p.task, limit: p.limit, nested: true, folds: p.folds, asks: p.asks}
	sub.print(id, key)
	p.buf = append(p.buf, sub.buf...)
	sub.release()
}

// value writes a value without parts, or enters one with parts.
func (p *printer) value(id uint32, v Value) {
	if p.asks != nil && p.asked(id, v) {
		return
	}
	b, ok := appendScalar(p.buf, p.prog, id, v)
	if ok {
		p.buf = b
		return
	}
	t := &p.prog.Types[id]
	switch t.Kind {
	case bytecode.TStr:
		p.strValue(textOf(v).String())
	case bytecode.TBytes:
		p.bytesValue(textOf(v).String())
	case bytecode.TAny, bytecode.TInterface:
		p.value(v.TypeID(), v)
	case bytecode.TOptional:
		switch {
		case p.prog.Types[t.Elem].Kind == bytecode.TOptional:
			p.value(t.Elem, loadField(v.p, &t.Fields[0]))
		default:
			p.value(t.Elem, v)
		}
	default:
		p.object(id, t, v)
	}
}

// appendScalar writes a value without a heap object: numbers, none, variants
// of plain enums.
func appendScalar(b []byte, prog *Program, id uint32, v Value) (out []byte, ok bool) {
	t := &prog.Types[id]
	switch t.Kind {
	case bytecode.TAny, bytecode.TInterface:
		if v.IsNone() {
			return append(b, "none"...), true
		}
		t = &prog.Types[v.TypeID()]
	case bytecode.TOptional:
		if v.p == nil {
			return append(b, "none"...), true
		}
		t = &prog.Types[t.Elem]
	}
	switch t.Kind {
	case bytecode.TInt:
		b = strconv.AppendInt(b, v.Int(), 10)
	case bytecode.TFloat:
		b = appendFloat(b, v.Float())
	case bytecode.TBool:
		b = strconv.AppendBool(b, v.Bool())
	case bytecode.TDuration:
		b = appendDuration(b, v.Int())
	case bytecode.TUnit:
		b = append(b, "()"...)
	case bytecode.TNone:
		b = append(b, "none"...)
	case bytecode.TEnum:
		if !t.Plain() {
			return b, false
		}
		if v.n >= uint64(len(t.Variants)) {
			notNil(nil)
		}
		b = append(b, t.Variants[v.n].Name...)
	default:
		return b, false
	}
	return b, true
}

func (p *printer) strValue(s string) {
	if p.nested {
		s, more := p.beginning(s)
		p.text(`"`)
		p.pieces(s, quotedSize, appendEscaped)
		p.text(`"`)
		p.cutText(more)
	} else {
		p.pieces(s, 1, func(b []byte, s string) []byte { return append(b, s...) })
	}
}

func (p *printer) bytesValue(s string) {
	s, more := p.beginning(s)
	p.text(`b"`)
	p.pieces(s, quotedSize, appendByteEscaped)
	p.text(`"`)
	p.cutText(more)
}

func (p *printer) object(id uint32, t *bytecode.Type, v Value) {
	obj := notNil(v.p)
	if p.prog.texts != nil && p.prog.texts[id] != nil && p.own(p.prog.texts[id], t, obj) {
		return
	}
	f := printFrame{t: t, obj: obj, close: ")"}
	switch t.Kind {
	case bytecode.TBuffer:
		p.text("buffer(")
		p.bytesValue(viewOf((*List)(obj).b.bytes()))
		p.text(")")
	case bytecode.TList:
		f.back = (*List)(obj).b
		f.n, f.close = p.fold(f.back.n, shownParts[:]), "]"
		f.more = f.back.n - f.n
		p.enter(f, "[")
	case bytecode.TMap, bytecode.TSet:
		n := mapLen((*Map)(obj))
		f.n = p.fold(n, shownParts[:])
		f.more = n - f.n
		if t.Kind == bytecode.TSet {
			p.enter(f, "set(")
			return
		}
		f.close = "}"
		p.enter(f, "{")
	case bytecode.TTuple, bytecode.TStruct:
		f.fields, f.n = t.Fields, len(t.Fields)
		if t.Kind == bytecode.TTuple {
			p.enter(f, "(")
		} else {
			p.enter(f, bareName(t.Name)+"(")
		}
	case bytecode.TEnum:
		variant := variantOf(t, (*Header)(obj).Aux)
		if len(variant.Fields) == 0 {
			p.text(variant.Name)
			return
		}
		f.fields, f.n = variant.Fields, len(variant.Fields)
		p.enter(f, variant.Name+"(")
	case bytecode.TFunc:
		name := "fn"
		if i := (*Header)(obj).Aux; int(i) < len(p.prog.Funcs) {
			name = p.prog.Funcs[i].Name
		}
		p.text("<fn " + strings.TrimPrefix(name, "fn ") + ">")
	default:
		p.text("<" + bareName(t.Name) + ">")
	}
}

// bareName is a type's name without its type arguments.
func bareName(name string) string {
	if i := strings.IndexByte(name, '<'); i > 0 {
		return name[:i]
	}
	return name
}

// appendFloat writes the shortest text that reads back as f: `3.0`, `0.1`, `1e21`.
func appendFloat(b []byte, f float64) []byte {
	switch {
	case f != f:
		return append(b, "nan"...)
	case math.IsInf(f, 0):
		if f < 0 {
			b = append(b, '-')
		}
		return append(b, "inf"...)
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		start := len(b)
		b = strconv.AppendFloat(b, f, 'e', -1, 64)
		return shortExponent(b, start)
	}
	start := len(b)
	b = strconv.AppendFloat(b, f, 'f', -1, 64)
	for _, c := range b[start:] {
		if c == '.' {
			return b
		}
	}
	return append(b, '.', '0')
}

// formatFloat is a float as text.
func formatFloat(f float64) string { return string(appendFloat(nil, f)) }

// shortExponent turns 1e+06 into 1e6 and 1e-07 into 1e-7, in b[start:].
func shortExponent(b []byte, start int) []byte {
	for i := start; i < len(b); i++ {
		if b[i] != 'e' {
			continue
		}
		j := i + 1
		out := b[:j]
		if b[j] == '-' {
			out = append(out, '-')
		}
		for j++; j < len(b)-1 && b[j] == '0'; j++ {
		}
		return append(out, b[j:]...)
	}
	return b
}

// appendDuration writes a duration as a script writes it: `1.5s`, `1h30m`, `10us`.
func appendDuration(b []byte, ns int64) []byte {
	s := time.Duration(ns).String()
	s = strings.Replace(s, "µ", "u", 1)
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return append(b, s...)
}

// appendQuoted writes a str as a literal.
func appendQuoted(b []byte, s string) []byte {
	return append(appendEscaped(append(b, '"'), s), '"')
}

// quotedSize is how many bytes one byte of a text becomes at most.
const quotedSize = 6

// appendEscaped writes what stands between the quotes.
func appendEscaped(b []byte, s string) []byte {
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '$' && i+1 < len(s) && s[i+1] == '{':
			b = append(b, '\\', '$')
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\t':
			b = append(b, '\\', 't')
		case r == '\r':
			b = append(b, '\\', 'r')
		case r == 0:
			b = append(b, '\\', '0')
		case !unicode.IsPrint(r):
			b = fmt.Appendf(b, "\\u{%x}", r)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}

// appendByteEscaped writes what stands between the quotes of a bytes literal.
func appendByteEscaped(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\t':
			b = append(b, '\\', 't')
		case c == '\r':
			b = append(b, '\\', 'r')
		case c < ' ' || c > '~':
			b = fmt.Appendf(b, "\\x%02x", c)
		default:
			b = append(b, c)
		}
	}
	return b
}
