package main

import (
	"errors"
	"math"
)

// testOptions are what the flags of test ask for.
type testOptions struct {
	explore    int    // schedules of each test, 0 for one in parallel
	only, skip string // parts of the names of tests
	parallel   int    // tests that run at the same time
	junit      string // file of the report
	watch      bool
	doc        bool // examples of doc comments are tests too
	cover      bool
	coverText  bool         // show the source
	coverHTML  string       // file
	watcher    *testWatcher // nil when nothing is watched
}

func testFlags() []flag {
	return []flag{
		{"--explore", "N", "run each test under N schedules, with seeds S, S+1, ... (S is --seed, or 1)", func(c *cli, v string) (err error) {
			c.tests.explore, err = parseCount(v, math.MaxInt32)
			return err
		}},
		onlyFlag,
		{"--skip", "TEXT", "skip tests whose names contain TEXT", func(c *cli, v string) error {
			c.tests.skip = v
			return nil
		}},
		{"--parallel", "N", "run N tests in parallel", func(c *cli, v string) (err error) {
			c.tests.parallel, err = parseCount(v, maxWorkers)
			return err
		}},
		{"--doc", "", "also test the examples in doc comments: /// Twice: `double(2) == 4`", func(c *cli, _ string) error {
			c.tests.doc = true
			return nil
		}},
		{"--watch", "", "run again whenever a file changes", func(c *cli, _ string) error {
			c.tests.watch = true
			return nil
		}},
		{"--cover", "", "report the coverage of lines and branches for each file", func(c *cli, _ string) error {
			c.tests.cover = true
			return nil
		}},
		{"--cover-source", "", "also show the source, with a count of how often each line ran", func(c *cli, _ string) error {
			c.tests.cover, c.tests.coverText = true, true
			return nil
		}},
		{"--cover-html", "FILE", "write the source to FILE as HTML, with a count of how often each line ran", func(c *cli, v string) error {
			c.tests.cover, c.tests.coverHTML = true, v
			return nil
		}},
		{"--json", "", "write JSON to stdout, one line per event", func(c *cli, _ string) error {
			c.json = true
			return nil
		}},
		{"--junit", "FILE", "write a JUnit report to FILE", func(c *cli, v string) error {
			c.tests.junit = v
			return nil
		}},
		{"-v --verbose", "", "also list the tests that pass", func(c *cli, _ string) error {
			c.verbose = true
			return nil
		}},
	}
}

var onlyFlag = flag{"--only", "TEXT", "run only those whose names contain TEXT", func(c *cli, v string) error {
	c.tests.only = v
	return nil
}}

// testConflict tells of flags that make no sense together, and completes them.
func (c *cli) testConflict() error {
	if c.tests.cover {
		switch {
		case c.race:
			return errors.New("--cover cannot be combined with --race: each needs its own interpreter loop")
		case c.workers > 1:
			return errors.New("tasks take turns while lines are counted: --cover cannot be combined with --workers")
		}
		c.workers = 1
	}
	if c.tests.explore > 0 && !c.seeded {
		c.seed, c.seeded = 1, true
	}
	if c.tests.parallel == 0 {
		c.tests.parallel = 1
	}
	return nil
}
