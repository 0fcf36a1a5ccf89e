package hostile_test

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/internal/vmtest"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// probe measures what a script takes between two of its calls.
type probe struct {
	turns   int
	started time.Time
	charged int64 // by the instance's account
	live    int64 // of it, what is reachable
	heap    int64 // what Go's heap has grown by
	churn   int64 // what was allocated on Go's heap altogether
}

// charge and turns at which enough has been measured.
const (
	enoughCharge = 2 << 20
	enoughTurns  = 10_000
	enoughTime   = 200 * time.Millisecond
)

func heap() (live, total int64) {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what finalizers and pools still held
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc), int64(m.TotalAlloc)
}

func (p *probe) module() *vm.Module {
	m := vm.NewModule("probe", `/// Measures memory.

/// Begins to measure.
pub native fn begin()
/// Tells whether there is more to do.
pub native fn more() -> bool
/// Ends it.
pub native fn end()
`)
	m.Signatures = map[string]bytecode.Signature{"begin": "() unit", "more": "() bool", "end": "() unit"}
	sign := func(c *vm.Call, sign int64) {
		// The other way round at the end, so that measuring itself cancels out.
		p.live += sign * c.MemoryInUse()
		p.charged += sign * vmtest.MemoryCharged(c)
		live, total := heap()
		p.heap += sign * live
		p.churn += sign * total
	}
	m.Native("begin", func(c *vm.Call) {
		p.started = time.Now()
		sign(c, -1)
	})
	m.Native("more", func(c *vm.Call) {
		p.turns++
		c.SetBool(p.turns < 64 && time.Since(p.started) < 2*time.Second || p.charged+vmtest.MemoryCharged(c) < enoughCharge && p.turns < enoughTurns && time.Since(p.started) < enoughTime)
	})
	m.Native("end", func(c *vm.Call) { sign(c, +1) })
	return m
}

const (
	keepValues = `let _keep = [$]
probe.begin()
while probe.more() { _keep.push($) }
PAUSE
probe.end()
print(_keep.len())
`
	doStatement = `$
probe.begin()
while probe.more() { $ }
probe.end()
`
)

// little is growth that nobody is charged for: ended tasks that are kept to be
// used again, what the Go runtime itself does meanwhile.
const little = 256 << 10

// connected is what Go keeps for connections and processes that a use has had.
func connected(u use) int64 {
	switch module, _, _ := strings.Cut(u.name, "."); module {
	case "http", "net", "process", "sys", "sql":
		return 2 << 20
	}
	return 0
}

// What a script keeps alive it has been charged for, whatever made it, and the
// account of what is alive agrees.
func TestChargedAgainstRealMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector has memory of its own")
	}
	type row struct {
		use
		probe
	}
	measure := func(u use) (r row, ok bool) {
		var p probe
		pause := ""
		if strings.Contains(u.expr, "spawn") {
			pause = "sleep(20ms)" // its tasks begin to wait, or end
		}
		values := strings.Replace(keepValues, "PAUSE", pause, 1)
		in, err := runUse(t, u, u.program(values, doStatement), time.Minute, runnel.WithHost(grantedHost(t)),
			runnel.WithLimits(runnel.Limits{Memory: 1 << 40}), runnel.WithModules(p.module()))
		if err != nil {
			t.Errorf("%s: %s: %v", u.name, u.expr, err)
			return row{}, false
		}
		in.Close()
		return row{u, p}, true
	}
	tooMuch := func(r row) bool {
		h := float64(r.heap - little - connected(r.use))
		return h > 0 && (float64(r.charged) < 0.8*h || float64(r.live) < 0.8*h)
	}
	var rows []row
	for _, u := range longtest.Some(uses(t), 20) {
		if u.name == "sys.exit" {
			continue // the host's function does not return
		}
		r, ok := measure(u)
		for again := 0; ok && again < 2 && tooMuch(r); again++ {
			r, ok = measure(u) // what a process makes once, such as tables and caches, is there now
		}
		if ok {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Compare(float64(a.charged)/float64(max(1, a.heap)), float64(b.charged)/float64(max(1, b.heap)))
	})
	var table strings.Builder
	fmt.Fprintf(&table, "%-28s %8s %10s %10s %10s %10s %8s %8s %8s\n", "use", "turns", "heap", "charged", "live", "churn", "charged/h", "live/h", "churn/c")
	for _, r := range rows {
		h := float64(max(1, r.heap))
		fmt.Fprintf(&table, "%-28s %8d %10d %10d %10d %10d %8.2f %8.2f %8.2f  %s\n", r.name, r.turns, r.heap, r.charged, r.live, r.churn,
			float64(r.charged)/h, float64(r.live)/h, float64(r.churn)/float64(max(1, r.charged)), r.expr)
		if r.heap < little+connected(r.use) {
			continue
		}
		h -= float64(little + connected(r.use))
		if float64(r.charged) < 0.8*h {
			t.Errorf("%s: charged %d for %d bytes: %s", r.name, r.charged, r.heap, r.expr)
		}
		if float64(r.live) < 0.8*h {
			t.Errorf("%s: counted %d of %d bytes that are alive: %s", r.name, r.live, r.heap, r.expr)
		}
		if float64(r.live) > 4*float64(r.heap) {
			t.Errorf("%s: counted %d where %d bytes are alive: %s", r.name, r.live, r.heap, r.expr)
		}
	}
	if file := os.Getenv("RUNNEL_CHARGES"); file != "" {
		require.NoError(t, os.WriteFile(file, []byte(table.String()), 0o644))
	}
}
