package main

import (
	"context"
	"strconv"

	"github.com/expr-lang/expr"
	exprvm "github.com/expr-lang/expr/vm"
	ankoenv "github.com/mattn/anko/env"
	ankovm "github.com/mattn/anko/vm"
	"github.com/risor-io/risor"
	"github.com/risor-io/risor/compiler"
	"github.com/risor-io/risor/object"
	"github.com/risor-io/risor/parser"
	risorvm "github.com/risor-io/risor/vm"
	"github.com/traefik/yaegi/interp"
)

func nativeOps() []*operation {
	return []*operation{call("native Go", 10_000_000, native)}
}

//go:noinline
func native(a, b int) int { return a + b*2 }

func risorOps() []*operation {
	ctx := context.Background()
	config := risor.NewConfig(risor.WithGlobal("h", object.NewBuiltin("h", func(_ context.Context, args ...object.Object) object.Object {
		return object.NewInt(args[0].(*object.Int).Value() + 1)
	})))
	code := must(compiler.Compile(must(parser.Parse(ctx, `
func f(a, b) { return a + b * 2 }
func times(n) {
	x := 0
	for i := 0; i < n; i++ { x = h(x) }
	return x
}`)), config.CompilerOpts()...))
	start := func() *risorvm.VirtualMachine {
		m := risorvm.New(code, config.VMOpts()...)
		check(m.Run(ctx))
		return m
	}
	m := start()
	run := func(fn object.Object, args ...object.Object) int {
		return int(must(m.Call(ctx, fn.(*object.Function), args)).(*object.Int).Value())
	}
	f, times := must(m.Get("f")), must(m.Get("times"))
	return append(
		fresh("Risor", 300, func() (any, func()) { return start(), func() {} }),
		call("Risor", 300_000, func(a, b int) int { return run(f, object.NewInt(int64(a)), object.NewInt(int64(b))) }),
		back("Risor", 300_000, func(n int) int { return run(times, object.NewInt(int64(n))) }),
	)
}

// A function of a Yaegi script is a Go function to the host.
func yaegiOps() []*operation {
	start := func() *interp.Interpreter {
		i := interp.New(interp.Options{})
		must(i.Eval("package main\nfunc F(a, b int) int { return a + b*2 }"))
		return i
	}
	f := must(start().Eval("main.F")).Interface().(func(int, int) int)
	ops := append(
		fresh("Yaegi", 30, func() (any, func()) { return start(), func() {} }),
		call("Yaegi", 300_000, f),
	)
	ops[0].note = "compiles too, without Go's library"
	return ops
}

// A host cannot call a function of an Anko script.
func ankoOps() []*operation {
	env := ankoenv.NewEnv()
	check(env.Define("h", func(x int64) int64 { return x + 1 }))
	return []*operation{back("Anko", 30_000, func(n int) int {
		src := "x = 0\nfor i = 0; i < " + strconv.Itoa(n) + "; i++ { x = h(x) }\nx"
		return int(must(ankovm.Execute(env, nil, src)).(int64))
	})}
}

// Expr knows expressions only.
func exprOps() []*operation {
	env := map[string]any{"a": 0, "b": 0}
	program := must(expr.Compile("a + b * 2", expr.Env(env)))
	var machine exprvm.VM
	return []*operation{call("Expr", 300_000, func(a, b int) int {
		env["a"], env["b"] = a, b
		return must(machine.Run(program, env)).(int)
	})}
}
