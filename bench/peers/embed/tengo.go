package main

import "github.com/d5/tengo/v2"

// A host cannot call a function of a Tengo script: it sets the inputs, runs the
// script and reads the output.
func tengoOps() []*operation {
	compile := func(src string, globals map[string]any) *tengo.Compiled {
		script := tengo.NewScript([]byte(src))
		for name, value := range globals {
			check(script.Add(name, value))
		}
		return must(script.Compile())
	}
	f := compile("out := a + b * 2", map[string]any{"a": 0, "b": 0})
	run := func(c *tengo.Compiled, a, b int) int {
		check(c.Set("a", a))
		check(c.Set("b", b))
		check(c.Run())
		return c.Get("out").Int()
	}
	times := compile("x := 0; for i := 0; i < n; i++ { x = h(x) }", map[string]any{
		"n": 0,
		"h": &tengo.UserFunction{Name: "h", Value: func(args ...tengo.Object) (tengo.Object, error) {
			return &tengo.Int{Value: args[0].(*tengo.Int).Value + 1}, nil
		}},
	})
	ops := append(
		fresh("Tengo", 1000, func() (any, func()) {
			c := f.Clone()
			run(c, 1, 1)
			return c, func() {}
		}),
		call("Tengo", 100_000, func(a, b int) int { return run(f, a, b) }),
		back("Tengo", 300_000, func(n int) int {
			check(times.Set("n", n))
			check(times.Run())
			return times.Get("x").Int()
		}),
	)
	ops[0].note = "a clone that has run once"
	ops[2].note = "runs the whole script, it has no functions to call"
	return ops
}
