package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

func percent(run, lines int) string {
	if lines == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(run)/float64(lines))
}

// sums of files.
type coverSums struct{ lines, run, branches, taken int }

func (s *coverSums) add(f *fileCoverage) {
	s.lines, s.run = s.lines+len(f.lines), s.run+f.run()
	s.branches, s.taken = s.branches+len(f.branches), s.taken+f.taken()
}

func (s *coverSums) ofLines() string    { return fmt.Sprintf("%d/%d", s.run, s.lines) }
func (s *coverSums) ofBranches() string { return fmt.Sprintf("%d/%d", s.taken, s.branches) }

// coverTable shows how much of each file has run, and which lines have not.
func coverTable(out io.Writer, files []*fileCoverage) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "file\tlines\t\tbranches\t\tlines not run\n")
	row := func(name string, s coverSums, missed []string) {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", name, s.ofLines(), percent(s.run, s.lines), s.ofBranches(), percent(s.taken, s.branches), strings.Join(missed, " "))
	}
	var all coverSums
	for _, f := range files {
		var s coverSums
		s.add(f)
		all.add(f)
		row(f.name, s, f.missed())
	}
	if len(files) > 1 {
		row("all", all, nil)
	}
	t.Flush()
}

// coverSource shows a file with how often each line has run. What has not run is
// marked with ! and a line of which a branch was not taken with ~.
func coverSource(out io.Writer, f *fileCoverage, color bool) {
	fmt.Fprintf(out, "\n%s\n", painted(color, bold, f.name))
	for i, text := range f.source() {
		n, counted := f.lines[i+1]
		untold := f.untold(i + 1)
		mark, style, count := " ", "", ""
		if counted {
			count = times(n)
		}
		switch {
		case counted && n == 0:
			mark, style = "!", red
		case len(untold) > 0:
			mark, style = "~", yellow
			text += "   ← " + strings.Join(untold, ", ")
		}
		line := strings.TrimRight(fmt.Sprintf("%s %8s %5d  %s", mark, count, i+1, text), " ")
		fmt.Fprintln(out, painted(color && style != "", style, line))
	}
}

func times(n uint64) string { return fmt.Sprintf("%d×", n) }

// source returns the lines of the text.
func (f *fileCoverage) source() []string {
	lines := strings.Split(strings.TrimSuffix(f.text, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}
