//go:build !race

package vm

import (
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Scripts may race on every object. The tests here do it on purpose, so they
// are left out of builds with the race detector. An operation may throw
// RaceError or IndexError or give a stale value; it must never fail in Go or hang.

// together runs work on n workers of one instance until the time is over.
func together(t *testing.T, f *fixture, work func(f *fixture, worker, turn int)) {
	t.Helper()
	debug.SetPanicOnFault(false)
	var wg sync.WaitGroup
	end := time.Now().Add(400 * time.Millisecond)
	failures := make(chan string, 4)
	for k := range 4 {
		own := &fixture{types: f.types, prog: f.prog, inst: f.inst, w: &Worker{inst: f.inst, prog: f.prog}}
		own.t = own.newTask()
		wg.Go(func() {
			for turn := 0; time.Now().Before(end); turn++ {
				if msg := attempt(own, work, k, turn); msg != "" {
					failures <- msg
					return
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(2 * time.Minute):
		t.Fatal("an operation hangs")
	}
	select {
	case msg := <-failures:
		t.Fatal(msg)
	default:
	}
}

// attempt tells what failed, if it was not a script's error.
func attempt(f *fixture, work func(f *fixture, worker, turn int), worker, turn int) (failure string) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *thrown:
			if e.kind != ErrRace && e.kind != ErrIndex && e.kind != ErrModified {
				failure = "unexpected error: " + e.text
			}
		default:
			failure = fmt.Sprintf("%v\n%s", e, debug.Stack())
		}
	}()
	work(f, worker, turn)
	f.w.pins = f.w.pins[:0]
	return ""
}

func TestRacingLists(t *testing.T) {
	f, tt := newFixture(Limits{})
	for _, c := range []struct {
		name string
		id   uint32
		elem func(n int) Value
	}{
		{"ints", tt.ints, func(n int) Value { return vi(int64(n)) }},
		{"bools", tt.bools, func(n int) Value { return BoolValue(n%2 == 0) }},
		{"strs", tt.strs, func(n int) Value { return vs(fmt.Sprint(n)) }},
		{"anys", tt.anys, func(n int) Value {
			if n%2 == 0 {
				return BoxInt(int64(n))
			}
			return vs("s")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := f.list(c.id)
			other := f.list(c.id, c.elem(1), c.elem(2), c.elem(3))
			together(t, f, func(f *fixture, worker, turn int) {
				list := (*List)(l.p)
				switch (turn*7 + worker) % 16 {
				case 0, 1, 2:
					for i := range 20 {
						listPush(f.w, f.prog, list, c.elem(i))
					}
				case 3:
					for range 15 {
						listPop(f.prog, list)
					}
				case 4:
					f.call("list.insert", bytecode.IDUnit, l, vi(0), c.elem(turn))
				case 5:
					f.call("list.remove", f.prog.Types[c.id].Elem, l, vi(1))
				case 6:
					f.call("list.extend", bytecode.IDUnit, l, other)
				case 7:
					f.call("list.extend", bytecode.IDUnit, l, l)
					if list.b.n > 1000 {
						f.call("list.clear", bytecode.IDUnit, l)
					}
				case 8:
					f.call("list.sort", c.id, l)
				case 9:
					f.call("list.reverse", c.id, l)
				case 10:
					f.text(c.id, l)
				case 11:
					equal(f.t, c.id, l, other)
				case 12:
					f.call("list.truncate", bytecode.IDUnit, l, vi(3))
				case 13:
					listSlice(f.w, f.prog, list, 1, 3)
				case 14:
					f.call("list.copy", c.id, l)
				default:
					f.call("list.contains", bytecode.IDBool, l, c.elem(turn%30))
				}
				if b := list.b; b.n > b.cap {
					panic("a length above the capacity")
				}
			})
		})
	}
}

func TestRacingMaps(t *testing.T) {
	f, tt := newFixture(Limits{})
	kinds := keyMakers(f, tt)
	for id, key := range kinds {
		t.Run(f.prog.Types[f.prog.Types[id].Key].Name, func(t *testing.T) {
			mv := f.mapOf(id)
			m := (*Map)(mv.p)
			together(t, f, func(f *fixture, worker, turn int) {
				n := (turn*31 + worker*17) % 200
				switch (turn*5 + worker) % 11 {
				case 0, 1, 2, 3:
					for i := range 30 {
						mapSet(f.w, m, key(n+i), vi(int64(i)))
					}
				case 4, 5:
					for i := range 20 {
						mapRemove(f.w, m, key(n+i))
					}
				case 6:
					for i := range 20 {
						mapGet(f.w, m, key(n+i))
					}
				case 7:
					pos, steps := 0, 0
					for {
						next, _, _, ok := mapNext(m, pos)
						if !ok {
							break
						}
						if steps++; steps > 1<<20 {
							panic("a loop over a map does not end")
						}
						pos = next
					}
				case 8:
					mapCopy(f.w, id, m)
				case 9:
					f.text(id, mv)
				default:
					if turn%50 == 0 {
						mapClear(f.w, m)
					}
					equal(f.t, id, mv, mv)
				}
				if n := mapLen(m); n < 0 || n > 1<<20 {
					panic(fmt.Sprint("a map of ", n, " entries"))
				}
			})
		})
	}
}

func TestRacingReferenceValues(t *testing.T) {
	f, tt := newFixture(Limits{})
	mv := f.mapOf(tt.strStr)
	keys := make([]Value, 100)
	for i := range keys {
		keys[i] = vs(fmt.Sprint(i))
	}
	together(t, f, func(f *fixture, worker, turn int) {
		k := keys[(turn*13+worker)%len(keys)]
		switch (turn + worker) % 5 {
		case 0, 1:
			mapSet(f.w, (*Map)(mv.p), k, k)
		case 2:
			mapRemove(f.w, (*Map)(mv.p), k)
		case 3:
			f.call("map.values", tt.strs, mv)
		default:
			if v := f.call("map.get", tt.optStr, mv, k); v.p != nil {
				require.NotEmpty(t, (*Str)(v.p).String())
			}
		}
	})
}

func TestRacingBuffers(t *testing.T) {
	f, _ := newFixture(Limits{})
	buf := f.call("buffer.new", bytecode.IDBuffer)
	together(t, f, func(f *fixture, worker, turn int) {
		switch (turn + worker) % 6 {
		case 0, 1:
			f.call("buffer.write", bytecode.IDUnit, buf, vs("0123456789"))
		case 2:
			f.call("buffer.push", bytecode.IDUnit, buf, vi(65))
		case 3:
			f.call("buffer.to_bytes", bytecode.IDBytes, buf)
		case 4:
			f.call("buffer.truncate", bytecode.IDUnit, buf, vi(5))
		default:
			f.call("buffer.slice", bytecode.IDBytes, buf, vi(0), vi(3))
		}
	})
}

// A str is UTF-8 whatever changes while it is made.
func TestTextsOfRacingDataAreUTF8(t *testing.T) {
	f, tt := newFixture(Limits{})
	short, long := make([]string, 2000), make([]string, 2000)
	for i := range short {
		short[i], long[i] = "é", "€"
	}
	list, longs := f.strs(tt.strs, short...), f.strs(tt.strs, long...)
	shorts := f.strs(tt.strs, short...)
	buf := f.call("buffer.new", bytecode.IDBuffer)
	f.call("buffer.write", bytecode.IDUnit, buf, vs(strings.Repeat("ab", 4000)))
	copies := func(from Value) {
		to, b := (*List)(list.p).b, (*List)(from.p).b
		for i := range b.n {
			to.store(elemP, i, b.load(elemP, i))
		}
	}
	together(t, f, func(f *fixture, worker, turn int) {
		switch {
		case worker == 0:
			copies(longs)
			copies(shorts)
		case worker == 1:
			f.call("buffer.set", bytecode.IDUnit, buf, vi(4000), vi(0xc3))
			f.call("buffer.set", bytecode.IDUnit, buf, vi(4000), vi(0x61))
		case turn%2 == 0:
			if text := (*Str)(f.call("list.join", bytecode.IDStr, list, vs("")).p).String(); !utf8.ValidString(text) {
				panic("list.join gives a str that is not UTF-8")
			}
		default:
			defer func() {
				if e := recover(); e != nil {
					if thrown, ok := e.(*thrown); !ok || thrown.kind != ErrValue { // the buffer is not at the moment
						panic(e)
					}
				}
			}()
			if text := (*Str)(f.call("buffer.to_str", bytecode.IDStr, buf).p).String(); !utf8.ValidString(text) {
				panic("buffer.to_str gives a str that is not UTF-8")
			}
		}
	})
}
