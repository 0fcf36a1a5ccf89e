//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

import (
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"github.com/runnel-lang/runnel/vm"
	bc "github.com/runnel-lang/runnel/vm/bytecode"
)

// Supported reports whether this process can run machine code: its processor has what is
// used of it, and the system lets memory be executed.
func Supported() bool { return stubs().ok }

// Compile compiles a program at once, in all that can be, and reports whether it does at
// all. Call it before the program has instances.
func Compile(p *vm.Program) bool {
	u := use(p, false)
	if u == nil {
		return false
	}
	for i := range p.Funcs {
		u.add(&p.Funcs[i])
	}
	u.compile()
	return true
}

// Use has the functions of a program compiled that it spends time in, while it runs. Call
// it before the program has instances. It reports whether it does.
func Use(p *vm.Program) bool { return use(p, true) != nil }

// The compiler of a program.
type user struct {
	prog    *bc.Program
	machine *vm.Machine
	objects *vm.MachineObjects
	types   func() map[uint32]uint32

	mu      sync.Mutex
	seen    map[*bc.Func]uint8
	queue   []*bc.Func
	working bool
	left    int // words that may still be compiled
}

// maxWords bounds what is compiled of a program: a word takes about 60 bytes.
const maxWords = 256 << 10

// maxBatch is up to how many words are compiled together with what calls them.
const maxBatch = 4000

// warm is how often a function has to be met at the end of a slice to be compiled.
const warm = 2

const queued = 255

func use(p *vm.Program, sample bool) *user {
	s := stubs()
	if !s.ok || p.Extends() {
		return nil
	}
	u := &user{prog: p.Program, left: maxWords, seen: map[*bc.Func]uint8{}}
	u.types = sync.OnceValue(func() map[uint32]uint32 { return usedTypes(p.Program) })
	var hot func(uint32)
	if sample {
		hot = func(word uint32) {
			if f := p.FuncAt(word); f != nil {
				u.met(f)
			}
		}
	}
	u.machine = p.UseMachine(s.stubs, hot)
	u.objects = u.machine.Objects()
	return u
}

// met counts that a task was in a function at the end of its slice, and has it compiled
// beside the program when that has happened often enough.
func (u *user) met(f *bc.Func) {
	u.mu.Lock()
	defer u.mu.Unlock()
	n := u.seen[f]
	if n == queued {
		return
	}
	if u.seen[f] = n + 1; n+1 < warm {
		return
	}
	u.enqueue(f)
	if !u.working {
		u.working = true
		go u.compile()
	}
}

// add has a function compiled with the next batch.
func (u *user) add(f *bc.Func) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.enqueue(f)
}

func (u *user) enqueue(f *bc.Func) {
	n := int(f.End - f.Start)
	if u.seen[f] == queued {
		return
	}
	u.seen[f] = queued
	if u.left -= n; u.left >= 0 {
		u.queue = append(u.queue, f)
	}
}

// compile works off the queue.
func (u *user) compile() {
	for {
		u.mu.Lock()
		fs := u.queue
		if u.queue = nil; len(fs) == 0 {
			u.working = false
			u.mu.Unlock()
			return
		}
		fs = u.withCalled(fs)
		u.mu.Unlock()
		u.batch(fs)
	}
}

// withCalled adds the functions that others call.
func (u *user) withCalled(fs []*bc.Func) []*bc.Func {
	words := 0
	for k := 0; k < len(fs) && words < maxBatch; k++ {
		f := fs[k]
		words += int(f.End - f.Start)
		for at := f.Start; at < f.End; at++ {
			w := u.prog.Code[at]
			op := bc.OpOf(w)
			if op == bc.CALL {
				if g := funcStarting(u.prog, uint32(bc.KOf(w))); g != nil && u.seen[g] != queued {
					u.enqueue(g)
				}
			}
			if bc.Ops[op].Word {
				at++
			}
		}
		fs = append(fs, u.queue...)
		u.queue = nil
	}
	return fs
}

