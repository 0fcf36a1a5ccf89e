package vm

import (
	"fmt"
	"iter"
	"math"
	"strings"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Native implements a `native fn` of the library. It reads its arguments from
// the Call and sets at most one result. It does O(1) work or charges
// Call.Steps for each element; it charges Call.Charge before it allocates for
// the script (the New... methods do so themselves). It raises errors with
// Throw, which does not return.
type Native func(c *Call)

// natives of the language itself by qualified name: "list.push", "core.print".
var natives = map[string]Native{}

// registerNative makes a native function of the language known. Called from
// init functions; those of modules are in a Module.
func registerNative(name string, fn Native) {
	if _, dup := natives[name]; dup {
		panic("vm: native " + name + " registered twice")
	}
	natives[name] = fn
}

// Call is a native function's view of the script. It is valid only during the call.
type Call struct {
	t    *Task
	w    *Worker
	base unsafe.Pointer // *Value: the arguments, then free slots
	ref  *bytecode.NativeRef
	next *Task // when the native has suspended its task: who runs now

	// Depth of the value being moved to or from Go: see package bind.
	Depth int
}

func (c *Call) arg(i int) *Value { return (*Value)(unsafe.Add(c.base, i*16)) }

// The arguments. Their types are guaranteed by the checker and the verifier;
// methods that read an object check its header nevertheless, so that a mistake
// of theirs ends the script and not the process.
func (c *Call) Int(i int) int64     { return int64(c.arg(i).n) }
func (c *Call) Float(i int) float64 { return math.Float64frombits(c.arg(i).n) }
func (c *Call) Bool(i int) bool     { return c.arg(i).n&1 != 0 }

// Value returns an argument of any type.
func (c *Call) Value(i int) Value {
	v := c.arg(i)
	if v.p != nil && (*Header)(v.p).Type != c.ref.Params[i] {
		c.otherValue(i)
	}
	return *v
}

// otherValue is what Value does when the pointer word is not an object of just the
// type that is declared: it may not count, or be that of an any.
//
//go:noinline
func (c *Call) otherValue(i int) {
	if c.Type(c.ref.Params[i]).Rep == bytecode.RepP {
		c.mustFit(i)
	}
}

// ptr is Object as an address.
func (c *Call) ptr(i int) unsafe.Pointer {
	p := c.arg(i).p
	if p == nil || (*Header)(p).Type != c.ref.Params[i] {
		c.mustFit(i)
	}
	return p
}

// mustFit is what ptr does when an argument is not an object of just the type
// that is declared: that may be optional, or any.
//
//go:noinline
func (c *Call) mustFit(i int) {
	if !c.w.prog.fits(c.ref.Params[i], Value{p: notNil(c.arg(i).p), n: c.arg(i).n}) {
		c.wrongType(i)
	}
}

// optPtr is OptObject as an address.
func (c *Call) optPtr(i int) unsafe.Pointer {
	p := c.arg(i).p
	if p != nil {
		c.mustFit(i)
	}
	return p
}

// Str returns a str or bytes argument as a Go string that views it.
func (c *Call) Str(i int) string  { return (*Str)(c.ptr(i)).String() }
func (c *Call) StrObj(i int) *Str { return (*Str)(c.ptr(i)) }
func (c *Call) List(i int) *List  { return (*List)(c.ptr(i)) }
func (c *Call) Map(i int) *Map    { return (*Map)(c.ptr(i)) }

// Results.
func (c *Call) SetInt(v int64)          { c.arg(0).n = uint64(v) }
func (c *Call) SetFloat(v float64)      { c.arg(0).n = math.Float64bits(v) }
func (c *Call) setPtr(p unsafe.Pointer) { c.arg(0).p = p }
func (c *Call) SetValue(v Value)        { *c.arg(0) = v }
func (c *Call) SetBool(v bool) {
	n := uint64(0)
	if v {
		n = 1
	}
	c.arg(0).n = n
}

// SetStr copies text into a new str.
func (c *Call) SetStr(text string) { c.setPtr(unsafe.Pointer(c.NewStr(text))) }

// SetNone sets the none of any optional type.
func (c *Call) SetNone() { *c.arg(0) = Value{} }

// SetSome sets an optional scalar or reference result to a value of its
// element type (a Value whose relevant words are set).
func (c *Call) SetSome(v Value) { c.SetValue(c.w.prog.some(c.ref.Result, v)) }

// NewStr makes a str, charged. Invalid UTF-8 in a text from outside, such as a
// header or the name of a file, is replaced by U+FFFD.
func (c *Call) NewStr(text string) *Str {
	if !utf8.ValidString(text) {
		c.Charge(3 * len(text))
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	c.w.charge(strSize(len(text)))
	return newStrOf(bytecode.IDStr, text)
}

// NewBytes makes a bytes, charged.
func (c *Call) NewBytes(data string) *Str {
	c.w.charge(strSize(len(data)))
	return newStrOf(bytecode.IDBytes, data)
}

// AllocStr makes a str of n bytes to be filled at once, charged.
func (c *Call) AllocStr(n int) (*Str, []byte) {
	c.w.charge(strSize(n))
	return allocStr(bytecode.IDStr, n)
}

// Charge charges n bytes about to be allocated outside the script's objects
// (the New... methods charge for those): they count as in use until the call
// returns. Objects made earlier in the same call must be kept reachable with
// Pin.
func (c *Call) Charge(n int) { c.w.chargeNative(n) }

// pin is Pin of an address.
func (c *Call) pin(p unsafe.Pointer) { c.w.pins = append(c.w.pins, p) }

// Steps charges n steps of work; it throws when the step limit is reached.
func (c *Call) Steps(n int) {
	if c.t == nil {
		c.w.external.steps(c.w, n)
		return
	}
	c.t.steps(int64(n))
}

// Heed throws if the task has to end, and lets memory be traced and other tasks
// run. A native calls it about every millisecond of work that it has charged in
// advance; if it charges as it goes, Steps does the same.
func (c *Call) Heed() {
	if c.t != nil {
		c.w.long += heedSteps
		c.t.look(0)
		c.t.giveWay()
	}
}

// heedSteps is how many steps the work between two calls of Heed stands for, about.
const heedSteps = 10_000

// pieceSize is how much of a text is gone through without a look at what is asked
// of the task: less than a millisecond of work.
const pieceSize = 64 << 10

// Pieces yields a text in pieces of whole characters, and calls Heed between them.
func (c *Call) Pieces(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(text) > pieceSize {
			n := wholeChars(text, pieceSize)
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
			c.Heed()
		}
		yield(text)
	}
}

// wholeChars is a length of at most n that cuts no character of a text.
func wholeChars(text string, n int) int {
	for i := n; i > n-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			return i
		}
	}
	return n // it is not UTF-8
}

// Elapsed returns the time on the clock by which the instance's tasks wait. It
// is monotonic, does not jump when the system clock is set, and needs no grant
// of the host: the library measures waiting times with it.
func (c *Call) Elapsed() time.Duration { return c.w.inst.sched.Now() }

// Type returns a type of this program by id.
func (c *Call) Type(id uint32) *bytecode.Type { return &c.w.prog.Types[id] }

// Ref returns the type arguments, parameter types and result type of this call.
func (c *Call) Ref() *bytecode.NativeRef { return c.ref }

// Instance returns the instance the call runs in.
func (c *Call) Instance() *Instance { return c.w.inst }

// Throw raises a runtime error at the calling line. It does not return.
func (c *Call) Throw(kind ErrKind, format string, args ...any) {
	text := ""
	if kind == ErrAssert { // it is the script's own
		text = fmt.Sprintf(format, args...)
	} else {
		text = message(format, args)
	}
	panic(&thrown{kind: kind, text: text})
}
