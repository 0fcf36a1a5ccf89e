// Package rand holds the native functions of module rand.
package rand

import (
	_ "embed"
	"math"
	"sync"

	"github.com/runnel-lang/runnel/vm"
)

//go:embed rand.rnl
var source string

// Module is what the import of rand gives.
var Module = vm.NewModule("rand", source)

// rng is the Go value of a rand.Rng. Tasks may share one.
type rng struct {
	mu sync.Mutex
	x  xoshiro
}

const rngSize = 40

func (r *rng) draw(f func(x *xoshiro) uint64) uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return f(&r.x)
}

func init() {
	Module.Native("new", func(c *vm.Call) { newRng(c, uint64(c.Int(0))) })
	Module.Native("from_host", func(c *vm.Call) {
		seed := uint64(0)
		if f := c.Host().RandSeed; f != nil {
			c.Foreign(func() { seed = f() })
		}
		newRng(c, seed)
	})
	Module.Native("Rng.int", func(c *vm.Call) {
		lo, hi := c.Int(1), c.Int(2)
		if lo >= hi {
			c.Throw(vm.ErrValue, "rand: the range %d..%d is empty", lo, hi)
		}
		n := vm.NativeArg[*rng](c, 0).draw(func(x *xoshiro) uint64 { return x.below(uint64(hi) - uint64(lo)) })
		c.SetInt(lo + int64(n))
	})
	Module.Native("Rng.bits", func(c *vm.Call) {
		c.SetInt(int64(vm.NativeArg[*rng](c, 0).draw((*xoshiro).next)))
	})
	Module.Native("Rng.float", func(c *vm.Call) {
		c.SetFloat(vm.NativeArg[*rng](c, 0).float())
	})
	Module.Native("Rng.exponential", func(c *vm.Call) {
		c.SetFloat(float64(-math.Log(1-vm.NativeArg[*rng](c, 0).float()) * c.Float(1)))
	})
	Module.Native("Rng.normal", func(c *vm.Call) {
		z := vm.NativeArg[*rng](c, 0).normal()
		c.SetFloat(c.Float(1) + float64(z*c.Float(2)))
	})
}

func newRng(c *vm.Call, seed uint64) {
	c.SetObject(c.NewNative(c.Ref().Result, &rng{x: seeded(seed)}, rngSize))
}

func (r *rng) float() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.x.float()
}

// normal draws from the standard normal distribution by Marsaglia's polar
// method. The explicit conversions keep products from being fused into sums,
// which would give other numbers on other processors.
func (r *rng) normal() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		u, v := 2*r.x.float()-1, 2*r.x.float()-1
		s := float64(u*u) + float64(v*v)
		if s > 0 && s < 1 {
			return u * math.Sqrt(-2*math.Log(s)/s)
		}
	}
}
