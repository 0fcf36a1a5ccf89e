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

// watchTests runs tests again whenever one of their files changes, one that they
// import, or what is in the folders, until the user interrupts it.
func (c *cli) watchTests(args []string) int {
	for {
		c.tests.read = &readSources{seen: map[string]stamp{}}
		began := c.stamps(args)
		exit := c.runTests(args)
		if c.interrupted() {
			return exit
		}
		c.untilChanged(args, began)
		if c.interrupted() {
			return exitInterrupted
		}
		if !c.json {
			fmt.Fprintln(c.stdout)
		}
	}
}

// untilChanged waits until a file is another one than when the tests began.
func (c *cli) untilChanged(args []string, began map[string]stamp) {
	maps.Copy(began, c.tests.read.seen) // as they were when the tests read them
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-time.After(pollEvery):
		}
		if !maps.Equal(c.stamps(args), began) {
			return
		}
	}
}

// stamp tells a version of a file from others; one that is not there has none.
type stamp struct {
	changed time.Time
	size    int64
}

// stamps looks at all files that matter: scripts, those in the folders that
// have tests, and those that were imported.
func (c *cli) stamps(args []string) map[string]stamp {
	paths := slices.Collect(maps.Keys(c.tests.read.seen))
	if found, err := c.findTests(args); err == nil {
		paths = append(paths, found...)
	}
	stamps := map[string]stamp{}
	for _, path := range paths {
		stamps[path] = stampOf(path)
	}
	return stamps
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{info.ModTime(), info.Size()}
}

// sources are where imports are read from; who watches notes them.
func (c *cli) sources() runnel.Sources {
	if c.tests.read != nil {
		return c.tests.read
	}
	return runnel.OSSources()
}

// readSources notes which versions of files were imported.
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
