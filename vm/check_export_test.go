//go:build checkedloop

package vm

import (
	"errors"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// CatchReports has the checking loop tell a function what does not fit, and end
// the task and not the process, until it is undone.
func CatchReports(hear func(text string)) (undo func()) {
	old := checkFailed
	checkFailed = func(text string) {
		hear(text)
		panic(errors.New(text))
	}
	return func() { checkFailed = old }
}

// Patch replaces a word of the code that runs; what the verifier has seen stays.
func (p *Program) Patch(word int, to uint64) { *(*uint64)(unsafe.Add(p.code, word*8)) = to }

// SetWords sets both words of a native's result, whatever it should be.
func (c *Call) SetWords(p unsafe.Pointer, n uint64) { c.SetValue(Value{p, n}) }

// NewInvalidStr makes a str that is not UTF-8.
func (c *Call) NewInvalidStr() Object {
	return newStrOf(bytecode.IDStr, "\xff").Object()
}

// Desc is the descriptor of a scalar type.
func (c *Call) Desc(id uint32) unsafe.Pointer { return c.w.prog.descList[id] }

// PutField, PutElem and PutEntry store what a builder would not.
func PutField(w StructWriter, i int, v Value)      { storeField(w.obj, &w.fields[i], v) }
func PutElem(w *ListWriter, v Value)               { pushElem(w.w, w.class, w.list, v) }
func PutEntry(c *Call, m *Map, key Value, v Value) { mapSet(c.w, m, key, v) }
