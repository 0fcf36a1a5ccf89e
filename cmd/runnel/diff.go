package main

import (
	"fmt"
	"strings"
)

// around is how many lines a diff shows around what differs.
const around = 3

// unified returns the difference of two texts as diff -u does.
func unified(name, old, new string) string {
	a, b := lines(old), lines(new)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", name, name)
	all := edits(a, b)
	for len(all) > 0 {
		n := 1 // of the edits that are shown together
		for n < len(all) && all[n].from-all[n-1].to <= 2*around {
			n++
		}
		hunk(&out, a, b, all[:n])
		all = all[n:]
	}
	return out.String()
}

// lines splits a text; if it does not end with a line break, the last one says
// so.
func lines(text string) []string {
	list := strings.SplitAfter(text, "\n")
	last := len(list) - 1
	if list[last] == "" {
		return list[:last]
	}
	list[last] += "\n\\ No newline at end of file\n"
	return list
}

// edit replaces the lines [from, to) by the lines [start, end).
type edit struct{ from, to, start, end int }

// edits finds what differs: a line that occurs once in both texts stays, and what
// is above and below it is compared in the same way.
func edits(a, b []string) []edit {
	var list []edit
	var compare func(from, to, start, end int)
	compare = func(from, to, start, end int) {
		for from < to && start < end && a[from] == b[start] {
			from, start = from+1, start+1
		}
		for from < to && start < end && a[to-1] == b[end-1] {
			to, end = to-1, end-1
		}
		if from == to && start == end {
			return
		}
		i, j := anchor(a[from:to], b[start:end])
		if i < 0 {
			list = append(list, edit{from, to, start, end})
			return
		}
		compare(from, from+i, start, start+j)
		compare(from+i, to, start+j, end)
	}
	compare(0, len(a), 0, len(b))
	return list
}

// anchor finds a line that occurs once in a and once in b, near the middle of a;
// -1 if there is none.
func anchor(a, b []string) (int, int) {
	at := make(map[string]int, len(b)) // -1 for a line that occurs more often
	for j, line := range b {
		if _, ok := at[line]; ok {
			j = -1
		}
		at[line] = j
	}
	count := make(map[string]int, len(a))
	for _, line := range a {
		count[line]++
	}
	best, other := -1, -1
	for i, line := range a {
		if j, ok := at[line]; ok && j >= 0 && count[line] == 1 && (best < 0 || abs(i-len(a)/2) < abs(best-len(a)/2)) {
			best, other = i, j
		}
	}
	return best, other
}

func abs(n int) int { return max(n, -n) }

// hunk writes edits that stand close together, with the lines around them.
func hunk(out *strings.Builder, a, b []string, list []edit) {
	first, last := list[0], list[len(list)-1]
	from, to := max(0, first.from-around), min(len(a), last.to+around)
	start, end := first.start-(first.from-from), last.end+(to-last.to)
	fmt.Fprintf(out, "@@ -%s +%s @@\n", lineRange(from, to), lineRange(start, end))
	for _, e := range list {
		prefixed(out, " ", a[from:e.from])
		prefixed(out, "-", a[e.from:e.to])
		prefixed(out, "+", b[e.start:e.end])
		from = e.to
	}
	prefixed(out, " ", a[from:to])
}

// lineRange names lines as diff does: the first, counted from 1, and how many.
func lineRange(from, to int) string {
	n := to - from
	if n > 0 {
		from++
	}
	return fmt.Sprintf("%d,%d", from, n)
}

func prefixed(out *strings.Builder, sign string, list []string) {
	for _, line := range list {
		out.WriteString(sign + line)
	}
}
