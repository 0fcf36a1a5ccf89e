//go:build checkedloop

package vm_test

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
	bc "github.com/runnel-lang/runnel/vm/bytecode"
	"github.com/runnel-lang/runnel/vm/host"
)

// reportsOf runs a program, changed by whatever a test wants wrong with it, and
// gives what the checking loop has to say.
func reportsOf(t *testing.T, src string, module *runnel.Module, compiled func(*bc.Program), linked func(*vm.Program)) string {
	t.Helper()
	var mu sync.Mutex
	var reports []string
	defer vm.CatchReports(func(text string) {
		mu.Lock()
		defer mu.Unlock()
		reports = append(reports, text)
	})()
	list := append(all.Modules(), module)
	rt, err := runnel.New(runnel.WithModules(list...))
	require.NoError(t, err)
	p, err := rt.Compile("main.rnl", src)
	require.NoError(t, err)
	if compiled != nil {
		compiled(p.Code)
	}
	func() {
		defer func() { _ = recover() }() // a program that is refused
		modules := vm.Modules{}
		modules.Add(list...)
		prog, err := vm.Link(p.Code, modules)
		require.NoError(t, err)
		if linked != nil {
			linked(prog)
		}
		in := vm.NewInstance(prog, vm.Config{Host: &host.Host{Stdout: io.Discard}})
		defer in.Close()
		_ = in.Start(context.Background())
	}()
	return strings.Join(reports, "\n")
}

// instruction finds the n-th instruction of an opcode in a function.
func instruction(t *testing.T, p *bc.Program, function string, op bc.Op, n int) int {
	t.Helper()
	for i := range p.Funcs {
		f := &p.Funcs[i]
		for at := f.Start; f.Name == function && at < f.End; at++ {
			if bc.OpOf(p.Code[at]) == op {
				if n == 0 {
					return int(at)
				}
				n--
			}
			if bc.Ops[bc.OpOf(p.Code[at])].Word {
				at++
			}
		}
	}
	t.Fatalf("there is no %v in %s", op, function)
	return 0
}

// What natives give against their declaration is told, at the line of the call.
func TestTheCheckingLoopReportsNativesThatGiveWrongValues(t *testing.T) {
	list := func(c *vm.Call) vm.ListWriter { // of the type of the first argument
		return c.NewList(c.Ref().Params[0], 1)
	}
	cases := []struct {
		name, result string
		native       vm.Native
		want         string
	}{
		{"a list for a str", "str", func(c *vm.Call) { l := list(c); c.SetObject(l.Object()) }, "expected str, found a [int]"},
		{"nothing for a str", "str", func(c *vm.Call) { c.SetObject(vm.Object{}) }, "expected str, found none"},
		{"bytes for a str", "str", func(c *vm.Call) { c.SetObject(c.NewBytes("x").Object()) }, "expected str, found a bytes"},
		{"a str that is not UTF-8", "str", func(c *vm.Call) { c.SetObject(c.NewInvalidStr()) }, `a str is not UTF-8: "\xff"`},
		{"2 for a bool", "bool", func(c *vm.Call) { c.SetInt(2) }, "expected bool, found 2"},
		{"a tag that there is not", "Color", func(c *vm.Call) { c.SetInt(3) }, "expected Color, found 3"},
		{"a str for an int?", "int?", func(c *vm.Call) { c.SetObject(c.NewStr("x").Object()) }, "expected int?, found a str"},
		{"a float for an int?", "int?", func(c *vm.Call) { c.SetWords(c.Desc(bc.IDFloat), 1) }, "expected int?, found a scalar float, 1"},
		{"2 for a bool?", "bool?", func(c *vm.Call) { c.SetWords(c.Desc(bc.IDBool), 2) }, "expected bool?, found a scalar bool, 2"},
		{"nothing for an any", "any", func(c *vm.Call) { c.SetWords(nil, 1) }, "expected any, found none"},
		{"an int in a list of strs", "[str]", func(c *vm.Call) {
			l := c.NewList(c.Ref().Result, 1)
			inner := list(c)
			vm.PutElem(&l, inner.Value())
			c.SetObject(l.Object())
		}, "element 0 of [str]: expected str, found a [int]"},
		{"a list in a map of strs", "map<int, str>", func(c *vm.Call) {
			m := c.NewMap(c.Ref().Result)
			inner := list(c)
			vm.PutEntry(c, m, vm.IntValue(1), inner.Value())
			c.SetObject(m.Object())
		}, "an entry of map<int, str>: expected str, found a [int]"},
		{"a struct without its text", "Point", func(c *vm.Call) { w := c.NewStruct(c.Ref().Result); c.SetObject(w.Object()) }, "field 1 (name): expected str, found none"},
		{"a variant with a wrong part", "Shape", func(c *vm.Call) {
			p := c.NewVariant(c.Ref().Result, 1)
			vm.PutField(p, 0, c.NewBytes("x").Value())
			c.SetObject(p.Object())
		}, "expected str, found a bytes"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			m := vm.NewModule("wrong", `/// Gives what it does not say.

/// A color.
pub enum Color { Red, Green }

/// A point.
pub struct Point { x: int, name: str }

/// A shape.
pub enum Shape { Dot, Named(name: str) }

/// Gives it.
pub native fn give(of: [int]) -> `+tc.result+"\n")
			m.Signatures = map[string]bc.Signature{"give": "(list<int>) T"}
			m.Native("give", tc.native)
			src := "import wrong\n\nfn f() { let x = wrong.give([1]) }\nf()"
			require.Regexp(t, `^main\.rnl:3:\d+, function f, word \d+, CALLN: register \d+, made by native wrong.give: .*`, reportsOf(t, src, m, nil, nil))
			require.Contains(t, reportsOf(t, src, m, nil, nil), tc.want)
		})
	}
}

