package main

import (
	"fmt"
	"strconv"
	"strings"
)

// A region of README is what stands between two comments, which Markdown does
// not show. What is in it is written by -readme alone.
func marks(name string) (begin, end string) {
	return "<!-- measured: " + name + " -->\n", "<!-- end: " + name + " -->\n"
}

// findRegion returns where a region's text begins and ends.
func findRegion(text, name string) (from, to int, err error) {
	begin, end := marks(name)
	for _, mark := range []string{begin, end} {
		if n := strings.Count(text, mark); n != 1 {
			return 0, 0, fmt.Errorf("there is %d times the line %q, it has to be there once", n, strings.TrimSpace(mark))
		}
	}
	from, to = strings.Index(text, begin)+len(begin), strings.Index(text, end)
	if to < from {
		return 0, 0, fmt.Errorf("the line %q comes before the line %q", strings.TrimSpace(end), strings.TrimSpace(begin))
	}
	return from, to, nil
}

// replaceRegion puts another text into a region.
func replaceRegion(text, name, region string) (string, error) {
	from, to, err := findRegion(text, name)
	if err != nil {
		return "", err
	}
	return text[:from] + strings.TrimRight(region, "\n") + "\n" + text[to:], nil
}

// A claimTable is the first table of a region: its cells by row and column.
type claimTable map[string]map[string]string

func readTable(text, name string) (claimTable, error) {
	from, to, err := findRegion(text, name)
	if err != nil {
		return nil, err
	}
	t := claimTable{}
	var columns []string
	for line := range strings.Lines(text[from:to]) {
		cells, ok := cellsOf(line)
		switch {
		case !ok && columns != nil:
			return t, nil
		case !ok || strings.HasPrefix(line, "|---"):
		case columns == nil:
			columns = cells
		default:
			row := map[string]string{}
			for i, cell := range cells[1:min(len(cells), len(columns))] {
				row[columns[i+1]] = cell
			}
			t[cells[0]] = row
		}
	}
	return t, nil
}

// cellsOf are those of a line of a table, without what makes them bold.
func cellsOf(line string) ([]string, bool) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "|") {
		return nil, false
	}
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(strings.ReplaceAll(cells[i], "**", ""))
	}
	return cells, true
}

// value is the figure of a cell; of "49 / 41", those with one and with two
// processors, the one that is asked for, counted from 0.
func (t claimTable) value(row, column string, part int) (float64, error) {
	parts := strings.Split(t[row][column], " / ")
	if part < len(parts) {
		if words := strings.Fields(parts[part]); len(words) > 0 {
			if v, err := strconv.ParseFloat(strings.ReplaceAll(words[0], ",", ""), 64); err == nil && v > 0 {
				return v, nil
			}
		}
	}
	return 0, fmt.Errorf("no figure of %s for %s", row, column)
}
