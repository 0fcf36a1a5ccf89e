package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/iopool"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

// doctor shows what a report of a bug needs, and tries whether all layers work
// on this machine.
//
//	sections of facts ─┐
//	doctorChecks ──────┴→ doctorReport → text or JSON
func (c *cli) doctor(args []string) int {
	if len(args) > 0 {
		return c.usage("doctor takes no arguments")
	}
	report := &doctorReport{
		sections: []doctorSection{c.aboutRunnel(), aboutMachine(), c.aboutTerminal(), aboutEnvironment(os.Environ()), aboutPaths(), c.aboutLimits()},
		checks:   c.doctorChecks(),
	}
	report.ok = !slices.ContainsFunc(report.checks, func(check doctorCheck) bool { return check.Error != "" })
	var err error
	if c.json {
		enc := json.NewEncoder(c.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		err = enc.Encode(report)
	} else {
		err = report.write(c.stdout, c.colored(c.stdout))
	}
	switch {
	case err != nil:
		return c.problem(err)
	case !report.ok:
		return exitScript
	}
	return exitOK
}

func doctorFlags() []flag {
	return []flag{{"--json", "", "write JSON", func(c *cli, _ string) error { c.json = true; return nil }}, colorFlag}
}

type doctorReport struct {
	ok       bool
	sections []doctorSection
	checks   []doctorCheck
}

type doctorSection struct {
	title string
	facts []doctorFact
}

type doctorFact struct{ name, value string }

// MarshalJSON makes an object of the sections, each of them an object.
func (r *doctorReport) MarshalJSON() ([]byte, error) {
	object := map[string]any{"ok": r.ok, "self test": r.checks}
	for _, s := range r.sections {
		facts := map[string]string{}
		for _, f := range s.facts {
			facts[f.name] = f.value
		}
		object[s.title] = facts
	}
	return json.Marshal(object)
}

// add appends a fact that is known.
func (s *doctorSection) add(name, value string) {
	if value != "" {
		s.facts = append(s.facts, doctorFact{name, value})
	}
}

func (r *doctorReport) write(out io.Writer, color bool) error {
	w := bufio.NewWriter(out)
	width := cmp.Or(terminalWidth(out), math.MaxInt) // a file has no lines that are too long
	for _, s := range r.sections {
		fmt.Fprintln(w, painted(color, bold, s.title))
		var rows [][2]string
		for _, f := range s.facts {
			rows = append(rows, [2]string{f.name, safe(f.value)})
		}
		columns(w, width, rows)
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, painted(color, bold, "self test"))
	for _, check := range r.checks {
		result := painted(color, green, "ok    ")
		if check.Error != "" {
			result = painted(color, red, "FAILED")
		}
		fmt.Fprintf(w, "  %s  %-20s %8s\n", result, check.Name, time.Duration(check.Micros)*time.Microsecond)
	}
	fmt.Fprintln(w)
	for _, check := range r.checks {
		if check.Error != "" {
			fmt.Fprintf(w, "%s %s: %s\n  %s\n", painted(color, red, "problem:"), check.Name, safe(check.Error), check.Mend)
		}
	}
	if r.ok {
		fmt.Fprintln(w, painted(color, green, "everything works"))
	}
	return w.Flush()
}

func (c *cli) aboutRunnel() doctorSection {
	s := doctorSection{title: "runnel"}
	s.add("version", version)
	settings := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		s.add("module", info.Main.Path+" "+info.Main.Version)
		for _, setting := range info.Settings {
			settings[setting.Key] = setting.Value
		}
	}
	revision := settings["vcs.revision"]
	if settings["vcs.modified"] == "true" {
		revision += " with local changes"
	}
	s.add("revision", revision)
	s.add("revision of", settings["vcs.time"])
	s.add("built by", goruntime.Version())
	s.add("build", strings.TrimSpace(settings["-tags"]+" "+settings["-ldflags"]))
	var names []string
	for _, m := range all.Modules() {
		names = append(names, m.Name)
	}
	s.add("modules", fmt.Sprintf("%d: %s", len(names), strings.Join(names, " ")))
	return s
}

