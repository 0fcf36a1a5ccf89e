// Command recursion finds where our packages call themselves. Go ends the whole
// process when a stack of a goroutine takes a gigabyte, which nothing can
// recover, so each cycle of calls must be bounded: it passes a function that
// bounds.txt names with what bounds it. A cycle that passes none fails, and so
// does a line of bounds.txt that is on no cycle.
//
//	go run . ../..        # in this folder: checks the repository
//	go run . -v ../..     # shows the cycles that the bounds cut
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
)

//go:embed bounds.txt
var boundsText string

// patterns are the packages that run or read what a script, a file or a host gives.
var patterns = []string{".", "./compiler/...", "./lang/...", "./vm/...", "./stdlib/...", "./reactor/...", "./iopool/..."}

func main() {
	log.SetFlags(0)
	verbose := flag.Bool("v", false, "show the cycles that the bounds cut")
	flag.Parse()
	g, err := load(flag.Arg(0), patterns)
	if err != nil {
		log.Fatal(err)
	}
	bounds, err := readBounds(boundsText)
	if err != nil {
		log.Fatal(err)
	}
	problems := check(g, bounds)
	if *verbose {
		for _, c := range g.cycles(nil) {
			fmt.Println(strings.Join(c, "\n  "))
		}
	}
	for _, p := range problems {
		fmt.Println(p)
	}
	if len(problems) > 0 {
		os.Exit(1)
	}
	fmt.Printf("%d functions call themselves, by way of %d that are bounded\n", g.recursive(), len(bounds))
}

// bound is a function that bounds each cycle it is on.
type bound struct{ function, reason string }

// readBounds reads lines of a reason, each followed by the functions it holds for.
func readBounds(text string) ([]bound, error) {
	var bounds []bound
	reason := ""
	for _, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.TrimSpace(line) == "":
			reason = ""
		case strings.HasPrefix(line, "\t"):
			if reason == "" {
				return nil, fmt.Errorf("%q has no reason", line)
			}
			bounds = append(bounds, bound{strings.TrimSpace(line), reason})
		default:
			reason += line
		}
	}
	return bounds, nil
}

// check tells of cycles that no bound cuts, and of bounds that cut nothing.
func check(g *graph, bounds []bound) (problems []string) {
	cut := map[string]bool{}
	for _, b := range bounds {
		cut[b.function] = true
	}
	for _, c := range g.cycles(cut) {
		problems = append(problems, fmt.Sprintf("nothing bounds a cycle of %d functions:\n\t%s", len(c), strings.Join(c, "\n\t")))
	}
	on := map[string]bool{}
	for _, c := range g.cycles(nil) {
		for _, f := range c {
			on[outer(f)] = true
		}
	}
	for f := range cut {
		if !on[f] {
			problems = append(problems, "bounds.txt names "+f+", which is on no cycle")
		}
	}
	slices.Sort(problems)
	return problems
}
