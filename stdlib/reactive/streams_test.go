package reactive_test

import (
	"testing"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/cases"
)

// The cases of streams are run with several workers and under many schedules.

func TestReactiveStreamsUnderManySchedules(t *testing.T) {
	cases.Each(t, "../../spec/tests/reactive_streams")
}

// An emission does not have every subscription evaluated, and the end of one takes nothing
// from another that has subscribed to the same.
//
// origin: RK flaw 10
func TestOnlyReadersOfAChangeRunAndTheEndOfOneIsNoOthers(t *testing.T) {
	p := cases.Script().Compile(t, `
import reactive
let seen = mutex<[str]>([])
fn note(what: str) { lock seen as s { s.push(what) } }
fn take() -> [str] { lock seen as s { let all = s; s = []; all } }

let (time, page) = (reactive.cell(1), reactive.cell("home"))
let shared = reactive.computed(|| { let n = time.get(); note("shared"); n * 10 })
let loads = reactive.resource(|| { let n = time.get(); note("load"); yield_now(); n })
let first = reactive.effect(|| note("first ${shared.get()} ${loads.or(0)}"))
let second = reactive.effect(|| note("second ${shared.get()} ${loads.or(0)}"))
reactive.effect(|| note("title ${page.get()}"))
loads.wait()
reactive.idle()
take()

page.set("news")
print(take())
time.set(2)
loads.wait()
reactive.idle()
print(take().tally() == {"shared": 1, "load": 1, "first 20 0": 1, "second 20 0": 1, "first 20 2": 1, "second 20 2": 1})

first.dispose()
time.set(3)
loads.wait()
reactive.idle()
print(take().tally() == {"shared": 1, "load": 1, "second 30 0": 1, "second 30 3": 1})
`)
	const want = "[\"title news\"]\ntrue\ntrue\n"
	p.Prints(t, want, runnel.WithWorkers(1))
	p.Prints(t, want, runnel.WithWorkers(4))
	p.Explore(t, cases.Schedules(), want)
}
