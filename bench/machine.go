package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
)

// machineText tells where something is measured, and with what.
func machineText(tools []tool) string {
	parts := []string{
		"commit " + commit(), fmt.Sprintf("%s, %d processors", processor(), runtime.NumCPU()),
		runtime.GOOS + "/" + runtime.GOARCH, runtime.Version(),
	}
	for _, t := range tools {
		if v := t.version(); v != "" {
			parts = append(parts, v)
		}
	}
	return strings.Join(parts, ", ")
}

// commit is the one that is checked out; README itself may have changed.
func commit() string {
	out, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	name := strings.TrimSpace(string(out))
	if changed, err := exec.Command("git", "status", "--porcelain", "--", ":/", ":!/README.md").Output(); err != nil || len(changed) > 0 {
		name += " with changes"
	}
	return name
}

// processor is the name that the processor gives itself, where it can be had.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		if _, rest, found := strings.Cut(string(text), "model name"); found {
			line, _, _ := strings.Cut(rest, "\n")
			return strings.TrimLeft(line, "\t :")
		}
	}
	if out, err := exec.Command("sysctl", "-n", "machdep.cpu.brand_string").Output(); err == nil {
		return strings.TrimSpace(string(out))
	}
	return "unknown processor"
}

// A tool is a command of another language or program.
type tool struct {
	title   string
	command []string // that tells its version
}

var (
	luaTool    = tool{"Lua", []string{"lua5.4", "-v"}}
	nodeTool   = tool{"Node", []string{"node", "--version"}}
	npmTool    = tool{"npm", []string{"npm", "--version"}}
	wrkTool    = tool{"wrk", []string{"wrk", "-v"}}
	erlangTool = tool{"Erlang", []string{"erl", "-noshell", "-eval", "io:put_chars(erlang:system_info(otp_release)), halt()."}}
)

// here says whether the tool is on this machine.
func (t tool) here() bool {
	_, err := exec.LookPath(t.command[0])
	return err == nil
}

var versionNumber = regexp.MustCompile(`\d+(\.\d+)*`)

// version is "" for a tool that is not here. (wrk tells it and fails.)
func (t tool) version() string {
	if !t.here() {
		return ""
	}
	out, _ := exec.Command(t.command[0], t.command[1:]...).CombinedOutput()
	return t.title + " " + versionNumber.FindString(string(out))
}