func aboutMachine() doctorSection {
	s := doctorSection{title: "machine"}
	s.add("system", goruntime.GOOS+"/"+goruntime.GOARCH)
	s.add("kernel", firstLine("/proc/sys/kernel/osrelease"))
	s.add("processors", fmt.Sprintf("%d, %d in use", goruntime.NumCPU(), goruntime.GOMAXPROCS(0)))
	s.add("container's CPU limit", firstLine("/sys/fs/cgroup/cpu.max"))
	s.add("machine code (--native)", map[bool]string{true: "yes", false: "no: the system or the processor refuses it, or this build has none"}[runnel.NativeSupported()])
	s.add("memory", size(machineMemory()))
	s.add("container's memory limit", firstLine("/sys/fs/cgroup/memory.max"))
	return s
}

// firstLine is that of a file of the system, "" where there is none.
func firstLine(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return line
}

func size(n int64) string {
	if n < 1<<30 {
		return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}

func (c *cli) aboutTerminal() doctorSection {
	s := doctorSection{title: "terminal"}
	for _, stream := range []struct {
		name string
		file any
	}{{"stdin", os.Stdin}, {"stdout", c.stdout}, {"stderr", c.stderr}} {
		text := "not a terminal"
		if isTerminal(stream.file) {
			text = "terminal"
			if width := terminalWidth(stream.file); width > 0 {
				text += " of " + strconv.Itoa(width) + " columns"
			}
		}
		s.add(stream.name, text)
	}
	s.add("TERM", os.Getenv("TERM"))
	s.add("colors on stderr", strconv.FormatBool(c.colored(c.stderr)))
	s.add("locale", locale())
	return s
}

func locale() string {
	name := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG"), "none set")
	if text := strings.ToLower(name); goruntime.GOOS != "windows" && !strings.Contains(text, "utf-8") && !strings.Contains(text, "utf8") {
		name += " (non-ASCII characters may not display correctly; try LANG=C.UTF-8)"
	}
	return name
}

// told are the variables whose values say how Runnel behaves, beside RUNNEL_*.
// The values of others may be secret.
var told = []string{"NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "COLORTERM", "GOMEMLIMIT", "GOGC", "GOMAXPROCS", "GODEBUG", "GOTRACEBACK", "TMPDIR", "TZ"}

func aboutEnvironment(environ []string) doctorSection {
	s := doctorSection{title: "environment"}
	slices.Sort(environ)
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "RUNNEL_") || slices.Contains(told, name) {
			s.add(name, cmp.Or(value, "(empty)"))
		}
	}
	s.add("other variables", strconv.Itoa(len(environ)-len(s.facts)))
	return s
}

func aboutPaths() doctorSection {
	s := doctorSection{title: "paths"}
	command, err := os.Executable()
	s.add("command", known(command, err))
	here, err := os.Getwd()
	s.add("current folder", known(here, err)+writable(here))
	s.add("temporary files", os.TempDir()+writable(os.TempDir()))
	return s
}

func known(value string, err error) string {
	if err != nil {
		return "unknown: " + err.Error()
	}
	return value
}

// writable tells in words whether files can be made in a folder.
func writable(dir string) string {
	f, err := os.CreateTemp(dir, ".runnel-doctor-*")
	if err != nil {
		var pe *os.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return " (not writable: " + err.Error() + ")"
	}
	f.Close()
	os.Remove(f.Name())
	return " (writable)"
}

func (c *cli) aboutLimits() doctorSection {
	c.runtime(host.Host{}) // which completes them
	s := doctorSection{title: "limits of scripts"}
	s.add("memory", size(c.limits.Memory))
	s.add("stack", fmt.Sprintf("%d registers of 16 bytes", cmp.Or(c.limits.Stack, vm.DefaultStack)))
	s.add("steps, time, tasks", "none")
	s.add("threads for blocking calls", fmt.Sprintf("at most %d", iopool.MaxHosts))
	s.add("workers", strconv.Itoa(c.workers))
	if limit := debug.SetMemoryLimit(-1); limit < 1<<62 {
		s.add("soft memory limit (GOMEMLIMIT)", size(limit))
	}
	return s
}
