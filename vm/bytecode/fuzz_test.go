package bytecode_test

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// seeds are compiled programs that use much of the language and are small.
func seeds(t testing.TB) [][]byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, "spec", "tests", "*", "*.rnl"))
	require.NoError(t, err)
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithTests())
	var list [][]byte
	for _, path := range paths {
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		if p, err := rt.Compile(filepath.Base(path), string(src)); err == nil {
			if data := bytecode.Encode(p.Code); len(data) < 12<<10 {
				list = append(list, data)
			}
		}
	}
	require.Greater(t, len(list), 200)
	return list
}

// runVerified runs a program if the verifier accepts it. Whatever the program
// does, the process survives; the error of a script is of no interest.
func runVerified(code *bytecode.Program) (accepted bool) {
	if bytecode.Verify(code, stdlib.Signatures) != nil {
		return false
	}
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithLimits(runnel.Limits{Memory: 4 << 20, Steps: 20_000, Stack: 2048}))
	p, err := rt.Load(code)
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond) // it may wait for ever
	defer cancel()
	in := p.NewInstance()
	defer in.Close()
	_ = in.Run(ctx)
	for i := range code.Tests {
		in := p.NewInstance()
		_ = in.RunTest(ctx, i)
		in.Close()
	}
	for i := range code.Benches {
		in := p.NewInstance()
		_ = in.RunBench(ctx, i, 2)
		in.Close()
	}
	return true
}

// FuzzDecodeVerify reads arbitrary bytes as a compiled program.
func FuzzDecodeVerify(f *testing.F) {
	for i, data := range seeds(f) {
		if i%8 == 0 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := bytecode.Decode(data); err == nil {
			runVerified(p)
		}
	})
}

// FuzzMutatedCode changes operands, opcodes and table entries of real programs:
// most of what comes out is refused, and what is accepted runs.
func FuzzMutatedCode(f *testing.F) {
	programs := seeds(f)
	for i := range 64 {
		f.Add(uint16(i*7), []byte{byte(i), 0, byte(i), byte(i * 3), 0, 1})
	}
	f.Fuzz(func(t *testing.T, program uint16, edits []byte) {
		p, err := bytecode.Decode(programs[int(program)%len(programs)])
		require.NoError(t, err)
		mutate(p, edits)
		runVerified(p)
	})
}

// mutate applies edits of six bytes: what to change, where, and to what.
func mutate(p *bytecode.Program, edits []byte) {
	for ; len(edits) >= 6; edits = edits[6:] {
		kind, at, x := edits[0], int(binary.LittleEndian.Uint16(edits[1:])), binary.LittleEndian.Uint16(edits[4:])
		w := &p.Code[at%len(p.Code)]
		switch kind % 16 {
		case 0: // another opcode
			*w = *w&^0xff | uint64(x)%uint64(bytecode.NumOps)
		case 1: // another auxiliary byte
			*w = *w&^0xff00 | uint64(uint8(x))<<8
		case 2, 3, 4: // a small change of an operand
			shift := 16 * (1 + edits[3]%3)
			*w = *w&^(0xffff<<shift) | uint64(uint16(int16(*w>>shift)+int16(x%9-4)*8))<<shift
		case 5, 6: // another operand
			shift := 16 * (1 + edits[3]%3)
			*w = *w&^(0xffff<<shift) | uint64(x)<<shift
		case 7: // a register for another
			shift := 16 * (1 + edits[3]%3)
			*w = *w&^(0xffff<<shift) | (*w>>shift&15|uint64(x%32)*16)<<shift
		case 8: // two words exchanged
			v := &p.Code[int(x)%len(p.Code)]
			*w, *v = *v, *w
		case 9: // a word copied
			*w = p.Code[int(x)%len(p.Code)]
		default:
			mutateTables(p, kind%16, at, int(edits[3]), x)
		}
	}
}

func mutateTables(p *bytecode.Program, kind byte, at, at2 int, x uint16) {
	f := &p.Funcs[at%len(p.Funcs)]
	t := &p.Types[at%len(p.Types)]
	id := uint32(int(x) % len(p.Types))
	switch kind {
	case 10: // types of a function
		if n := len(f.Params); n > 0 && x%2 == 0 {
			f.Params[at2%n] = id
		} else {
			f.Result = id
		}
	case 11: // a handler
		if n := len(f.Handlers); n > 0 {
			h := &f.Handlers[at2%n]
			h.Start, h.End = h.Start+uint32(x%3)-1, h.End+uint32(x/3%3)-1
			h.Reg += x / 9 % 3
		}
	case 12: // a type map
		if n := len(f.Maps); n > 0 {
			m := &f.Maps[at2%n]
			if k := len(m.Regs); k > 0 && x%3 > 0 {
				m.Regs[int(x)%k].Type = id
			} else {
				m.Regs = nil
			}
		}
	case 13: // a type's parts
		switch {
		case x%3 == 0:
			t.Elem = id
		case len(t.Fields) > 0:
			t.Fields[at2%len(t.Fields)].Type = id
		default:
			t.Key = id
		}
	case 14: // a method's table, a native's types
		if n := len(p.Selectors); n > 0 && x%2 == 0 {
			if tab := p.Selectors[at%n].Table; len(tab) > 0 {
				tab[at2%len(tab)] = uint32(x) % uint32(len(p.Funcs)+1)
			}
		} else if n := len(p.Natives); n > 0 {
			if ref := &p.Natives[at%n]; len(ref.Params) > 0 {
				ref.Params[at2%len(ref.Params)] = id
			}
		}
	case 15: // a frame
		f.Frame += x%5 - 2
	}
}

// A quick version of the fuzz target, for every run of the tests.
func TestMutatedCodeIsRefusedOrHarmless(t *testing.T) {
	programs := seeds(t)
	r := rand.New(rand.NewPCG(1, 2))
	accepted, n := 0, 6000
	if testing.Short() {
		n = 500
	}
	for i := range n {
		p, err := bytecode.Decode(programs[r.IntN(len(programs))])
		require.NoError(t, err)
		edits := make([]byte, 6*(1+r.IntN(3)))
		for k := range edits {
			edits[k] = byte(r.Uint32())
		}
		mutate(p, edits)
		if runVerified(p) {
			accepted++
		}
		if i%200 == 0 {
			runtime.GC()
		}
	}
	t.Logf("%d of %d accepted", accepted, n)
	require.Greater(t, accepted, n/20, "programs that ran")
}
