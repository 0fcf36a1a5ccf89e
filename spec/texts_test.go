package spec

import (
	"strings"
	"testing"

	"github.com/runnel-lang/runnel/internal/testgen/longtest"
)

// docFolder has the guides and the book.
const docFolder = "../doc/"

// textPrograms is a text and how many programs it has at least.
type textPrograms struct {
	folder, name string
	least        int
}

// texts are definitions of modules, guides and pages of the book.
var texts = []textPrograms{
	{"", "actors.md", 30},
	{"", "reactive.md", 30},
	{docFolder, "testing.md", 2},
	{docFolder, "book/README.md", 1},
	{docFolder, "book/tour.md", 35},
	{docFolder, "book/concurrency.md", 25},
	{docFolder, "book/loop.md", 2},
	{docFolder, "book/actors.md", 12},
	{docFolder, "book/reactive.md", 15},
}

// eachProgram calls f with each program of the texts.
func eachProgram(t *testing.T, f func(t *testing.T, name string, b block, e expectation)) {
	for _, text := range texts {
		t.Run(text.name, func(t *testing.T) {
			for _, b := range blocksOf(t, text.folder+text.name, text.least) {
				t.Run(strings.TrimLeft(b.section, "0123456789. "), func(t *testing.T) {
					t.Parallel()
					t.Logf("%s%s:%d", text.folder, text.name, b.line)
					e, err := expectations(b.src)
					if err != nil {
						t.Fatal(err)
					}
					e.checkOnly = e.checkOnly || b.check
					f(t, strings.TrimSuffix(text.name, "md")+"rnl", b, e)
				})
			}
		})
	}
}

// TestTexts runs the programs on one worker, on several and under seeds: what
// they print must not depend on the schedule.
func TestTexts(t *testing.T) {
	schedules := longtest.Sample(caseSchedules(*schedulesFull), 3)
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
		for _, seed := range longtest.Sample([]uint64{0, 1, 2, 3, 4}, 5) {
			noRaces(t, name, b.src, e, seed)
		}
	})
}
