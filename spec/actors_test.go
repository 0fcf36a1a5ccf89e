package spec

import (
	"strings"
	"testing"
)

// TestActorsText runs the programs of actors.md on one worker, on several and
// under seeds: what they print must not depend on the schedule.
func TestActorsText(t *testing.T) {
	schedules := caseSchedules(*schedulesFull)
	for _, b := range blocksOf(t, "actors.md", 30) {
		t.Run(strings.TrimLeft(b.section, "0123456789. "), func(t *testing.T) {
			t.Parallel()
			t.Logf("actors.md:%d", b.line)
			e, err := expectations(b.src)
			if err != nil {
				t.Fatal(err)
			}
			e.checkOnly = e.checkOnly || b.check
			verify(t, "actors.rnl", b.src, e)
			if e.checkOnly || e.fails() || t.Failed() {
				return
			}
			for _, s := range schedules {
				if wrong := runScheduled(t, "actors.rnl", b.src, e, s); wrong != "" {
					t.Fatalf("%s: %s", s.name, wrong)
				}
			}
		})
	}
}

func TestActorsTextHasNoRaces(t *testing.T) {
	for _, b := range blocksOf(t, "actors.md", 30) {
		e, err := expectations(b.src)
		if err != nil {
			t.Fatal(err)
		}
		if e.checkOnly || b.check || e.fails() {
			continue
		}
		t.Run(strings.TrimLeft(b.section, "0123456789. "), func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(5) {
				noRaces(t, "actors.rnl", b.src, e, seed)
			}
		})
	}
}
