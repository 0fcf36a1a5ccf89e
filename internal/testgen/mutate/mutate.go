// Package mutate changes compiled programs as no compiler makes them: it knows what
// a program consists of, so that many of its mutants pass the verifier and run. They
// show whether what passes can harm the process.
package mutate

import (
	"math/rand/v2"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// mutant is a program that is being changed.
type mutant struct {
	*rand.Rand
	p     *bytecode.Program
	sigs  []Native
	words [][]uint32 // where the instructions of each function begin, found on demand
}

// Native is a native function that there is, with one of its signatures.
type Native struct {
	Name string
	Sig  bytecode.Signature
}

// kinds of changes; each gives false when there is nothing that it could change.
var kinds = []struct {
	name   string
	weight int
	change func(m *mutant) bool
}{
	{"another opcode", 4, (*mutant).opcode},
	{"an opcode alike", 8, (*mutant).opcodeAlike},
	{"another register", 10, (*mutant).register},
	{"a number in an instruction", 4, (*mutant).number},
	{"an index in an instruction", 8, (*mutant).index},
	{"the byte beside an opcode", 4, (*mutant).aux},
	{"an immediate word", 4, (*mutant).immediate},
	{"a jump", 6, (*mutant).jump},
	{"instructions exchanged", 5, (*mutant).exchange},
	{"an instruction copied", 4, (*mutant).copyInstruction},
	{"an instruction left out", 4, (*mutant).omit},
	{"a function's types", 2, (*mutant).signature},
	{"a function's frame", 2, (*mutant).frame},
	{"a function for another", 3, (*mutant).function},
	{"a handler", 8, (*mutant).handler},
	{"a type map", 5, (*mutant).typeMap},
	{"a type's parts", 5, (*mutant).parts},
	{"a type's fields", 5, (*mutant).fields},
	{"a type's kind", 2, (*mutant).kind},
	{"two types exchanged", 2, (*mutant).types},
	{"a global", 2, (*mutant).global},
	{"a method's table", 4, (*mutant).selector},
	{"an interface", 2, (*mutant).iface},
	{"the types of errors", 2, (*mutant).errTypes},
	{"a constant", 4, (*mutant).constant},
	{"an interpolation", 2, (*mutant).interpolation},
	{"a jump table", 2, (*mutant).jumpTable},
	{"what the host calls", 2, (*mutant).root},
	{"a native's types", 3, (*mutant).nativeTypes},
	{"a native for another", 12, (*mutant).nativeSwap},
	{"a call of a native", 12, (*mutant).nativeCall},
}

var weights = func() (sum int) {
	for i := range kinds {
		sum += kinds[i].weight
	}
	return sum
}()

// Program changes a program in one to three places and tells what it has changed.
// natives are those that calls are made of.
func Program(p *bytecode.Program, r *rand.Rand, natives []Native) (changes []string) {
	m := &mutant{Rand: r, p: p, sigs: natives, words: make([][]uint32, len(p.Funcs))}
	want := 1
	for want < 3 && r.IntN(3) == 0 {
		want++
	}
	for tries := 0; len(changes) < want && tries < 50; tries++ {
		n := r.IntN(weights)
		for i := range kinds {
			if n -= kinds[i].weight; n < 0 {
				if kinds[i].change(m) {
					changes = append(changes, kinds[i].name)
				}
				break
			}
		}
	}
	return changes
}

// one chooses an element of a list.
func one[T any](m *mutant, list []T) *T {
	if len(list) == 0 {
		return nil
	}
	return &list[m.IntN(len(list))]
}

// near returns a number close to another, or now and then any.
func (m *mutant) near(n int) int {
	if m.IntN(8) == 0 {
		return interesting[m.IntN(len(interesting))]
	}
	return n + m.IntN(7) - 3
}

var interesting = []int{0, 1, -1, 2, 7, 8, 15, 16, 63, 64, 255, 256, 4000, 4095, 4096, 1<<15 - 1, 1 << 15, 1<<16 - 1, 1 << 16, 1<<31 - 1, -1 << 31}

// typeID chooses a type, often one that is like another.
func (m *mutant) typeID(like uint32) uint32 {
	n := len(m.p.Types)
	if int(like) < n && m.IntN(4) > 0 {
		t := &m.p.Types[like]
		for range 20 {
			id := uint32(m.IntN(n))
			if u := &m.p.Types[id]; id != like && u.Rep == t.Rep && (u.Kind == t.Kind || m.IntN(4) == 0) {
				return id
			}
		}
	}
	return uint32(m.IntN(n))
}
