package vm

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Look finds who can go on, and counts those that cannot and what it has visited.
func (in *Instance) Look() (stuck int, visited int64) {
	in.world.stopExternal()
	defer in.world.startExternal()
	in.mu.Lock()
	defer in.mu.Unlock()
	l := in.findLiving()
	return len(l.stuck()), l.h.visited
}

// SliceLooks bounds the slices of looks from now on.
func (in *Instance) SliceLooks(most time.Duration) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.reaper.slice = most
}

// Scout looks in slices that are as small as can be. It gives how many those were and
// whether it has suspects; missed are tasks that it has reached although nobody could
// before it began and after it ended. Meanwhile nothing else is ended.
func (in *Instance) Scout() (slices int, suspects bool, missed int) {
	defer in.HoldLooks()()
	in.reaper.looking.Add(1)
	defer in.reaper.looking.Add(-1)
	before := in.stuckNow()
	l := in.newLiveness()
	l.scouts = true
	in.begin(l)
	for over := false; !over; slices++ {
		if over, suspects = in.goOn(l, 1); l.h.prog != in.Program() {
			return slices, suspects, 0
		}
	}
	for t, epoch := range in.stuckNow() {
		if was, ok := before[t]; ok && was == epoch && !l.waits(t) {
			missed++
		}
	}
	return slices, suspects, missed
}

// HoldLooks puts looks off, as a result does that a host has not looked into yet.
func (in *Instance) HoldLooks() (release func()) {
	in.reaper.inTransit.Add(1)
	return func() { in.Received(Value{p: noneInAny}) }
}

func (in *Instance) begin(l *liveness) {
	in.world.stopExternal()
	defer in.world.startExternal()
	in.mu.Lock()
	defer in.mu.Unlock()
	l.begin()
}

func (in *Instance) stuckNow() map[*Task]uint64 {
	in.world.stopExternal()
	defer in.world.startExternal()
	in.mu.Lock()
	defer in.mu.Unlock()
	stuck := map[*Task]uint64{}
	for _, t := range in.findLiving().stuck() {
		stuck[t] = t.Epoch()
	}
	return stuck
}

// LooksAgree reports whether a look that visits everything finds the same.
func (in *Instance) LooksAgree() bool {
	in.world.stopExternal()
	defer in.world.startExternal()
	in.mu.Lock()
	defer in.mu.Unlock()
	stuck := in.findLiving().stuck()
	l := in.newLiveness()
	l.begin()
	l.h.leads = everythingLeads(in.Program())
	l.walk()
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
