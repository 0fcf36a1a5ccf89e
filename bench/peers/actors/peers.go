package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A peer is one way to have actors.
type peer struct {
	name, title string
	library     bool // for actors, in Go
	idleOnly    bool
	// command runs the program of a workload on so many processors; it is given the size as a last argument.
	command func(workload string, processors int) []string
}

const runnel = "runnel"

var workloadNames = []string{"tell", "ask", "idle"}

// buildPeers compiles what those named need, or all.
func buildPeers(bin string, only []string) ([]*peer, error) {
	onGo := func(processors int, command ...string) []string {
		return append([]string{"env", fmt.Sprint("GOMAXPROCS=", processors)}, command...)
	}
	peers := []*peer{
		{name: runnel, title: "**Runnel**", command: func(workload string, processors int) []string {
			return []string{filepath.Join(bin, "runnel"), "run", "--workers", strconv.Itoa(processors), source(workload, "rnl")}
		}},
		{name: "hollywood", title: "hollywood", library: true, command: func(workload string, processors int) []string {
			return onGo(processors, filepath.Join(bin, "hollywood"), workload)
		}},
		// By default an inbox takes 24 KB from the start.
		{name: "hollywood-16", title: "hollywood, inbox of 16", library: true, idleOnly: true, command: func(workload string, processors int) []string {
			return onGo(processors, filepath.Join(bin, "hollywood-16"), "-inbox", "16", workload)
		}},
		{name: "protoactor", title: "protoactor-go", library: true, command: func(workload string, processors int) []string {
			return onGo(processors, filepath.Join(bin, "protoactor"), workload)
		}},
		{name: "chan", title: "goroutine and channel", command: func(workload string, processors int) []string {
			return onGo(processors, filepath.Join(bin, workload))
		}},
		{name: "erlang", title: "Erlang gen_server", command: func(workload string, processors int) []string {
			return []string{"erl", "-noshell", "+P", "4000000", "+S", fmt.Sprintf("%d:%d", processors, processors),
				"-pa", filepath.Join(bin, "erlang-"+workload), "-run", "main", "start"}
		}},
	}
	for _, name := range only {
		if !slices.ContainsFunc(peers, func(p *peer) bool { return p.name == name }) {
			return nil, fmt.Errorf("there is no peer %q", name)
		}
	}
	peers = slices.DeleteFunc(peers, func(p *peer) bool { return len(only) > 0 && !slices.Contains(only, p.name) || missing(p) })
	for _, p := range peers {
		if err := build(p, bin); err != nil {
			return nil, err
		}
	}
	return peers, nil
}

// missing says, and notes, that a peer is not on this machine.
func missing(p *peer) bool {
	if p.name != "erlang" {
		return false
	}
	_, err := exec.LookPath("erlc")
	if err != nil {
		note("left out: no %s on this machine", p.title)
	}
	return err != nil
}

func build(p *peer, bin string) error {
	switch p.name {
	case runnel:
		return execute(exec.Command("go", "build", "-C", "../..", "-o", filepath.Join(bin, p.name), "./cmd/runnel"))
	case "hollywood", "hollywood-16":
		return goBuild(filepath.Join(bin, p.name), "./actors/hollywood")
	case "protoactor":
		return goBuild(filepath.Join(bin, p.name), "./actors/protoactor")
	case "chan":
		for _, workload := range workloadNames {
			if err := goBuild(filepath.Join(bin, workload), source(workload, "go")); err != nil {
				return err
			}
		}
	case "erlang":
		for _, workload := range workloadNames {
			// Every module is called main, so each has a folder of its own.
			dir := filepath.Join(bin, "erlang-"+workload)
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			if err := execute(exec.Command("erlc", "-o", dir, source(workload, "erl"))); err != nil {
				return err
			}
		}
	}
	return nil
}

// source is the path of a program from the folder of the module, where this one runs.
func source(workload, ext string) string {
	if workload == "idle" {
		return filepath.Join("actors", "idle", "main."+ext)
	}
	return filepath.Join("..", "conc", workload, "main."+ext)
}

func goBuild(binary, program string) error {
	return execute(exec.Command("go", "build", "-o", binary, program))
}

func execute(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return nil
}
