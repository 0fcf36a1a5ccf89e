package vm

import (
	"strings"
	"unsafe"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// nativeAccess tells what a native is about to read and write of its arguments.
type nativeAccess func(a *raceArgs)

// raceArgs are the arguments of a native that is about to be called.
type raceArgs struct {
	t    *Task
	base *Value
	ref  *bytecode.NativeRef
}

func (a *raceArgs) arg(i int) Value            { return *(*Value)(unsafe.Add(unsafe.Pointer(a.base), i*16)) }
func (a *raceArgs) ptr(i int) unsafe.Pointer   { return a.arg(i).p }
func (a *raceArgs) int(i int) int64            { return a.arg(i).Int() }
func (a *raceArgs) writes(i int)               { a.t.raceWhole(a.ptr(i), true) }
func (a *raceArgs) whole(i int)                { a.t.raceWhole(a.ptr(i), false) }
func (a *raceArgs) elem(i int, at int64)       { a.t.raceElem(a.ptr(i), uint64(at), false) }
func (a *raceArgs) writesElem(i int, at int64) { a.t.raceElem(a.ptr(i), uint64(at), true) }
func (a *raceArgs) deep(i int)                 { a.t.raceDeep(a.ref.Params[i], a.arg(i)) }
func (a *raceArgs) elems(i int, from, to int64) {
	a.t.raceElems(a.ptr(i), from, to)
}

// len is the length of a list.
func (a *raceArgs) len(i int) int64 {
	if a.ptr(i) == nil {
		return 0
	}
	return int64((*List)(a.ptr(i)).b.n)
}

// acquire and release make a native object order what its users do.
func (a *raceArgs) acquire(i int) {
	if p := a.ptr(i); p != nil {
		a.t.w.race.d.Sync(p).Acquire(a.t.thread())
	}
}

func (a *raceArgs) release(i int) {
	if p := a.ptr(i); p != nil {
		a.t.w.race.d.Sync(p).Release(a.t.thread())
	}
}

// raceNative tells what a native is about to do.
func raceNative(t *Task) {
	index := t.opB()
	if access := t.w.race.natives[index]; access != nil {
		access(&raceArgs{t, t.ra(), &t.w.prog.Natives[index]})
	}
}

// accessOf returns what a native accesses: as declared, or by the kinds of its
// arguments. Lists, maps and buffers are read with their elements; objects of
// the library order what tasks do with them, as its Go code has locks of its own.
func accessOf(prog *Program, ref *bytecode.NativeRef) nativeAccess {
	if access, ok := nativeAccesses[ref.Name]; ok {
		return access
	}
	if strings.HasPrefix(ref.Name, "re.") || strings.HasPrefix(ref.Name, "core.TaskLocal.") {
		return nil // they never change
	}
	var all []nativeAccess
	for i, id := range ref.Params {
		switch prog.Types[id].Kind {
		case bytecode.TList, bytecode.TBuffer:
			all = append(all, func(a *raceArgs) { a.elems(i, 0, a.len(i)) })
		case bytecode.TMap, bytecode.TSet:
			all = append(all, func(a *raceArgs) { a.whole(i) })
		case bytecode.TNative:
			all = append(all, func(a *raceArgs) { a.acquire(i); a.release(i) })
		}
	}
	if len(all) == 0 {
		return nil
	}
	return func(a *raceArgs) {
		for _, access := range all {
			access(a)
		}
	}
}

// Kinds of access that several natives have.
var (
	readsLength = func(a *raceArgs) { a.whole(0) }
	readsAt     = func(a *raceArgs) { a.elem(0, a.int(1)) }
	readsSlice  = func(a *raceArgs) { a.elems(0, a.int(1), a.int(2)) }
	readsAll    = func(a *raceArgs) { a.elems(0, 0, a.len(0)) }
	readsDeep   = func(a *raceArgs) { a.deep(0) }
	changes     = func(a *raceArgs) { a.writes(0) }
	loads       = func(a *raceArgs) { a.acquire(0) }
	stores      = func(a *raceArgs) { a.release(0) }
	searches    = func(a *raceArgs) { a.deep(0); a.deep(1) }

	readsDefaults = func(a *raceArgs) { a.deep(1) }
)

// nativeAccesses are those that the kinds of the arguments do not tell.
var nativeAccesses = map[string]nativeAccess{
	"list.len":      readsLength,
	"list.push":     changes,
	"list.pop":      changes,
	"list.insert":   changes,
	"list.remove":   changes,
	"list.clear":    changes,
	"list.truncate": changes,
	"list.reserve":  changes,
	"list.fill":     changes,
	"list.reverse":  changes,
	"list.extend":   func(a *raceArgs) { a.elems(1, 0, a.len(1)); a.writes(0) },
	"list.swap": func(a *raceArgs) {
		a.writesElem(0, a.int(1))
		a.writesElem(0, a.int(2))
	},
	"list.first":        func(a *raceArgs) { a.elem(0, 0) },
	"list.last":         func(a *raceArgs) { a.elem(0, a.len(0)-1) },
	"list.get":          readsAt,
	"list.contains":     searches,
	"list.index_of":     searches,
	"list.slice":        readsSlice,
	"list.take":         func(a *raceArgs) { a.elems(0, 0, a.int(1)) },
	"list.skip":         func(a *raceArgs) { a.elems(0, a.int(1), a.len(0)) },
	"list.repeat":       readsAll,
	"core.showing":      readsDeep,
	"core.text_with":    readsDeep,
	"list.sort":         func(a *raceArgs) { a.deep(0); a.writes(0) },
	"core.sort_by_keys": func(a *raceArgs) { a.deep(1); a.writes(0) },
	"core.become": func(a *raceArgs) {
		a.elems(1, 0, a.len(1))
		a.elems(2, 0, a.len(2))
		a.writes(0)
	},
	"list.min": readsDeep,
	"list.max": readsDeep,

	"buffer.len":         readsLength,
	"buffer.write":       changes,
	"buffer.write_bytes": changes,
	"buffer.push":        changes,
	"buffer.get":         readsAt,
	"buffer.set":         func(a *raceArgs) { a.writesElem(0, a.int(1)) },
	"buffer.clear":       changes,
	"buffer.truncate":    changes,
	"buffer.reserve":     changes,
	"buffer.slice":       readsSlice,

	"map.clear":  changes,
	"map.remove": changes,
	"map.update": func(a *raceArgs) { a.whole(1); a.writes(0) },
	"set.clear":  changes,
	"set.add":    changes,
	"set.remove": changes,
	"set.update": func(a *raceArgs) { a.whole(1); a.writes(0) },

	"core.local_push":    nil,
	"core.task_local":    nil,
	"csv.text_of":        readsDeep,
	"json.encode":        readsDeep,
	"toml.encode":        readsDeep,
	"yaml.encode":        readsDeep,
	"json.decode_as":     readsDefaults,
	"toml.decode_as":     readsDefaults,
	"yaml.decode_as":     readsDefaults,
	"yaml.decode_all_as": nil,

	"sync.AtomicInt.load":   loads,
	"sync.AtomicInt.store":  stores,
	"sync.AtomicBool.load":  loads,
	"sync.AtomicBool.store": stores,
}
