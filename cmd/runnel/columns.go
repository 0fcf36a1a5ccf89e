package main

import (
	"fmt"
	"io"
)

// columns writes names and what is said of them, which is broken into lines:
// beside each other where there is room, else below each other.
func columns(w io.Writer, width int, rows [][2]string) {
	const indent, gap, least = 2, 2, 30
	column := 0
	for _, row := range rows {
		column = max(column, indent+len(row[0])+gap)
	}
	beside := width-column >= least
	if !beside {
		column = 3 * indent
	}
	for _, row := range rows {
		lines := wrapped(row[1], width-column)
		if beside {
			fmt.Fprintf(w, "  %-*s%s\n", column-indent, row[0], lines[0])
			lines = lines[1:]
		} else {
			fmt.Fprintf(w, "  %s\n", row[0])
		}
		for _, line := range lines {
			fmt.Fprintf(w, "%*s%s\n", column, "", line)
		}
	}
}