func funcStarting(p *bc.Program, word uint32) *bc.Func {
	lo, hi := 0, len(p.Funcs)
	for lo < hi {
		mid := (lo + hi) / 2
		if p.Funcs[mid].Start < word {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(p.Funcs) && p.Funcs[lo].Start == word {
		return &p.Funcs[lo]
	}
	return nil
}

// batch compiles functions together and makes them known.
func (u *user) batch(fs []*bc.Func) {
	c := u.code(fs)
	if c == nil {
		return
	}
	mem, at := executable(c.b)
	if mem == nil {
		return
	}
	runtime.AddCleanup(u.machine, func(mem []byte) { syscall.Munmap(mem) }, mem)
	entries := make(map[uint32]uintptr, len(c.table))
	for w, offset := range c.table {
		entries[w] = at + uintptr(offset)
	}
	u.machine.Publish(len(c.starts), len(mem), entries)
}

// code is that of functions which call each other directly, nil where there is none.
func (u *user) code(fs []*bc.Func) *coder {
	c := &coder{p: u.prog, obj: u.objects, types: u.types(), table: map[uint32]int{}, starts: map[uint32]int{}, ends: map[uint32]int{}, batch: map[uint32]bool{}}
	for _, f := range fs {
		c.batch[f.Start] = true
	}
	if !c.compileAll(fs) || len(c.starts) == 0 {
		return nil
	}
	thunks := map[uint32]int{}
	for _, r := range c.relocs {
		to, ok := c.starts[r.word]
		if !ok {
			if to, ok = thunks[r.word]; !ok {
				to = c.thunk(r.word)
				thunks[r.word] = to
			}
		}
		c.patch(r.at, to)
	}
	return c
}

// compileAll compiles functions. Where it fails, which would be a mistake of this package,
// the interpreter runs them all.
func (c *coder) compileAll(fs []*bc.Func) (ok bool) {
	defer func() {
		if e := recover(); e != nil {
			Failures.Add(1)
		}
	}()
	for _, f := range fs {
		c.compile(f)
	}
	return true
}

// Failures counts batches of functions that could not be compiled by mistake.
var Failures atomic.Int64

// thunk calls a function by the table, which is not compiled yet.
func (c *coder) thunk(word uint32) int {
	at := c.pos()
	c.movi(rAX, int64(word)*8)
	c.ld(rDX, M(r15, off.Table))
	c.jmpM(MX(rDX, rAX, 1, 0))
	return at
}

// usedTypes are the types of the closures that are called and of the lists that are used
// at the words where machine code wants to know.
func usedTypes(p *bc.Program) map[uint32]uint32 {
	states, err := bc.StatesOf(p)
	if err != nil {
		return nil
	}
	types := map[uint32]uint32{}
	for i := range p.Funcs {
		f := &p.Funcs[i]
		for at := f.Start; at < f.End; at++ {
			op := bc.OpOf(p.Code[at])
			if st := states.At(at); st != nil && op == bc.CALLC {
				for _, r := range st.Regs {
					if r.Reg == bc.BOf(p.Code[at])/16 && int(r.Type) < len(p.Types) && p.Types[r.Type].Kind == bc.TFunc {
						types[at] = r.Type
					}
				}
			}
			if bc.Ops[op].Word {
				at++
			}
		}
	}
	return types
}

// executable puts code where it can be run, and no longer be written. It gives nothing
// where the system refuses.
func executable(code []byte) ([]byte, uintptr) {
	size := (len(code) + 4095) &^ 4095
	mem, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, 0
	}
	copy(mem, code)
	if syscall.Mprotect(mem, syscall.PROT_READ|syscall.PROT_EXEC) != nil {
		syscall.Munmap(mem)
		return nil, 0
	}
	return mem, uintptr(unsafe.Pointer(unsafe.SliceData(mem)))
}

type sharedStubs struct {
	ok    bool
	stubs vm.MachineStubs
}

var (
	stubsOnce   sync.Once
	stubsShared sharedStubs
)

// stubs are what all machine code shares, made once.
func stubs() sharedStubs {
	stubsOnce.Do(func() { stubsShared = makeStubs() })
	return stubsShared
}

func makeStubs() (s sharedStubs) {
	if !hasAVX() {
		return s
	}
	var a asm
	o := writeStubs(&a)
	mem, at := executable(a.b)
	if mem == nil {
		return s
	}
	address := func(offset int) uintptr { return at + uintptr(offset) }
	return sharedStubs{true, vm.MachineStubs{
		Enter: address(o.enter), Exit: address(o.exit), Resume: address(o.resume), ResumeAt: address(o.resumeAt),
		Return: address(o.ret), NotCompiled: address(o.notCompiled), Barrier: address(o.barrier), BarrierDone: address(o.barrierDone),
	}}
}
