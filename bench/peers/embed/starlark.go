package main

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

func starlarkOps() []*operation {
	h := starlark.NewBuiltin("h", func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return starlark.MakeInt(starlarkInt(args[0]) + 1), nil
	})
	globals := starlark.StringDict{"h": h}
	_, program, err := starlark.SourceProgramOptions(&syntax.FileOptions{}, "f", `
def f(a, b):
    return a + b * 2
def times(n):
    x = 0
    for i in range(n):
        x = h(x)
    return x
`, globals.Has)
	check(err)
	thread := &starlark.Thread{}
	module := must(program.Init(thread, globals))
	run := func(name string, args ...starlark.Value) int {
		return starlarkInt(must(starlark.Call(thread, module[name], args, nil)))
	}
	return append(
		fresh("Starlark", 3000, func() (any, func()) { return must(program.Init(&starlark.Thread{}, globals)), func() {} }),
		call("Starlark", 300_000, func(a, b int) int { return run("f", starlark.MakeInt(a), starlark.MakeInt(b)) }),
		back("Starlark", 300_000, func(n int) int { return run("times", starlark.MakeInt(n)) }),
	)
}

func starlarkInt(v starlark.Value) int {
	return must(starlark.AsInt32(v))
}
