package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// A key says what was measured: a peer's name, a workload, and on how many processors.
type key struct {
	peer, workload string
	processors     int
}

var processorCounts = []int{1, 2}

// A meter runs programs and keeps what they said and held, by round.
type meter struct {
	peers []*peer
	ns    map[key][]float64 // an operation; of idle: starting one
	bytes map[key][]float64 // of idle: those an actor holds, resident
}

func newMeter(peers []*peer) *meter {
	return &meter{peers: peers, ns: map[key][]float64{}, bytes: map[key][]float64{}}
}

// round runs a workload once with all, in random order.
func (m *meter) round(w *workload) error {
	type turn struct {
		peer       *peer
		processors int
	}
	var turns []turn
	for _, p := range m.peers {
		if !p.does(w.name) {
			continue
		}
		for _, processors := range processorCounts {
			turns = append(turns, turn{p, processors})
		}
	}
	rand.Shuffle(len(turns), func(a, b int) { turns[a], turns[b] = turns[b], turns[a] })
	for _, t := range turns {
		k := key{t.peer.name, w.name, t.processors}
		if err := m.measure(k, t.peer.command(w.name, t.processors), w.size); err != nil {
			return fmt.Errorf("%s, %s on %d: %w", k.peer, k.workload, k.processors, err)
		}
	}
	return nil
}

func (m *meter) measure(k key, command []string, size int) error {
	ran, err := run(command, size)
	if err != nil {
		return err
	}
	metric := "total"
	if k.workload == "idle" {
		empty, err := run(command, 0)
		if err != nil {
			return fmt.Errorf("with no actor: %w", err)
		}
		m.bytes[k] = append(m.bytes[k], (ran.resident-empty.resident)/float64(size))
		metric = "start"
	}
	if ran.seconds[metric] <= 0 {
		return fmt.Errorf("it printed no time %q", metric)
	}
	m.ns[k] = append(m.ns[k], ran.seconds[metric]/float64(size)*1e9)
	return nil
}

// outcome is what a program said, and what it held when it said that its actors are idle.
type outcome struct {
	seconds  map[string]float64
	result   string
	resident float64
}

// run runs a program whose result is its size.
func run(command []string, size int) (outcome, error) {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	arguments := append(slices.Clone(command[1:]), strconv.Itoa(size))
	cmd := exec.CommandContext(ctx, command[0], arguments...)
	var errs strings.Builder
	cmd.Stderr = &errs
	in, err := cmd.StdinPipe()
	if err != nil {
		return outcome{}, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return outcome{}, err
	}
	if err := cmd.Start(); err != nil {
		return outcome{}, err
	}
	said, err := listen(cmd.Process.Pid, out, in)
	if err != nil {
		stop()
	}
	if ended := cmd.Wait(); err == nil {
		err = ended
	}
	if err == nil && said.result != strconv.Itoa(size) {
		err = fmt.Errorf("its result is %q, it should be %d", said.result, size)
	}
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, errs.String())
	}
	return said, err
}

// listen reads what a program says. When it says that its actors are idle, it
// is looked at and told to go on.
func listen(pid int, out io.Reader, in io.Writer) (outcome, error) {
	o := outcome{seconds: map[string]float64{}}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 3 && words[0] == "TIME":
			o.seconds[words[1]], _ = strconv.ParseFloat(words[2], 64)
		case len(words) == 2 && words[0] == "RESULT":
			o.result = words[1]
		case len(words) == 2 && words[0] == "IDLE":
			var err error
			if o.resident, err = residentBytes(pid); err != nil {
				return o, err
			}
			if _, err := fmt.Fprintln(in); err != nil {
				return o, err
			}
		}
	}
	return o, lines.Err()
}

func residentBytes(pid int) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, rest, found := strings.Cut(string(text), "VmRSS:")
	kib, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	v, err := strconv.ParseFloat(kib, 64)
	if !found || err != nil {
		return 0, errors.New("the system does not tell the resident memory")
	}
	return v * 1024, nil
}
