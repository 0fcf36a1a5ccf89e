package vm

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// OwnText returns the text of a value of a library struct, wherever it is
// shown. ok is false for a value that the library's functions never make: its
// fields are shown instead.
type OwnText func(f Fields) (text string, ok bool)

// ownText is an OwnText with the types of the fields that it reads.
type ownText struct {
	fields []string
	write  OwnText
}

// ownTexts are those of the prelude's structs, by qualified name.
var ownTexts = map[string]ownText{"core.range": {[]string{"int", "int", "int"}, rangeText}}

// Text says how values of a struct that the module declares are shown. fields
// are the types of its fields: "int", "bytes", or a struct of such fields that
// has its own Text, such as "big.Int".
func (m *Module) Text(name string, fields []string, write OwnText) {
	if m.texts == nil {
		m.texts = map[string]ownText{}
	}
	m.texts[name] = ownText{fields, write}
}

// linkTexts finds the types of the program that have a text of their own.
func (p *Program) linkTexts() {
	for i := range p.Types {
		if write := p.ownText(&p.Types[i]); write != nil {
			if p.texts == nil {
				p.texts = make([]OwnText, len(p.Types))
			}
			p.texts[i] = write
		}
	}
}

// ownText returns what writes a type: its fields are looked at, as a program may have been damaged.
func (p *Program) ownText(t *bytecode.Type) OwnText {
	if t.Kind != bytecode.TStruct || t.Decl == "" {
		return nil
	}
	of := p.textNamed(t.Decl)
	if of.write == nil || len(t.Fields) != len(of.fields) {
		return nil
	}
	for i, name := range of.fields {
		id := t.Fields[i].Type
		if !isPlainField(id, name) && !p.isPlainStruct(&p.Types[id], name) {
			return nil
		}
	}
	return of.write
}

func (p *Program) textNamed(decl string) ownText {
	if of, ok := ownTexts[decl]; ok {
		return of
	}
	return p.modules.text(decl)
}

func isPlainField(id uint32, name string) bool {
	return name == "int" && id == bytecode.IDInt || name == "bytes" && id == bytecode.IDBytes
}

// isPlainStruct reports whether a type is the struct of a name, with the fields that its text reads.
func (p *Program) isPlainStruct(t *bytecode.Type, name string) bool {
	fields := p.textNamed(name).fields
	if t.Kind != bytecode.TStruct || t.Decl != name || len(fields) == 0 || len(t.Fields) != len(fields) {
		return false
	}
	for i := range fields {
		if !isPlainField(t.Fields[i].Type, fields[i]) {
			return false
		}
	}
	return true
}

// Fields are the fields of a value that an OwnText writes.
type Fields struct {
	prog *Program
	task *Task
	t    *bytecode.Type
	obj  unsafe.Pointer
}

// Int returns field i, an int.
func (f Fields) Int(i int) int64 { return int64(loadField(f.obj, &f.t.Fields[i]).n) }

// Bytes returns field i, a bytes.
func (f Fields) Bytes(i int) string { return textOf(loadField(f.obj, &f.t.Fields[i])).String() }

// Struct returns the fields of field i, a struct.
func (f Fields) Struct(i int) Fields {
	field := &f.t.Fields[i]
	return Fields{f.prog, f.task, &f.prog.Types[field.Type], notNil(loadField(f.obj, field).p)}
}

// Call returns the Call that the text is charged to. It is nil for a text in a
// message, which is not charged and must be cheap.
func (f Fields) Call() *Call {
	if f.task == nil {
		return nil
	}
	return &Call{t: f.task, w: f.task.w}
}

// own writes a value by its type's OwnText.
func (p *printer) own(write OwnText, t *bytecode.Type, obj unsafe.Pointer) bool {
	var before int64
	if p.task != nil {
		before = p.task.w.nativeBytes
	}
	text, ok := write(Fields{p.prog, p.task, t, obj})
	if p.task != nil {
		p.charged += int(p.task.w.nativeBytes - before)
	}
	if ok {
		p.pieces(text, 1, func(b []byte, s string) []byte { return append(b, s...) })
	}
	return ok
}

// rangeText shows a range as it is written.
func rangeText(f Fields) (string, bool) {
	start, end, step := f.Int(0), f.Int(1), f.Int(2)
	switch {
	case step == 1:
		return fmt.Sprintf("%d..%d", start, end), true
	case step > 1:
		return fmt.Sprintf("(%d..%d).step_by(%d)", start, end, step), true
	case step == -1 && start < math.MaxInt64 && end < math.MaxInt64:
		return fmt.Sprintf("(%d..%d).reverse()", end+1, start+1), true
	}
	return "", false
}