// A register that is not what the verifier takes it for is told: here the code
// that runs is changed behind its back, as a defect of the interpreter would.
func TestTheCheckingLoopReportsRegistersOfAnotherType(t *testing.T) {
	none := vm.NewModule("none", "/// Nothing.\n")
	src := `fn f(a: str, b: [int]) -> int {
  let c = a
  let d = b
  c.len() + d.len()
}
f("x", [1])`
	require.Empty(t, reportsOf(t, src, none, nil, nil))
	got := reportsOf(t, src, none, nil, func(p *vm.Program) {
		at := instruction(t, p.Program, "f", bc.MOVP, 0)
		w := p.Code[at]
		p.Patch(at, bc.Instr(bc.MOVP, 0, bc.AOf(w), 16, 0)) // b and not a
	})
	require.Contains(t, got, "main.rnl:")
	require.Regexp(t, `function f, word \d+, \w+: register \d+ leads to a \[int\], and the verifier takes it for str`, got)

	got = reportsOf(t, `fn f(n: int) -> bool { n == 1 }
if f(1) { print("yes") }`, none, nil, func(p *vm.Program) {
		at := instruction(t, p.Program, "f", bc.RETI, 0)
		for at--; bc.OpOf(p.Code[at]) != bc.JEQI && bc.OpOf(p.Code[at]) != bc.LDI && bc.OpOf(p.Code[at]) != bc.EQ; at-- {
		}
		p.Patch(at, bc.WithK(bc.Instr(bc.LDI, 0, bc.AOf(p.Code[at]), 0, 0), 7))
	})
	require.Contains(t, got, "expected bool, found 7")
}

// A compiler that forgets the type of a register, or adds texts as if they were
// numbers, is told of before anything runs.
func TestTheCheckingLoopReportsCodeThatTheVerifierRefuses(t *testing.T) {
	none := vm.NewModule("none", "/// Nothing.\n")
	src := `fn f(a: str, b: str) -> int {
  { let xs = [1]
    xs.push(2) }
  let c = a + b
  if c.len() > 3 { return 1 }
  c.len()
}
f("x", "y")`
	require.Empty(t, reportsOf(t, src, none, nil, nil))
	got := reportsOf(t, src, none, func(p *bc.Program) {
		at := instruction(t, p, "f", bc.CONCAT, 0)
		w := p.Code[at]
		p.Code[at] = bc.Instr(bc.ADD, 0, bc.AOf(w)+8, bc.BOf(w)+8, bc.COf(w)+8)
	}, nil)
	require.Regexp(t, `^the compiled program is not valid: function f, word \d+, \w+: register \d+ `, got)

	got = reportsOf(t, src, none, func(p *bc.Program) {
		for i := range p.Funcs {
			if f := &p.Funcs[i]; f.Name == "f" {
				for m := range f.Maps {
					for r := range f.Maps[m].Regs {
						f.Maps[m].Regs[r].Type = bc.IDBuffer
					}
				}
			}
		}
	}, nil)
	require.Regexp(t, `^the compiled program is not valid: function f, word \d+, .* is not of type buffer`, got)
}
