package runnel_test

import (
	"testing"
)

// The rows of reactive-kit's reactive functions, as module reactive has them:
// resources, which wait, and changes, which are read. Each is a case, or several, of
// spec/tests/reactive_streams, run with several workers and under many schedules.

func TestRK29_OnlyWhatDependsOnAChangeRuns(t *testing.T)           { rkReactive(t, "RK29_") }
func TestRK30_PendingValuesFallbacksErrorsAndRefresh(t *testing.T) { rkReactive(t, "RK30_") }
func TestRK31_AScriptPrintsALineForEachValue(t *testing.T)         { rkReactive(t, "RK31_") }

// TestReactiveStreamsUnderEverySchedule has the rest of the cases.
func TestReactiveStreamsUnderEverySchedule(t *testing.T) {
	rkReactive(t, "a_", "an_", "changes_", "nobody_", "resources_", "until_")
}

// rkReactive runs the cases of streams whose names begin so.
func rkReactive(t *testing.T, prefixes ...string) {
	eachCase(t, "reactive_streams", prefixes, func(t *testing.T, c rkCase, src string) { c.explore(t, src) })
}

// The tenth of the known problems: an emission had every subscription evaluated, and
// the end of one could take from another what both had subscribed to.
func TestRKFlaw10_OnlyReadersOfAChangeRunAndTheEndOfOneIsNoOthers(t *testing.T) {
	prints(t, `
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
`, `["title news"]`, "true", "true")
}
