package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/bindgen"
	"github.com/runnel-lang/runnel/lang/diag"
)

// cli is the state of one use of the command.
type cli struct {
	stdout, stderr io.Writer

	command string // that runs
	limits  runnel.Limits
	timeout time.Duration
	color   string // auto, always, never
	warn    bool   // show all warnings of a program that runs
	quiet   bool   // show none of them
	json    bool
	verbose bool
	fixes   bool   // mend what can be mended
	diff    bool   // show changes, and write nothing
	list    bool   // list files that would change, and write nothing
	code    string // code of -e
	hasCode bool
	output  string // of -o
	bind    bindgen.Options
	docs    docOptions
	signals heeding
	endings endings

	workers int
	seed    uint64
	seeded  bool
	trace   string // file of --trace
	stats   bool
	race    bool
	native  bool
	tests   testOptions
	benches benchOptions

	reported atomic.Bool     // a report is on stderr already
	found    findings        // diagnostics that were reported
	ctx      context.Context // ends when the user interrupts
}

func newCLI() *cli {
	return &cli{stdout: os.Stdout, stderr: os.Stderr, color: "auto", benches: defaultBench, ctx: context.Background()}
}

// flag is an option of the command line; arg names its value, "" when it has
// none, or lists what it can be: "a|b".
type flag struct {
	names string // "-v --verbose"
	arg   string
	help  string
	set   func(c *cli, value string) error
}

// runFlags are those of run and eval.
func runFlags() []flag { return slices.Concat(commonFlags(), watchFlags()) }

// commonFlags are those of all commands that run scripts.
func commonFlags() []flag {
	return []flag{
		{"--memory", "SIZE", "limit the script's memory: 512M, 2G (default: half of the machine's)", (*cli).setMemory},
		{"--steps", "N", "limit the number of steps: jumps taken, calls, elements processed", (*cli).setSteps},
		{"--stack", "N", "limit each task's stack to N registers (default 1048576)", (*cli).setStack},
		{"--time", "DUR", "stop after this time: 500ms, 10s, 2m", (*cli).setTime},
		{"--workers", "N", "run at most N tasks in parallel (default: one per processor)", (*cli).setWorkers},
		{"--seed", "S", "run deterministically: S determines the schedule, and the clock is virtual", (*cli).setSeed},
		{"--native", "", "compile what takes long to machine code while it runs (also RUNNEL_NATIVE=1)", func(c *cli, _ string) error { c.native = true; return nil }},
		raceFlag,
		{"-w --warnings", "", "show all warnings, not just those about misleading code", func(c *cli, _ string) error { c.warn = true; return nil }},
		{"-q --quiet", "", "hide warnings", func(c *cli, _ string) error { c.quiet = true; return nil }},
		colorFlag,
	}
}

func watchFlags() []flag {
	return []flag{
		{"--trace", "FILE", "write a trace of all tasks to FILE, for ui.perfetto.dev (compressed if it ends in .gz)", func(c *cli, v string) error {
			c.trace = v
			return nil
		}},
		{"--stats", "", "print counts of tasks, memory and steps at the end", func(c *cli, _ string) error {
			c.stats = true
			return nil
		}},
	}
}

var colorFlag = flag{"--color", "auto|always|never", "color the output", (*cli).setColor}

// errHelp is that of parse when the user asks for help.
var errHelp = errors.New("help")

// parse takes flags off the arguments: leading ones, or, when anywhere is set,
// all of them. What follows -- is not a flag.
func (c *cli) parse(args []string, flags []flag, anywhere bool) ([]string, error) {
	var rest []string
	for len(args) > 0 {
		arg := args[0]
		if arg == "--" {
			return append(rest, args[1:]...), c.conflict()
		}
		if len(arg) < 2 || arg[0] != '-' {
			if !anywhere {
				return args, c.conflict()
			}
			rest, args = append(rest, arg), args[1:]
			continue
		}
		args = args[1:]
		name, value, hasValue := strings.Cut(arg, "=")
		f := findFlag(flags, name)
		switch {
		case name == "-h" || name == "--help":
			return nil, errHelp
		case f == nil:
			return nil, unknownFlag(flags, name)
		case f.arg == "" && hasValue:
			return nil, fmt.Errorf("%s takes no value", name)
		case f.arg != "" && !hasValue:
			if len(args) == 0 {
				return nil, fmt.Errorf("%s needs a value: %s %s", name, name, f.arg)
			}
			value, args = args[0], args[1:]
		}
		if err := f.set(c, value); err != nil {
			return nil, fmt.Errorf("%s %s: %v", name, value, err)
		}
	}
	return rest, c.conflict()
}

