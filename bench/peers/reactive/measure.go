package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// A key says what was measured.
type key struct {
	side  *side
	graph string
}

// A meter runs programs and keeps the seconds they took, by round.
type meter struct {
	sides   []*side
	times   int // that a process measures
	seconds map[key][]float64
	broken  map[key]bool // not run again
}

func newMeter(sides []*side, times int) *meter {
	return &meter{sides, times, map[key][]float64{}, map[key]bool{}}
}

// round runs a graph once with all sides, in random order. A peer's program may
// break down, and then has no figure; another result than the expected one is an
// error, and so is all that happens to Runnel's.
func (m *meter) round(g graph) error {
	turns := slices.Clone(m.sides)
	rand.Shuffle(len(turns), func(a, b int) { turns[a], turns[b] = turns[b], turns[a] })
	for _, s := range turns {
		k := key{s, g.name}
		if m.broken[k] {
			continue
		}
		out, err := run(slices.Concat(s.command(g.program), g.arguments, []string{strconv.Itoa(m.times)}))
		if err != nil && s.peer {
			note("%s, %s broke down: %v", s.title, g.name, err)
			m.broken[k] = true
			delete(m.seconds, k)
			continue
		}
		var seconds float64
		if err == nil {
			seconds, err = secondsOf(out, g.result)
		}
		if err != nil {
			return fmt.Errorf("%s, %s: %w", s.title, g.name, err)
		}
		m.seconds[k] = append(m.seconds[k], seconds)
	}
	return nil
}

func run(command []string) (string, error) {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, errs.String())
	}
	return string(out), nil
}

// secondsOf returns the time that a program has printed, if its result is right.
func secondsOf(out, want string) (float64, error) {
	var seconds float64
	var result string
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		switch {
		case len(words) == 3 && words[0] == "TIME":
			seconds, _ = strconv.ParseFloat(words[2], 64)
		case len(words) == 2 && words[0] == "RESULT":
			result = words[1]
		}
	}
	if result != want {
		return 0, fmt.Errorf("its result is %q, it should be %q", result, want)
	}
	if seconds <= 0 {
		return 0, fmt.Errorf("it printed no time: %q", out)
	}
	return seconds, nil
}
