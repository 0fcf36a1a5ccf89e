package vm

import (
	"hash/maphash"
	"math"
	"math/bits"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Hashes are seeded per process, so that no input can be prepared to collide.
// They decide nothing a script sees: maps keep insertion order.
var (
	textSeed = maphash.MakeSeed()
	wordSeed = maphash.String(textSeed, "word")
)

// hashString never gives 0, which Header.Aux keeps for "not yet computed".
func hashString(s string) uint32 {
	h := uint32(maphash.String(textSeed, s))
	if h == 0 {
		h = 1
	}
	return h
}

// hashWord mixes a number word.
func hashWord(n uint64) uint32 {
	hi, lo := bits.Mul64(n^wordSeed, 0x9E3779B97F4A7C15)
	return uint32(hi ^ lo)
}

// maxHashed bounds how many parts of a tuple, struct or enum its hash looks at: deep
// or shared structures hash fast, and equality decides.
const maxHashed = 64

// hashValue hashes a value of a Hashable type. Equal values have equal hashes.
func hashValue(prog *Program, id uint32, v Value) uint32 {
	t := &prog.Types[id]
	switch t.Kind {
	case bytecode.TStr, bytecode.TBytes:
		return textOf(v).hash()
	case bytecode.TFloat:
		return hashWord(floatKey(v.n))
	case bytecode.TFunc, bytecode.TTask, bytecode.TChan, bytecode.TMutex:
		return hashWord(uint64(uintptr(notNil(v.p)))) // objects do not move
	}
	if t.Rep == bytecode.RepI {
		return hashWord(v.n)
	}
	return hashObject(prog, id, v)
}

type hashPart struct {
	id uint32
	v  Value
}

func hashObject(prog *Program, id uint32, v Value) uint32 {
	var buf [8]hashPart
	work := append(buf[:0], hashPart{id, v})
	h := uint64(wordSeed)
	for seen := 0; len(work) > 0 && seen < maxHashed; seen++ {
		part := work[len(work)-1]
		work = work[:len(work)-1]
		t := &prog.Types[part.id]
		fields := t.Fields
		if t.Kind == bytecode.TEnum && t.Rep == bytecode.RepP {
			tag := (*Header)(notNil(part.v.p)).Aux
			h = mix(h, uint64(tag))
			fields = variantOf(t, tag).Fields
		} else if t.Kind != bytecode.TTuple && t.Kind != bytecode.TStruct {
			h = mix(h, uint64(hashValue(prog, part.id, part.v)))
			continue
		}
		obj := notNil(part.v.p)
		for i := len(fields) - 1; i >= 0; i-- {
			work = append(work, hashPart{fields[i].Type, loadField(obj, &fields[i])})
		}
	}
	return uint32(h ^ h>>32)
}

func mix(h, x uint64) uint64 {
	hi, lo := bits.Mul64(h^x^0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)
	return hi ^ lo + h
}

// floatKey makes equal floats equal words: -0 is 0. NaN, which is not equal to
// itself, cannot be a key.
func floatKey(n uint64) uint64 {
	if n<<1 == 0 {
		return 0
	}
	if f := math.Float64frombits(n); f != f {
		throw(ErrValue, "NaN cannot be a key: it does not equal itself")
	}
	return n
}
