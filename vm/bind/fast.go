package bind

import "github.com/runnel-lang/runnel/vm"

// Fast makes a native from a Go function with one of the most common types,
// without reflection or codecs; for other types it returns nil.
func Fast(fn any) vm.Native {
	switch f := fn.(type) {
	case func():
		return func(c *vm.Call) { c.EnterHost(); f(); c.ExitHost() }
	case func(int) int:
		return func(c *vm.Call) { c.SetInt(int64(inHost1(c, f, int(c.Int(0))))) }
	case func(int, int) int:
		return func(c *vm.Call) { c.SetInt(int64(inHost2(c, f, int(c.Int(0)), int(c.Int(1))))) }
	case func(float64) float64:
		return func(c *vm.Call) { c.SetFloat(inHost1(c, f, c.Float(0))) }
	case func(float64, float64) float64:
		return func(c *vm.Call) { c.SetFloat(inHost2(c, f, c.Float(0), c.Float(1))) }
	case func(int) bool:
		return func(c *vm.Call) { c.SetBool(inHost1(c, f, int(c.Int(0)))) }
	case func(string) bool:
		return func(c *vm.Call) { c.SetBool(inHost1(c, f, c.Str(0))) }
	case func(string) int:
		return func(c *vm.Call) { c.SetInt(int64(inHost1(c, f, c.Str(0)))) }
	}
	return nil
}

func inHost1[A, R any](c *vm.Call, f func(A) R, a A) R {
	c.EnterHost()
	r := f(a)
	c.ExitHost()
	return r
}

func inHost2[A, B, R any](c *vm.Call, f func(A, B) R, a A, b B) R {
	c.EnterHost()
	r := f(a, b)
	c.ExitHost()
	return r
}
