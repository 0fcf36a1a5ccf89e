package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

// A meter runs programs and keeps what it measured.
type meter struct {
	bin      string
	target   time.Duration
	clock    string            // GNU time, which reports the peak memory; "" where there is none
	expected map[string]string // native Go's checksum for "workload size"
	failures []string
	broken   map[string]bool // "implementation workload" that failed: not run again

	startMillis map[string][]float64           // by implementation
	startMemory map[string]float64             // MiB, by implementation
	results     map[string]map[string]*samples // by workload and implementation
}

// samples are the measurements of one implementation on one workload.
type samples struct {
	size    int
	seconds []float64 // one for each round: at the nominal size, without start-up
	memory  float64   // MiB at the size that all implementations reached
}

func newMeter(bin string, target time.Duration) *meter {
	m := &meter{
		bin: bin, target: target,
		expected: map[string]string{}, broken: map[string]bool{},
		startMillis: map[string][]float64{}, startMemory: map[string]float64{},
		results: map[string]map[string]*samples{},
	}
	// A process begins with the peak of the one that started it, so a small
	// one's memory cannot be had from this process: GNU time is small.
	if path, err := exec.LookPath("time"); err == nil && exec.Command(path, "-f", "%M", "true").Run() == nil {
		m.clock = path
	} else {
		note("no GNU time on this machine: memory is not measured")
	}
	return m
}

// patience is how long a program may run. Erlang takes over a minute to let a
// million tasks sleep on a busy machine.
const patience = 3 * time.Minute

// run returns the output of a command and the time it took.
func run(command []string) (string, time.Duration, error) {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	if ctx.Err() != nil {
		err = fmt.Errorf("no end within %v", patience)
	} else if err != nil {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(errs.String()))
	}
	return strings.TrimSpace(out.String()), took, err
}

// timed runs a workload's program, compares its checksum with native Go's and
// gives the time. A failure is recorded, and said by false.
func (m *meter) timed(workload string, i *implementation, size int) (time.Duration, bool) {
	out, took, err := run(i.command(workload, size))
	if err == nil {
		var want string
		if want, err = m.checksum(workload, size); err == nil && out != want {
			err = fmt.Errorf("its checksum is %q, native Go's %q", out, want)
		}
	}
	if err != nil {
		m.broken[i.name+" "+workload] = true
		m.failures = append(m.failures, fmt.Sprintf("%s %s %d: %v", i.name, workload, size, err))
		note("FAILED %s", m.failures[len(m.failures)-1])
	}
	return took, err == nil
}

// checksum is what native Go prints.
func (m *meter) checksum(workload string, size int) (string, error) {
	key := fmt.Sprint(workload, " ", size)
	if sum, ok := m.expected[key]; ok {
		return sum, nil
	}
	sum, _, err := run([]string{filepath.Join(m.bin, "cpu-"+workload), strconv.Itoa(size)})
	if err == nil {
		m.expected[key] = sum
	}
	return sum, err
}

// memory is the peak resident memory of a command in MiB, 0 when unknown.
func (m *meter) memory(command []string) float64 {
	if m.clock == "" {
		return 0
	}
	report := filepath.Join(m.bin, "memory")
	if _, _, err := run(append([]string{m.clock, "-f", "%M", "-o", report}, command...)); err != nil {
		return 0
	}
	text, _ := os.ReadFile(report)
	kib, _ := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	return kib / 1024
}

// check runs every program once at its smallest size.
func (m *meter) check(chosen []workload, impls []*implementation) {
	for _, w := range chosen {
		for _, i := range impls {
			if i.can(w.name) {
				m.timed(w.name, i, w.sizes[0])
			}
		}
	}
}

// startUp times the empty program in rounds, after one round to warm up.
func (m *meter) startUp(impls []*implementation, rounds int) {
	for round := range rounds + 1 {
		for _, i := range shuffled(impls) {
			took, ok := m.timed(empty, i, 0)
			if ok && round > 0 {
				m.startMillis[i.name] = append(m.startMillis[i.name], took.Seconds()*1e3)
			}
		}
	}
	for _, i := range impls {
		m.startMemory[i.name] = m.memory(i.command(empty, 0))
	}
}

// measure times one workload: each implementation at a size of its own, all of
// them once a round in random order, so that the machine's moods hit them alike.
func (m *meter) measure(w workload, impls []*implementation, rounds int) {
	found := map[string]*samples{}
	m.results[w.name] = found
	for _, i := range impls {
		if i.can(w.name) && !m.broken[i.name+" "+w.name] {
			if size, ok := m.choose(w, i); ok {
				found[i.name] = &samples{size: size}
			}
		}
	}
	for range rounds {
		for _, i := range shuffled(impls) {
			s := found[i.name]
			if s == nil {
				continue
			}
			took, ok := m.timed(w.name, i, s.size)
			if !ok {
				delete(found, i.name)
				continue
			}
			s.seconds = append(s.seconds, m.net(i, took)*w.scale(s.size))
		}
	}

	common := w.sizes[len(w.sizes)-1]
	for _, s := range found {
		common = min(common, s.size)
	}
	line := w.name
	for _, i := range impls {
		if s := found[i.name]; s != nil {
			s.memory = m.memory(i.command(w.name, common))
			line += fmt.Sprintf("  %s %s", i.name, figures.Number(figures.Median(s.seconds)))
		}
	}
	note("%s", line)
}

// choose climbs the sizes until the next would take longer than the target.
func (m *meter) choose(w workload, i *implementation) (int, bool) {
	size := 0
	var seconds float64
	for _, next := range w.sizes {
		if size > 0 {
			estimate := seconds * w.scale(size) / w.scale(next)
			if estimate > m.target.Seconds() {
				break
			}
			if last := next == w.sizes[len(w.sizes)-1]; estimate < m.target.Seconds()/12 && !last {
				continue
			}
		}
		took, ok := m.timed(w.name, i, next)
		if !ok {
			return 0, false
		}
		size, seconds = next, m.net(i, took)
	}
	return size, true
}

// net is a time without start-up, in seconds; what is left of a run that took
// no longer than that is noise, and half a millisecond stands for it.
func (m *meter) net(i *implementation, took time.Duration) float64 {
	return max(took.Seconds()-figures.Median(m.startMillis[i.name])/1e3, 0.5e-3)
}

func shuffled(impls []*implementation) []*implementation {
	order := slices.Clone(impls)
	rand.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	return order
}
