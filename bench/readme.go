package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

// A section is a region of README with what is measured for it.
type section struct {
	name    string
	rounds  int    // when -k does not say
	needs   []tool // without them nothing can be measured
	tools   []tool // whose versions are told
	measure func(o options) (figures.Results, error)
	write   func(p *page, r figures.Results)
}

// options are what a section is measured with.
type options struct {
	rounds        int
	quick         bool
	rows, columns []string // of -claims; nil: all
}

var sections = []section{
	{"build", 1, nil, nil, measureBuild, writeBuild},
	{"cpu", 3, []tool{luaTool}, []tool{luaTool}, measureCPU, writeCPU},
	{"conc", 3, nil, []tool{erlangTool, nodeTool}, measureTasks, writeTasks},
	{"actors", 3, nil, []tool{erlangTool}, measureActors, writeActors},
	{"reactive", 3, []tool{nodeTool, npmTool}, []tool{nodeTool}, measureReactive, writeReactive},
	{"embed", 5, nil, nil, measureEmbed, writeEmbed},
	{"latency", 3, nil, []tool{erlangTool}, measureLatency, writeLatency},
	{"io", 3, []tool{wrkTool}, []tool{nodeTool, wrkTool}, measureIO, writeIO},
}

func sectionNamed(name string) (section, bool) {
	for _, s := range sections {
		if s.name == name {
			return s, true
		}
	}
	return section{}, false
}

// writeReadme measures the sections named, or all, and writes each into the
// file as soon as it is measured. What fails leaves its region as it was.
func writeReadme(path string, names []string, o options) error {
	for _, name := range names {
		if _, ok := sectionNamed(name); !ok {
			return fmt.Errorf("README has no section %q that is measured", name)
		}
	}
	root, err := repository()
	if err != nil {
		return err
	}
	if err := os.Chdir(root); err != nil {
		return err
	}
	if path == "" {
		path = filepath.Join(root, "README.md")
	}
	chosen := slices.DeleteFunc(slices.Clone(sections), func(s section) bool { return len(names) > 0 && !slices.Contains(names, s.name) })
	if err := regionsOf(path, chosen); err != nil {
		return err
	}
	var errs []error
	for _, s := range chosen {
		began := time.Now()
		text, err := s.text(o)
		if err == nil {
			err = writeRegion(path, s.name, text)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.name, err))
			note("FAILED %v", errs[len(errs)-1])
			continue
		}
		note("%s: written after %v", s.name, time.Since(began).Round(time.Second))
	}
	return errors.Join(errs...)
}

// regionsOf says before anything is measured whether all regions are there.
func regionsOf(path string, chosen []section) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, s := range chosen {
		if _, _, err := findRegion(string(text), s.name); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func writeRegion(path, name, region string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changed, err := replaceRegion(string(text), name, region)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(changed), 0o644)
}

// text measures a section and writes its page.
func (s section) text(o options) (string, error) {
	if o.rounds == 0 {
		o.rounds = s.rounds
		if o.quick {
			o.rounds = 1
		}
	}
	for _, t := range s.needs {
		if !t.here() {
			note("%s: not measured, no %s on this machine", s.name, t.command[0])
			return fmt.Sprintf("*Not measured: no %s on this machine.*\n", t.title), nil
		}
	}
	watch := newWatch()
	r, err := s.measure(o)
	if err != nil {
		return "", err
	}
	return s.page(o, r, time.Now(), machineText(s.tools), watch.text())
}

// page is what was measured, as Markdown.
func (s section) page(o options, r figures.Results, when time.Time, machine, others string) (string, error) {
	p := &page{options: o}
	s.write(p, r)
	if p.err != nil {
		return "", p.err
	}
	return strings.TrimRight(p.String(), "\n") + "\n\n" + p.measured(when, machine, others), nil
}
