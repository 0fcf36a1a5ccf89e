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
	library     bool     // for actors, in Go
	workloads   []string // those that it is for; nil: all
	// build compiles what the peer runs.
	build func() error
	// command runs the program of a workload on so many processors; it is given the size as a last argument.
	command func(workload string, processors int) []string
}

func (p *peer) does(workload string) bool {
	return p.workloads == nil || slices.Contains(p.workloads, workload)
}

const runnel = "runnel"

// allPeers are those that there are, which keep what they compile in a folder.
func allPeers(bin string) []*peer {
	return []*peer{
		{name: runnel, title: "**Runnel**",
			build: func() error {
				return execute(exec.Command("go", "build", "-C", "../..", "-o", filepath.Join(bin, runnel), "./cmd/runnel"))
			},
			command: func(workload string, processors int) []string {
				return []string{filepath.Join(bin, runnel), "run", "--workers", strconv.Itoa(processors), source(workload, "rnl")}
			}},
		library(bin, "hollywood", "hollywood", nil),
		// By default an inbox takes 24 KB from the start.
		library(bin, "hollywood", "hollywood, inbox of 16", []string{"idle"}, "-inbox", "16"),
		library(bin, "protoactor", "protoactor-go", nil),
		library(bin, "protoactor", "protoactor-go, bounded mailboxes", []string{"tell", "ask", "pairs", "fan"}, "-bounded"),
		library(bin, "goakt", "GoAkt", nil),
		library(bin, "goakt", "GoAkt, segmented mailboxes", []string{"tell", "ask", "pairs", "fan"}, "-segmented"),
		library(bin, "goactor", "go-actor", nil),
		{name: "chan", title: "goroutine and channel",
			build: func() error {
				return each(workloadNames, func(workload string) error {
					return goBuild(filepath.Join(bin, "chan-"+workload), source(workload, "go"))
				})
			},
			command: func(workload string, processors int) []string {
				return onGo(processors, filepath.Join(bin, "chan-"+workload))
			}},
		{name: "erlang", title: "Erlang gen_server",
			build: func() error {
				return each(workloadNames, func(workload string) error {
					// Every module is called main, so each has a folder of its own.
					dir := filepath.Join(bin, "erlang-"+workload)
					if err := os.MkdirAll(dir, 0o755); err != nil {
						return err
					}
					return execute(exec.Command("erlc", "-o", dir, source(workload, "erl")))
				})
			},
			command: func(workload string, processors int) []string {
				return []string{"erl", "-noshell", "+P", "4000000", "+S", fmt.Sprintf("%d:%d", processors, processors),
					"-pa", filepath.Join(bin, "erlang-"+workload), "-run", "main", "start"}
			}},
	}
}

// library is the peer that runs a program in a folder of this one, for the workloads given or all.
func library(bin, program, title string, workloads []string, flags ...string) *peer {
	name := program + strings.Join(flags, "")
	binary := filepath.Join(bin, name)
	return &peer{name: name, title: title, library: true, workloads: workloads,
		build: func() error { return goBuild(binary, "./actors/"+program) },
		command: func(workload string, processors int) []string {
			return append(onGo(processors, append([]string{binary}, flags...)...), workload)
		}}
}

func onGo(processors int, command ...string) []string {
	return append([]string{"env", fmt.Sprint("GOMAXPROCS=", processors)}, command...)
}

// buildPeers compiles what those named need, or all.
func buildPeers(bin string, only []string) ([]*peer, error) {
	peers := allPeers(bin)
	for _, name := range only {
		if !slices.ContainsFunc(peers, func(p *peer) bool { return p.name == name }) {
			return nil, fmt.Errorf("there is no peer %q", name)
		}
	}
	peers = slices.DeleteFunc(peers, func(p *peer) bool { return len(only) > 0 && !slices.Contains(only, p.name) || missing(p) })
	return peers, each(peers, func(p *peer) error { return p.build() })
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

// each ends with the first error.
func each[T any](items []T, do func(T) error) error {
	for _, item := range items {
		if err := do(item); err != nil {
			return err
		}
	}
	return nil
}
