//go:build checkedloop

package vm

import (
	"fmt"
	"os"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// The loop of -tags checkedloop is the interpreter's with a second wall: before
// each instruction it holds the registers against what the verifier knows there
// (whatever made the program), and the values that the instruction uses, and those
// that the one before has made, against their types. What does not fit is a defect
// of the compiler, of a native or of the interpreter, and ends the process.

// checkedProgram is what the verifier knows of a program.
type checkedProgram struct{ states *bytecode.States }

// checkedTask is the place of the instruction that a task has executed last.
type checkedTask struct {
	word, delta uint32
	known       bool
}

// forget is called when what comes next does not follow from what came last:
// an error has been caught, or the task has ended.
func (c *checkedTask) forget() { c.known = false }

// checkFailed is called with what does not fit. Tests replace it.
var checkFailed = func(text string) {
	fmt.Fprintln(os.Stderr, "runnel: the checking loop: "+text)
	os.Exit(86)
}

// watch has a program that is linked checked while it runs.
func (p *Program) watch() {
	if len(p.Funcs) == 0 {
		return // types alone, of a test
	}
	states, err := bytecode.StatesOf(p.Program)
	if err != nil {
		checkFailed(err.Error())
	}
	p.checked.states = states
}

// check looks at the instruction about to be executed. Words outside of
// functions, where hosts wait, have no state.
func (t *Task) check() {
	p := t.w.prog
	word := t.pc/8 - 1
	last := t.checked
	t.checked = checkedTask{word, t.delta, true}
	st := p.checked.states.At(word)
	c := checker{p: p, t: t, word: word}
	if st == nil {
		if p.FuncAt(word) != nil {
			c.report("the verifier knows of no way here")
		}
		return
	}
	c.arrived(st, last)
	c.when = "used"
	room := 0
	if c.op(word) == bytecode.CALLN {
		room = shallow
	}
	for _, r := range st.Needs {
		c.register(r, room)
	}
}

// How many values within one are looked at.
const (
	shallow = 4
	deep    = 64
)

// checker looks at the values at one instruction.
type checker struct {
	p    *Program
	t    *Task
	word uint32
	when string // what happens to the value, or "": it has been made by the instruction
	room int    // how many more values may be looked at
}

// arrived holds what the last instruction has made against its types, then the
// pointer words. What is not a helper's writes no register but the first it names.
func (c *checker) arrived(st *bytecode.State, last checkedTask) {
	states, here := c.p.checked.states, last.known && last.delta == c.t.delta
	switch before := states.At(last.word); {
	case c.word == st.Func.Start && !here:
		c.entered(st.Func, last.known)
	case !last.known || before == nil:
	case !here:
		if called := states.At(c.word - 1); called != nil && called.Func == st.Func && c.op(c.word) != bytecode.RUNDEFER && isCall(c.op(c.word-1)) && isReturn(c.op(last.word)) {
			c.made(called.Gives, c.word-1)
		}
	case before.Next == before.Target:
	case c.word == before.Next:
		c.made(before.Gives, last.word)
	case c.word == before.Target:
		c.made(before.Leaps, last.word)
	}
	if op := c.op(last.word); here && !bytecode.Ops[op].Call {
		c.registers(st, bytecode.AOf(c.p.Code[last.word])/16)
	} else {
		c.registers(st, all)
	}
}

// entered checks what a function has been given, by a host if not by a call.
func (c *checker) entered(f *bytecode.Func, called bool) {
	c.when = "given to the function"
	room := deep
	if called {
		room = shallow
	}
	for i, id := range f.Params {
		c.register(bytecode.RegType{Reg: uint16(i), Type: id}, room)
	}
	c.closure(f)
}

func isCall(op bytecode.Op) bool {
	return op == bytecode.CALL || op == bytecode.CALLC || op == bytecode.CALLI
}

func isReturn(op bytecode.Op) bool {
	return op == bytecode.RET || op == bytecode.RETI || op == bytecode.RETP || op == bytecode.RETV
}

// op is TRAP where hosts wait, behind the code.
func (c *checker) op(word uint32) bytecode.Op {
	if int(word) >= len(c.p.Code) {
		return bytecode.TRAP
	}
	return bytecode.OpOf(c.p.Code[word])
}

// made checks what an instruction has made.
func (c *checker) made(gives []bytecode.RegType, at uint32) {
	c.when = ""
	room := 0
	switch c.op(at) {
	case bytecode.CALLN, bytecode.RECV, bytecode.AWAIT:
		room = deep
	case bytecode.CALL, bytecode.CALLC, bytecode.CALLI:
		room = shallow
	}
	here := c.word
	c.word = at // is to blame
	for _, r := range gives {
		c.register(r, room)
	}
	c.word = here
}

// closure checks the one that runs.
func (c *checker) closure(f *bytecode.Func) {
	if len(f.Captures) == 0 {
		return
	}
	p := c.t.slot(c.t.delta - 16).p
	if p == nil || (*Header)(p).Type != f.Type || int((*Header)(p).Aux) >= len(c.p.Funcs) || &c.p.Funcs[(*Header)(p).Aux] != f {
		c.report("the closure that runs is %s", c.show(Value{p: p}))
		return
	}
	c.room = shallow
	if bad := c.fields(p, f.Captures); bad != "" {
		c.report("captured: %s", bad)
	}
}

// all registers.
const all = 1<<16 - 1

// registers holds the pointer words, or that of one register, against the verifier's
// types of objects.
func (c *checker) registers(st *bytecode.State, only uint16) {
	for _, r := range st.Regs {
		if only != all && only != r.Reg {
			continue
		}
		if v := *c.t.slot(c.t.delta + uint32(r.Reg)*16); v.p != nil && v.TypeID() != r.Type {
			c.report("register %d leads to %s, and the verifier takes it for %s", r.Reg, c.show(v), c.p.Types[r.Type].Name)
		}
	}
	for _, reg := range st.None {
		if v := *c.t.slot(c.t.delta + uint32(reg)*16); v.p != nil {
			c.report("register %d leads to %s, and the verifier takes it for none", reg, c.show(v))
		}
	}
}

// register holds a value against its type.
func (c *checker) register(r bytecode.RegType, room int) {
	c.room = room
	v := *c.t.slot(c.t.delta + uint32(r.Reg)*16)
	if bad := c.value(r.Type, v); bad != "" {
		c.report("register %d, %s: %s", r.Reg, c.source(), bad)
	}
}

// source tells where the value at hand comes from.
func (c *checker) source() string {
	switch op := c.op(c.word); {
	case c.when != "":
		return c.when
	case op == bytecode.CALLN:
		return "made by native " + c.p.Natives[bytecode.BOf(c.p.Code[c.word])].Name
	default:
		return "made by " + op.String()
	}
}

// show tells what a pointer word leads to.
func (c *checker) show(v Value) string {
	switch id := v.TypeID(); {
	case v.p == nil:
		return "none"
	case int(id) < len(c.p.Types) && c.p.Types[id].Rep == bytecode.RepI:
		return fmt.Sprintf("a scalar %s, %d", c.p.Types[id].Name, v.n)
	default:
		return "a " + c.p.nameOf(id)
	}
}

func (c *checker) report(format string, args ...any) {
	place := ""
	if f := c.p.FuncAt(c.word); f != nil {
		line, col := f.Place(c.word)
		place = fmt.Sprintf("%s:%d:%d, function %s, ", c.p.Files[f.File].Name, line, col, f.Name)
	}
	checkFailed(fmt.Sprintf("%sword %d, %v: ", place, c.word, c.op(c.word)) + fmt.Sprintf(format, args...))
}
