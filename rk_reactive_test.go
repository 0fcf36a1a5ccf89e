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