func unknownFlag(flags []flag, name string) error {
	var names []string
	for _, f := range flags {
		names = append(names, strings.Fields(f.names)...)
	}
	if near := diag.Suggest(name, names); near != "" {
		return fmt.Errorf("unknown flag %s: did you mean %s?", name, near)
	}
	return fmt.Errorf("unknown flag %s", name)
}

func findFlag(flags []flag, name string) *flag {
	for i := range flags {
		for _, n := range strings.Fields(flags[i].names) {
			if n == name {
				return &flags[i]
			}
		}
	}
	return nil
}

func (c *cli) setMemory(v string) error {
	n, err := parseSize(v)
	c.limits.Memory = n
	return err
}

func (c *cli) setSteps(v string) error {
	n, err := strconv.ParseInt(strings.ReplaceAll(v, "_", ""), 10, 64)
	if err != nil || n <= 0 {
		return fmt.Errorf("expected a number of 1 or more")
	}
	c.limits.Steps = n
	return nil
}

// minStack is room for the entry function of a usual script; maxStack keeps
// byte offsets of registers within 32 bits.
const minStack, maxStack = 64, 1 << 27

func (c *cli) setStack(v string) error {
	n, err := strconv.Atoi(strings.ReplaceAll(v, "_", ""))
	if err != nil || n < minStack || n > maxStack {
		return fmt.Errorf("expected a number from %d to %d", minStack, maxStack)
	}
	c.limits.Stack = n
	return nil
}

func (c *cli) setTime(v string) (err error) {
	c.timeout, err = parseDuration(v)
	return err
}

func parseDuration(v string) (time.Duration, error) {
	d, err := time.ParseDuration(v)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("expected a duration such as 500ms or 10s")
	}
	return d, nil
}

// maxWorkers is more than machines have.
const maxWorkers = 1024

func (c *cli) setWorkers(v string) (err error) {
	c.workers, err = parseCount(v, maxWorkers)
	return err
}

func (c *cli) setSeed(v string) error {
	n, err := strconv.ParseUint(strings.ReplaceAll(v, "_", ""), 10, 64)
	if err != nil {
		return fmt.Errorf("expected a number of 0 or more")
	}
	c.seed, c.seeded = n, true
	return nil
}

func parseCount(v string, most int) (int, error) {
	n, err := strconv.Atoi(strings.ReplaceAll(v, "_", ""))
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("expected a number from 1 to %d", most)
	}
	return n, nil
}

// conflict tells of flags that make no sense together.
func (c *cli) conflict() error {
	if c.workers > 0 && (c.seeded || c.tests.explore > 0) {
		return errors.New("tasks take turns in a run with a seed: --workers cannot be combined with --seed or --explore")
	}
	return nil
}

func (c *cli) setColor(v string) error {
	switch v {
	case "auto", "always", "never":
		c.color = v
		return nil
	}
	return fmt.Errorf("expected auto, always or never")
}

// parseSize reads a number of bytes such as 64M, 1.5G or 1000.
func parseSize(v string) (int64, error) {
	text := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(v), "B"), "I")
	unit := 1.0
	if n := len(text); n > 0 {
		if i := strings.IndexByte("KMGT", text[n-1]); i >= 0 {
			unit = math.Pow(1024, float64(i+1))
			text = text[:n-1]
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x*unit >= 1 && x*unit < 1<<62) {
		return 0, fmt.Errorf("expected a size such as 512M or 2G")
	}
	return int64(x * unit), nil
}
