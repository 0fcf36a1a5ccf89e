package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// A graph is what is measured: a program with its arguments, and the result that it has to print.
type graph struct {
	name, program string
	arguments     []string
	result        string
}

// readGraphs reads the graphs of the programs that are named, or all, shortened or not.
func readGraphs(path string, only []string, short bool) ([]graph, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var graphs []graph
	for line := range strings.Lines(string(text)) {
		columns := strings.Split(line, "|")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(columns) != 5 {
			return nil, fmt.Errorf("%s: this line has not five columns: %s", path, line)
		}
		name, command, result := columns[0], columns[1], columns[2]
		if short {
			// The name tells the full size.
			name, command, result = columns[3], columns[3], columns[4]
		}
		words := strings.Fields(command)
		if len(only) == 0 || slices.Contains(only, words[0]) {
			graphs = append(graphs, graph{strings.TrimSpace(name), words[0], words[1:], strings.TrimSpace(result)})
		}
	}
	if len(graphs) == 0 {
		return nil, fmt.Errorf("there are no graphs of %s", strings.Join(only, ", "))
	}
	return graphs, nil
}
