package spec

import (
	"strings"
	"testing"
)

// docFolder has the guides and the book.
const docFolder = "../doc/"

// texts are the guides and pages of the book with programs, by their paths in docFolder,
// and how many programs each has at least.
var texts = map[string]int{"actors.md": 30, "reactive.md": 30, "testing.md": 2, "book/README.md": 1, "book/tour.md": 35, "book/concurrency.md": 25, "book/actors.md": 12, "book/reactive.md": 15}

// eachProgram calls f with each program of the texts.
func eachProgram(t *testing.T, f func(t *testing.T, name string, b block, e expectation)) {
	for text, least := range texts {
		t.Run(text, func(t *testing.T) {
			for _, b := range blocksOf(t, docFolder+text, least) {
				t.Run(strings.TrimLeft(b.section, "0123456789. "), func(t *testing.T) {
					t.Parallel()
					t.Logf("%s%s:%d", docFolder, text, b.line)
					e, err := expectations(b.src)
					if err != nil {
						t.Fatal(err)
					}
					e.checkOnly = e.checkOnly || b.check
					f(t, strings.TrimSuffix(text, "md")+"rnl", b, e)
				})
			}
		})
	}
}

// TestTexts runs the programs on one worker, on several and under seeds: what
// they print must not depend on the schedule.
func TestTexts(t *testing.T) {
	schedules := caseSchedules(*schedulesFull)
	eachProgram(t, func(t *testing.T, name string, b block, e expectation) {
		verify(t, name, b.src, e)
		if e.checkOnly || e.fails() || t.Failed() {
			return
		}
		for _, s := range schedules {
			if wrong := runScheduled(t, name, b.src, e, s); wrong != "" {
				t.Fatalf("%s: %s", s.name, wrong)
			}
		}
	})
}

func TestTextsHaveNoRaces(t *testing.T) {
	eachProgram(t, func(t *testing.T, name string, b block, e expectation) {
		if e.checkOnly || e.fails() {
			return
		}
		for seed := range uint64(5) {
			noRaces(t, name, b.src, e, seed)
		}
	})
}
