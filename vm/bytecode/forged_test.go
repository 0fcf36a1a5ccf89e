package bytecode_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// forged compiles a script and lets change do to it what no compiler does.
func forged(t *testing.T, src string, change func(p *bytecode.Program)) *bytecode.Program {
	t.Helper()
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...))
	made, err := rt.Compile("forged.rnl", src)
	require.NoError(t, err)
	p, err := bytecode.Decode(made.Encode())
	require.NoError(t, err)
	require.NoError(t, bytecode.Verify(p, stdlib.Signatures))
	change(p)
	return p
}

// own visits the instructions of the script's own functions.
func own(p *bytecode.Program, visit func(f *bytecode.Func, w *uint64)) {
	for i := range p.Funcs {
		f := &p.Funcs[i]
		if p.Files[f.File].Name != "forged.rnl" {
			continue
		}
		for at := f.Start; at < f.End; at++ {
			op := bytecode.OpOf(p.Code[at])
			visit(f, &p.Code[at])
			if bytecode.Ops[op].Word {
				at++
			}
		}
	}
}

// replace changes each instruction of a kind; some must be there.
func replace(t *testing.T, p *bytecode.Program, op bytecode.Op, change func(w uint64) uint64) {
	n := 0
	own(p, func(_ *bytecode.Func, w *uint64) {
		if bytecode.OpOf(*w) == op {
			if changed := change(*w); changed != *w {
				*w = changed
				n++
			}
		}
	})
	require.NotZero(t, n)
}

func as(op bytecode.Op) func(w uint64) uint64 {
	return func(w uint64) uint64 { return bytecode.WithOp(w, op) }
}

func typeNamed(t *testing.T, p *bytecode.Program, name string) uint32 {
	id := slices.IndexFunc(p.Types, func(t bytecode.Type) bool { return t.Name == name })
	require.Positive(t, id, name)
	return uint32(id)
}

// swapNatives exchanges the types at a place of the first two uses of a native.
func swapNatives(t *testing.T, p *bytecode.Program, name string, types func(n *bytecode.NativeRef) *uint32) {
	var uses []*bytecode.NativeRef
	for i := range p.Natives {
		if n := &p.Natives[i]; n.Name == name {
			uses = append(uses, n)
		}
	}
	require.Len(t, uses, 2)
	x, y := types(uses[0]), types(uses[1])
	*x, *y = *y, *x
}

// What the verifier must see, since running it would harm the process.
func TestForgedProgramsAreRefused(t *testing.T) {
	const cleanup = `fn spin() { var i = 0
while i >= 0 { i += 1 } }
loop { try { spin() } catch e { } }`
	for message, c := range map[string]struct {
		src    string
		change func(p *bytecode.Program)
	}{
		"no native function core.TaskLocal.get of these types": {
			`let a = task_local([1])
let b = task_local("text")
print(a.get(), b.get())`,
			func(p *bytecode.Program) {
				swapNatives(t, p, "core.TaskLocal.get", func(n *bytecode.NativeRef) *uint32 { return &n.Params[0] })
			},
		},
		"no native function core.local_push of these types": {
			`let a = task_local([1])
let b = task_local("text")
a.with([2], || print(a.get()))
b.with("x", || print(b.get()))`,
			func(p *bytecode.Program) {
				swapNatives(t, p, "core.local_push", func(n *bytecode.NativeRef) *uint32 { return &n.Params[0] })
			},
		},
		"no native function actor.Reply.send of these types": {
			`import actor
enum M { Ask(reply: actor.Reply<[int]>), Tell(reply: actor.Reply<str>) }
struct A { fn receive(m: M, ctx: actor.Context<M>) { match m { Ask(r) => { r.send([1]) }, Tell(r) => { r.send("text") } } } }
actor.start(A())`,
			func(p *bytecode.Program) {
				swapNatives(t, p, "actor.Reply.send", func(n *bytecode.NativeRef) *uint32 { return &n.Params[1] })
			},
		},
		"no native function fs.File.close of these types": {
			`import fs
import io
fn f() { fs.open("x").close() }
fn g() { io.stdin.close() }
f()
g()`,
			func(p *bytecode.Program) {
				for i := range p.Natives {
					if p.Natives[i].Name == "io.Input.close" {
						p.Natives[i].Name = "fs.File.close"
					}
				}
			},
		},
		"type [str]? consists of itself": {
			`import json
struct S { tags: [str]? }
print(json.decode<S>("{}"))`,
			func(p *bytecode.Program) {
				id := typeNamed(t, p, "[str]?")
				opt := &p.Types[id]
				opt.Elem, opt.Fields = id, []bytecode.Field{{Type: id, Rep: bytecode.RepP}}
				opt.Layout = bytecode.Place(opt.Fields)
			},
		},
		"type [[int]] consists of itself": {
			`print([[1]])`,
			func(p *bytecode.Program) { p.Types[typeNamed(t, p, "[[int]]")].Elem = typeNamed(t, p, "[[int]]") },
		},
		"AWAIT: register 2 has type <invalid>": { // its handle is used again, by a task of another type
			`fn a() -> str { "x" }
fn f(n: int) -> str { let s = await spawn a()
let t = s
t }
print(f(1))`,
			func(p *bytecode.Program) {
				at := slices.IndexFunc(p.Code, func(w uint64) bool { return bytecode.OpOf(w) == bytecode.AWAIT })
				again := bytecode.Instr(bytecode.AWAIT, 0, bytecode.AOf(p.Code[at+1]), bytecode.BOf(p.Code[at]), 0)
				p.Code[at], p.Code[at+1] = again, again
			},
		},
		"does not throw again": {cleanup, func(p *bytecode.Program) {
			for i := range p.Funcs {
				for k := range p.Funcs[i].Handlers {
					p.Funcs[i].Handlers[k].Cleanup = true
				}
			}
		}},
	} {
		p := forged(t, c.src, c.change)
		assert.ErrorContains(t, bytecode.Verify(p, stdlib.Signatures), message)
	}
}

