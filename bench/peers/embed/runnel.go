package main

import (
	"context"
	"slices"

	"github.com/runnel-lang/runnel"
)

const runnelSource = `
import app
pub fn f(a: int, b: int) -> int { a + b * 2 }
pub fn times(n: int) -> int {
  var x = 0
  for i in 0..n { x = app.h(x) }
  x
}`

type function = func(context.Context, int, int) (int, error)

func runnelRuntime() *runnel.Runtime {
	app := runnel.NewModule("app", "What the benchmark offers.")
	runnel.Func(app, "h", func(x int) int { return x + 1 })
	return must(runnel.New(runnel.WithModules(app)))
}

func runnelOps() []*operation {
	ctx := context.Background()
	program := must(runnelRuntime().Compile("f.rnl", runnelSource))
	start := func() (*runnel.Instance, function) {
		inst := must(program.Start(ctx))
		return inst, must(runnel.Bind2[int, int, int](inst, "f"))
	}
	calling := func(f function) func(a, b int) int {
		return func(a, b int) int { return must(f(ctx, a, b)) }
	}
	inst, f := start()
	times := must(runnel.Bind1[int, int](inst, "times"))
	var reflected function
	check(inst.BindFunc("f", &reflected))
	state := func() (any, func()) {
		inst, f := start()
		return f, inst.Close
	}

	ops := fresh("Runnel", 3000, state)
	var each []func(a, b int) int
	for range 16 {
		_, f := start()
		each = append(each, calling(f))
	}
	return append(ops,
		call("Runnel", 1_000_000, calling(f)),
		back("Runnel", 1_000_000, func(n int) int { return must(times(ctx, n)) }),
		named("call through BindFunc", call("Runnel", 300_000, calling(reflected))),
		named("call through Instance.Call", call("Runnel", 300_000, func(a, b int) int {
			return must(inst.Call(ctx, "f", a, b)).(int)
		})),
		parallel("16 goroutines call one instance", 1_000_000, slices.Repeat([]func(a, b int) int{calling(f)}, 16)),
		parallel("16 goroutines call an instance each", 1_000_000, each),
		named("start one of 10,000 live instances; bytes held", live("Runnel", 10_000, state)),
	)
}

func named(name string, op *operation) *operation {
	op.name = name
	return op
}
