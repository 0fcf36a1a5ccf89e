package main

import (
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/chrometrace"
	"github.com/runnel-lang/runnel/vm"
)

// watch is what --trace and --stats see of a run.
type watch struct {
	c     *cli
	prog  *runnel.Program
	in    *runnel.Instance
	began time.Time
	trace *chrometrace.Writer
	files []io.Closer // under the trace, the innermost first
	once  sync.Once   // the script may exit while it comes to its end
}

// Event is for the trace.
func (w *watch) Event(e vm.Event) { w.trace.Event(e) }

// start makes the instance to be watched.
func (w *watch) start(p *runnel.Program) error {
	if w.c.trace != "" {
		if err := w.openTrace(); err != nil {
			return err
		}
	}
	w.began = time.Now()
	w.prog, w.in = p, p.NewInstance()
	return nil
}

// races reports the data races of a script that exits.
func (w *watch) races() int { return w.c.races(w.prog, w.in) }

func (w *watch) openTrace() error {
	file, err := os.Create(w.c.trace)
	if err != nil {
		return err
	}
	var out io.Writer = file
	w.files = []io.Closer{file}
	if strings.HasSuffix(w.c.trace, ".gz") {
		z := gzip.NewWriter(file)
		out, w.files = z, []io.Closer{z, file}
	}
	w.trace = chrometrace.New(out)
	return nil
}

// end finishes the trace and shows the statistics.
func (w *watch) end() (err error) {
	w.once.Do(func() {
		if w.trace != nil {
			err = w.trace.Close()
		}
		for _, f := range w.files {
			if e := f.Close(); err == nil {
				err = e
			}
		}
		if w.c.stats && w.in != nil {
			w.table(w.c.stderr)
		}
	})
	return err
}

func (w *watch) table(out io.Writer) {
	s := w.in.Stats()
	cpu, memory := usage()
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	type row struct {
		name  string
		value any
	}
	rows := []row{
		{"tasks spawned", s.Spawned},
		{"failed", s.Failed},
		{"cancelled", s.Cancelled},
		{"alive at most", s.MaxAlive},
		{"switches", s.Switches},
		{"preemptions", s.Preempted},
		{"values sent", s.Sends},
		{"dead letters", s.DeadLetters},
		{"IO jobs", s.Jobs},
		{"longest look", rounded(s.LongestLook)},
		{"wall time", rounded(time.Since(w.began))},
		{"CPU time", rounded(cpu)},
		{"peak memory", fmt.Sprintf("%.1f MiB", float64(memory)/(1<<20))},
	}
	if s.Compiled > 0 {
		rows = append(rows, row{"compiled", s.Compiled}, row{"machine code", fmt.Sprintf("%d KiB", s.MachineCode>>10)})
		for _, reason := range mostOften(s.Exits) {
			rows = append(rows, row{"calls out: " + reason, s.Exits[reason]})
		}
	}
	for _, row := range rows {
		fmt.Fprintf(t, "%s\t%v\t\n", row.name, row.value)
	}
	t.Flush()
}

// maxReasons is how many are listed why machine code was left.
const maxReasons = 8

// mostOften are the reasons that count most, the first most of all.
func mostOften(counts map[string]uint64) []string {
	reasons := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return reasons[:min(maxReasons, len(reasons))]
}

// rounded keeps three or four digits.
func rounded(d time.Duration) time.Duration {
	unit := time.Microsecond
	for unit*10000 < d {
		unit *= 10
	}
	return d.Round(unit)
}
