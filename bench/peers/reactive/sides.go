package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A side is one of those that are compared.
type side struct {
	title string
	peer  bool
	// command runs a program of ours or its counterpart; the arguments follow.
	command func(program string) []string
}

// buildSides compiles Runnel, which is the first, and installs the libraries.
func buildSides(bin string) ([]*side, error) {
	runnel := filepath.Join(bin, "runnel")
	if err := execute(exec.Command("go", "build", "-C", "../..", "-o", runnel, "./cmd/runnel")); err != nil {
		return nil, err
	}
	js := filepath.Join("reactive", "js")
	if _, err := os.Stat(filepath.Join(js, "node_modules")); err != nil {
		if err := execute(exec.Command("npm", "ci", "--no-audit", "--no-fund", "--prefix", js)); err != nil {
			return nil, err
		}
	}
	onNode := func(title, library string, flags ...string) *side {
		return &side{title, true, func(program string) []string {
			return append(append([]string{"node"}, flags...), filepath.Join(js, "main.js"), library, program)
		}}
	}
	return []*side{
		{"Runnel", false, func(program string) []string {
			return []string{runnel, "run", filepath.Join("..", "reactive", program+".rnl")}
		}},
		onNode("alien-signals, jitless", "alien", "--jitless"),
		onNode("preact, jitless", "preact", "--jitless"),
		onNode("alien-signals, compiled", "alien"),
	}, nil
}

func execute(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return nil
}
