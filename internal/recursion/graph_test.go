package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const source = `package p

import "slices"

type node struct{ next *node }

func (n *node) walk() { if n.next != nil { n.next.walk() } }

func even(n int) bool { return n == 0 || odd(n-1) }
func odd(n int) bool { return n != 0 && even(n-1) }

func straight() { even(1); (&node{}).walk() }

func sorted(xs []int) { slices.SortFunc(xs, func(a, b int) int { sorted(nil); return a - b }) }

func begins() { go begins() }

var local = func() { var f func(int); f = func(n int) { f(n - 1) }; f(1) }
`

// Cycles through methods, several functions, what is handed to others and local
// functions are found; one that begins a goroutine is none; a bound cuts one.
func TestCycles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module p\n\ngo 1.26.0\n")
	write(t, dir, "p.go", source)
	g, err := load(dir, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, c := range g.cycles(nil) {
		found = append(found, c...)
	}
	slices.Sort(found)
	want := []string{"(*p.node).walk", "p.even", "p.init$1$1", "p.odd", "p.sorted", "p.sorted$1"}
	if !slices.Equal(found, want) {
		t.Fatalf("found %q, not %q", found, want)
	}
	bounds, err := readBounds("Why.\n\t(*p.node).walk\n\tp.even\n\tp.sorted\n\tp.init\n")
	if err != nil {
		t.Fatal(err)
	}
	if p := check(g, bounds); len(p) > 0 {
		t.Fatal(p)
	}
	if p := check(g, bounds[1:]); len(p) != 1 {
		t.Fatalf("without a bound: %q", p)
	}
	if p := check(g, append(bounds, bound{"p.straight", "Why."})); len(p) != 1 {
		t.Fatalf("with one too many: %q", p)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
