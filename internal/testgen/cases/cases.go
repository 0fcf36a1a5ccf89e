// Package cases runs programs with tasks in all the ways in which they must do the same: with
// one worker and several, under schedules, and looking for races.
package cases

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// All tests of actors, with 200 schedules for each program:
//
//	go test ./stdlib/actor -schedules 200
var explored = flag.Int("schedules", 6, "how many schedules each program with tasks is run under, a third of them with -short")

// A program that takes long is run under a few schedules only, unless RUNNEL_LONG is set.
const few, soon = 3, 200 * time.Millisecond

// Schedules is how many a program is run under.
func Schedules() int {
	if testing.Short() {
		return *explored / 3
	}
	return *explored
}

// Script can import all modules and reach what a process can, but not end it.
func Script(opts ...runnel.Option) runneltest.Runner {
	host := all.Host(nil)
	host.Exit = nil
	return runneltest.Runner{Modules: all.Modules(), Host: host, Options: opts}
}

// Each checks the programs of a folder, each in a test of its own: half of them, unless all
// are asked for.
func Each(t *testing.T, folder string) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.rnl"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no programs in", folder, err)
	}
	for _, path := range longtest.Sample(paths, 2) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".rnl"), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			Check(t, string(src), runneltest.Expected(string(src)))
		})
	}
}

// Check expects the same of a program in all ways of running it.
func Check(t *testing.T, src string, want runneltest.Expectation) {
	t.Helper()
	if want.Codes != nil {
		Script().Refuses(t, src, want.Codes...)
		return
	}
	p := Script().Compile(t, src)
	if !strings.HasPrefix(src, "// on a virtual clock\n") {
		want.Check(t, "one worker", p.Run(t, runnel.WithWorkers(1)))
		for range longtest.Of(1, 5) {
			want.Check(t, "four workers", p.Run(t, runnel.WithWorkers(4)))
		}
	}
	begun, ran := time.Now(), 0
	for name, schedule := range runneltest.Schedules(Schedules()) {
		if !longtest.Asked() && ran >= few && time.Since(begun) > soon {
			t.Logf("%d schedules: this program takes long", ran)
			break
		}
		want.Check(t, name, p.Run(t, schedule))
		ran++
	}
	for name, schedule := range runneltest.Schedules(longtest.Of((ran+5)/6, ran/2)) {
		want.Check(t, "looking for races, "+name, p.Run(t, schedule, runnel.WithRace()))
	}
}
