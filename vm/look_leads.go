package vm

import (
	"sync"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// leads knows which objects can lead to a mailbox or a promise, by their types. What
// cannot, plain data mostly, is of no interest to liveness.
type leads struct {
	types    []bool        // by type id: a value may
	objects  [][]leadRun   // by type id
	variants [][][]leadRun // by type id and tag
	closures [][]leadRun   // by function
}

// leadRun is a run of pointer words of an object that may lead there.
type leadRun struct {
	off uintptr
	n   int
}

// leadsOnce are made when they are first asked for.
type leadsOnce struct {
	once sync.Once
	of   leads
}

func (p *Program) leads() *leads {
	p.leading.once.Do(func() { p.leading.of.find(p) })
	return &p.leading.of
}

func (l *leads) find(p *Program) {
	l.types = make([]bool, len(p.Types))
	for grown := true; grown; {
		grown = false
		for i := range p.Types {
			if !l.types[i] && l.mayLead(&p.Types[i]) {
				l.types[i], grown = true, true
			}
		}
	}
	l.layOut(p)
}

// layOut finds where in objects what leads on stands.
func (l *leads) layOut(p *Program) {
	l.objects, l.variants = make([][]leadRun, len(p.Types)), make([][][]leadRun, len(p.Types))
	for i := range p.Types {
		t := &p.Types[i]
		l.objects[i] = l.runs(t.Fields, t.Layout)
		for tag := range t.Variants {
			l.variants[i] = append(l.variants[i], l.runs(t.Variants[tag].Fields, t.Variants[tag].Layout))
		}
	}
	l.closures = make([][]leadRun, len(p.Funcs))
	for i := range p.Funcs {
		l.closures[i] = l.runs(p.Funcs[i].Captures, p.Funcs[i].Closure)
	}
}

// mayLead looks one step far.
func (l *leads) mayLead(t *bytecode.Type) bool {
	switch t.Kind {
	case bytecode.TInt, bytecode.TFloat, bytecode.TBool, bytecode.TDuration, bytecode.TUnit, bytecode.TNone,
		bytecode.TStr, bytecode.TBytes, bytecode.TBuffer:
		return false
	case bytecode.TOptional, bytecode.TList, bytecode.TMutex:
		return l.types[t.Elem]
	case bytecode.TMap:
		return l.types[t.Key] || l.types[t.Elem]
	case bytecode.TSet:
		return l.types[t.Key]
	case bytecode.TTuple, bytecode.TStruct, bytecode.TCell, bytecode.TBox, bytecode.TFrame:
		return l.inFields(t.Fields)
	case bytecode.TEnum:
		for i := range t.Variants {
			if l.inFields(t.Variants[i].Fields) {
				return true
			}
		}
		return false
	}
	return true // channels, tasks, which may have failed with anything, functions, any
}

func (l *leads) inFields(fields []bytecode.Field) bool {
	for i := range fields {
		if l.types[fields[i].Type] {
			return true
		}
	}
	return false
}

// runs returns the pointer words of the fields that lead on. They stand behind the scalars.
func (l *leads) runs(fields []bytecode.Field, layout bytecode.Layout) (runs []leadRun) {
	first := 8 + 8*uintptr(layout.Scalars)
	at := make([]bool, layout.Refs)
	for i := range fields {
		if f := &fields[i]; f.Rep != bytecode.RepI {
			at[(uintptr(f.POff)-first)/8] = l.types[f.Type]
		}
	}
	for i, leads := range at {
		switch n := len(runs); {
		case !leads:
		case i > 0 && at[i-1]:
			runs[n-1].n++
		default:
			runs = append(runs, leadRun{first + 8*uintptr(i), 1})
		}
	}
	return runs
}

// follow adds the pointers of an object that lead on to the work.
func (h *heapTracer) follow(p unsafe.Pointer, t *bytecode.Type) {
	switch hd := (*Header)(p); t.Kind {
	case bytecode.TList:
		if c := classOf(&h.prog.Types[t.Elem]); c >= elemP {
			b := (*List)(p).b
			h.add(b.data(), b.n, uintptr(c.size()))
		}
	case bytecode.TMap, bytecode.TSet:
		h.add((*Map)(p).t.pointers())
	case bytecode.TEnum:
		h.addRuns(p, h.leads.variants[hd.Type][hd.Aux])
	case bytecode.TFunc:
		h.addRuns(p, h.leads.closures[hd.Aux])
	case bytecode.TTask:
		f := (*Future)(p)
		if h.leads.types[t.Elem] {
			h.add(unsafe.Pointer(&f.val.p), 1, 0)
		}
		if f.fail != nil {
			h.add(unsafe.Pointer(&f.fail.val.p), 1, 0)
		}
	case bytecode.TChan:
		if c := (*Chan)(p); c.mail.Load() != nil {
			h.live.reachedMailbox(c)
		} else if h.leads.types[t.Elem] {
			c.messages(h.values)
		}
	case bytecode.TMutex:
		h.add(unsafe.Pointer(&(*Mutex)(p).val.p), 1, 0)
	case bytecode.TNative:
		switch v := (*nativeObject)(p).value.(type) {
		case *Value:
			h.add(unsafe.Pointer(&v.p), 1, 0)
		case *Promise:
			h.live.reachedPromise(v)
		}
	default:
		h.addRuns(p, h.leads.objects[hd.Type])
	}
}

func (h *heapTracer) addRuns(p unsafe.Pointer, runs []leadRun) {
	for _, r := range runs {
		h.add(unsafe.Add(p, r.off), r.n, unsafe.Sizeof(p))
	}
}