// What the verifier does not follow, since the runtime sees it when it happens: the
// script ends with an error that it cannot catch.
func TestForgedProgramsEndWithAnInternalError(t *testing.T) {
	for name, c := range map[string]struct {
		src    string
		change func(p *bytecode.Program)
		err    string
	}{
		"a failure of a scope in none": {
			"let t: task<int> = spawn { throw error(\"x\") }\nprint(await t)",
			func(p *bytecode.Program) { replace(t, p, bytecode.THROW, as(bytecode.FAILSCOPE)) },
			"internal error: the task is in no scope",
		},
		"a scope that ends and has not begun": {
			"fn f() { scope { spawn { sleep(1ms) } } }\nfor i in 0..3 { f() }",
			func(p *bytecode.Program) {
				replace(t, p, bytecode.SCOPE, func(w uint64) uint64 { return w | 1<<8 })
			},
			"internal error: the task is in no scope",
		},
		"a deadline of a scope that there is not": {
			"timeout(1s, || print(1))",
			func(p *bytecode.Program) {
				for i := range p.Code { // the scope stands in the library
					if bytecode.OpOf(p.Code[i]) == bytecode.SCOPE {
						p.Code[i] = bytecode.Instr(bytecode.MOVI, 0, 8, 8, 0)
					}
				}
			},
			"internal error",
		},
		"a report of a task that has not failed": {
			"import actor\nlet t = spawn { sleep(1h) }\nt.cancel()",
			func(p *bytecode.Program) {
				for i := range p.Natives {
					if n := &p.Natives[i]; n.Name == "task.cancel" {
						n.Name = "actor.unheard"
					}
				}
			},
			"internal error: actor.unheard is given a task that has not failed",
		},
		"a value of a TaskLocal that was not set": {
			"let l = task_local(1)\nl.with(2, || 1)",
			func(p *bytecode.Program) {
				for i := range p.Natives {
					if n := &p.Natives[i]; n.Name == "core.local_push" {
						n.Name, n.TypeArgs, n.Params = "core.local_pop", nil, nil
					}
				}
			},
			"internal error: core.local_pop has nothing to take back",
		},
		"a lock that is not held": {
			"let m = mutex(1)\nfn f() -> int { lock m as v { v += 1\nv } }\nprint(f())",
			func(p *bytecode.Program) {
				replace(t, p, bytecode.LOCK, func(w uint64) uint64 { return bytecode.Instr(bytecode.LDI, 0, bytecode.AOf(w)|8, 0, 0) })
			},
			"this task does not hold the lock",
		},
		"scopes that never end": {
			"fn f() { scope { spawn { sleep(1ms) } } }\nfor i in 0..3 { f() }",
			func(p *bytecode.Program) {
				replace(t, p, bytecode.SCOPE, func(w uint64) uint64 { return w &^ (1 << 8) })
			},
			"",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := forged(t, c.src, c.change)
			require.NoError(t, bytecode.Verify(p, stdlib.Signatures))
			rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithLimits(runnel.Limits{Steps: 1e6, Memory: 64 << 20}))
			made, err := rt.Load(p)
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			in := made.NewInstance()
			defer in.Close()
			err = in.Run(ctx)
			require.NoError(t, ctx.Err(), "it came to an end by itself")
			if c.err == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.err)
			}
		})
	}
}
