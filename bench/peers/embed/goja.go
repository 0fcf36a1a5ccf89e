package main

import "github.com/dop251/goja"

func gojaOps() []*operation {
	program := goja.MustCompile("f", `
function f(a, b) { return a + b * 2 }
function times(n) {
  let x = 0
  for (let i = 0; i < n; i++) x = h(x)
  return x
}`, false)
	start := func() *goja.Runtime {
		r := goja.New()
		check(r.Set("h", func(c goja.FunctionCall) goja.Value { return r.ToValue(c.Argument(0).ToInteger() + 1) }))
		must(r.RunProgram(program))
		return r
	}
	r := start()
	f, _ := goja.AssertFunction(r.Get("f"))
	times, _ := goja.AssertFunction(r.Get("times"))
	return append(
		fresh("goja", 300, func() (any, func()) { return start(), func() {} }),
		call("goja", 300_000, func(a, b int) int {
			return int(must(f(goja.Undefined(), r.ToValue(a), r.ToValue(b))).ToInteger())
		}),
		back("goja", 300_000, func(n int) int { return int(must(times(goja.Undefined(), r.ToValue(n))).ToInteger()) }),
	)
}
