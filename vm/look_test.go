package vm

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Look finds who can go on, and counts those that cannot and what it has visited.
func (in *Instance) Look() (stuck int, visited int64) {
	in.world.stopFromOutside()
	defer in.world.startFromOutside()
	in.mu.Lock()
	defer in.mu.Unlock()
	l := in.findLiving()
	return len(l.stuck()), l.h.visited
}

// LooksAgree tells whether a look that visits everything finds the same.
func (in *Instance) LooksAgree() bool {
	in.world.stopFromOutside()
	defer in.world.startFromOutside()
	in.mu.Lock()
	defer in.mu.Unlock()
	stuck := in.findLiving().stuck()
	l := in.newLiveness()
	l.h.leads = everythingLeads(in.Program())
	l.find()
	return slices.Equal(stuck, l.stuck())
}

func everythingLeads(p *Program) *leads {
	all := &leads{types: slices.Repeat([]bool{true}, len(p.Types))}
	all.layOut(p)
	return all
}

// A set of addresses has just what was added and not removed, wherever it lies.
func TestMarksAreKeptByAddress(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var s markSet
		known := map[uintptr]bool{}
		regions := 1 + rnd.Uint64N(100)
		for range 2000 {
			a := uintptr(rnd.Uint64N(regions))*uintptr(1+rnd.IntN(3))<<regionShift + uintptr(rnd.IntN(64))*8
			p := unsafe.Add(unsafe.Pointer(nil), a)
			switch rnd.IntN(4) {
			case 0:
				s.remove(p)
				delete(known, a)
			case 1:
				require.Equal(t, known[a], s.has(p))
			default:
				require.Equal(t, !known[a], s.add(p))
				known[a] = true
			}
		}
		for a := range known {
			require.True(t, s.has(unsafe.Add(unsafe.Pointer(nil), a)))
		}
	}
}
