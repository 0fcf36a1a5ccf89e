package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

// What README's first two commands take from an empty build cache, and again.
var builds = []struct {
	column string
	fresh  bool // with an empty cache
	args   []string
}{
	{"go run, first", true, []string{"run", "./cmd/runnel", "run", "examples/wordcount.rnl", "README.md"}},
	{"go run, again", false, []string{"run", "./cmd/runnel", "run", "examples/wordcount.rnl", "README.md"}},
	{"go test, first", true, []string{"test", "./..."}},
	{"go test, again", false, []string{"test", "./..."}},
}

// measureBuild returns seconds. Modules have been downloaded before.
func measureBuild(o options) (figures.Results, error) {
	var all figures.Results
	samples := map[string]*figures.Sample{}
	for range o.rounds {
		var cache string
		for _, b := range builds {
			if o.quick && b.args[0] == "test" {
				continue
			}
			if b.fresh {
				dir, err := os.MkdirTemp("", "runnel-build-")
				if err != nil {
					return nil, err
				}
				defer os.RemoveAll(dir)
				cache = dir
			}
			seconds, err := timeGo(cache, b.args)
			if err != nil {
				return nil, err
			}
			if samples[b.column] == nil {
				samples[b.column] = &figures.Sample{Row: "seconds", Column: b.column}
			}
			samples[b.column].Values = append(samples[b.column].Values, seconds)
		}
	}
	for _, b := range builds {
		if s := samples[b.column]; s != nil {
			all = append(all, *s)
		}
	}
	return all, nil
}

func timeGo(cache string, args []string) (float64, error) {
	note("go %s", args[0])
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOCACHE="+filepath.Join(cache, "go"))
	cmd.Stderr = os.Stderr
	began := time.Now()
	err := cmd.Run()
	return time.Since(began).Seconds(), err
}

func writeBuild(p *page, r figures.Results) {
	columns := []string{}
	for _, b := range builds {
		columns = append(columns, b.column)
	}
	p.head(columns...)
	p.rows(r, []string{"seconds"}, func(title string) []string {
		var cells []string
		for _, c := range columns {
			cells = append(cells, p.figure(c, r.Values(title, c), figures.Number))
		}
		return cells
	})
}
