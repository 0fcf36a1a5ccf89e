package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/runnel-lang/runnel"
)

// pollEvery is how often files are looked at.
const pollEvery = 200 * time.Millisecond

// testWatcher runs tests again when files change: those of scripts that have
// changed or import what has, and those of scripts that failed, until the user
// interrupts it.
type testWatcher struct {
	c      *cli
	args   []string
	read   map[string]*readSources // by script
	failed map[string]bool         // scripts
}

func (c *cli) watchTests(args []string) int {
	w := &testWatcher{c: c, args: args, read: map[string]*readSources{}, failed: map[string]bool{}}
	c.tests.watcher = w
	for {
		began := w.stamps()
		exit := exitOK
		if again := w.again(); len(again) > 0 {
			w.clear()
			exit = c.runTests(again)
			w.invite()
		}
		if !c.interrupted() {
			w.wait(began)
			exit = exitInterrupted
		}
		if c.interrupted() {
			return exit
		}
	}
}

// again lists the scripts to be run. Where lines are counted, those are all.
func (w *testWatcher) again() []string {
	files, err := w.c.findTests(w.args)
	if err != nil {
		w.c.problem(err)
		return nil
	}
	stale := func(file string) bool { return w.failed[file] || w.read[file] == nil || w.read[file].changed() }
	if w.c.tests.cover && slices.ContainsFunc(files, stale) {
		return files
	}
	return slices.DeleteFunc(files, func(file string) bool { return !stale(file) })
}

// wait ends when a file is another one than when the tests began.
func (w *testWatcher) wait(began map[string]stamp) {
	for {
		select {
		case <-w.c.ctx.Done():
			return
		case <-time.After(pollEvery):
		}
		changed := func(r *readSources) bool { return r.changed() }
		if !maps.Equal(w.stamps(), began) || slices.ContainsFunc(slices.Collect(maps.Values(w.read)), changed) {
			return
		}
	}
}

// stamps looks at the scripts that are named, and those in the folders that are.
func (w *testWatcher) stamps() map[string]stamp {
	stamps := map[string]stamp{}
	files, _ := findScripts(w.args, nil) // what cannot be read is told when tests are looked for
	for _, path := range files {
		stamps[path] = stampOf(path)
	}
	return stamps
}

// result and the others make it a testReport, which hears of scripts that fail.
func (w *testWatcher) result(r *testResult) {
	if r.failed() {
		w.failed[r.file.path] = true
	}
}

func (w *testWatcher) problem(p *testProblem) { w.failed[p.path] = true }

func (w *testWatcher) end(*testTotal) error { return nil }

// clear begins a new screen.
func (w *testWatcher) clear() {
	if isTerminal(w.c.stdout) {
		fmt.Fprint(w.c.stdout, "\x1b[2J\x1b[3J\x1b[H")
	} else if !w.c.json && len(w.read) > 0 {
		fmt.Fprintln(w.c.stdout)
	}
}

// invite says what the command waits for.
func (w *testWatcher) invite() {
	if !w.c.interrupted() && isTerminal(w.c.stdout) {
		fmt.Fprintln(w.c.stdout, "waiting for a file to change; Ctrl-C quits")
	}
}

// sources are where a script's imports are read from; who watches notes them.
func (w *testWatcher) sources(script string) runnel.Sources {
	if w == nil {
		return runnel.OSSources()
	}
	delete(w.failed, script)
	w.read[script] = &readSources{seen: map[string]stamp{script: stampOf(script)}}
	return w.read[script]
}

// readSources notes which versions of files were read.
type readSources struct {
	mu   sync.Mutex
	seen map[string]stamp
}

func (s *readSources) Read(path string) (string, error) {
	s.mu.Lock()
	s.seen[path] = stampOf(path)
	s.mu.Unlock()
	return runnel.OSSources().Read(path)
}

// changed reports whether a file is another one now.
func (s *readSources) changed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, was := range s.seen {
		if stampOf(path) != was {
			return true
		}
	}
	return false
}

// stamp tells a version of a file from others; one that is not there has none.
type stamp struct {
	changed time.Time
	size    int64
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{info.ModTime(), info.Size()}
}
