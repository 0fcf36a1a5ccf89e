package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// An implementation runs the programs of one language.
type implementation struct {
	name  string
	title string // in the tables
	ext   string // of its programs
	// run is the command that the program's path and the size follow. Native
	// Go has none: each of its programs is a command of its own.
	run   []string
	lacks map[string]string // workloads it cannot run, and why
	root  string
	bin   string
}

// The first is what everything is checked against and must always be there.
const (
	native = "go"
	lua    = "lua"

	nativeTitle = "native Go" // in the tables
)

// Those that are compared when none are named.
var allImplementations = []string{"runnel", native, lua, "gopherlua", "tengo", "goja"}

// Those that the further workloads are compared with: they have programs in these languages.
var compilers = []string{"runnel", "runnelnative", native, lua, "luajit", "node"}

// command is the program of a workload at a size.
func (i *implementation) command(workload string, size int) []string {
	if i.name == native {
		return []string{filepath.Join(i.bin, "cpu-"+workload), strconv.Itoa(size)}
	}
	program := filepath.Join(i.root, "bench", "cpu", workload, "main."+i.ext)
	return append(i.run[:len(i.run):len(i.run)], program, strconv.Itoa(size))
}

func (i *implementation) can(workload string) bool { return i.lacks[workload] == "" }

func (i *implementation) lack(workload, why string) {
	if i.lacks == nil {
		i.lacks = map[string]string{}
	}
	i.lacks[workload] = why
}

// build compiles what the workloads need and gives the implementations that
// are named and can run here. Native Go is built in any case.
func build(root, bin string, chosen []workload, names []string) ([]*implementation, error) {
	goBuild := func(dir, out, what string) error {
		return goBuild(filepath.Join(root, dir), filepath.Join(bin, out), what)
	}
	for _, name := range append([]string{empty}, namesOf(chosen)...) {
		if err := goBuild(".", "cpu-"+name, "./bench/cpu/"+name+"/main.go"); err != nil {
			return nil, err
		}
	}

	var impls []*implementation
	for _, name := range names {
		i := &implementation{name: name, root: root, bin: bin, run: []string{filepath.Join(bin, name)}}
		var err error
		switch name {
		case "runnel":
			i.title, i.ext = runnelTitle, "rnl"
			i.run = append(i.run, "run")
			err = goBuild(".", name, "./cmd/runnel")
		case "runnelnative":
			i.title, i.ext = runnelTitle+", machine code", "rnl"
			i.run = append(i.run, "run", "--native")
			err = goBuild(".", name, "./cmd/runnel")
		case native:
			i.title, i.ext = nativeTitle, "go"
		case lua:
			i.title, i.ext, i.run = luaTitle, "lua", []string{"lua5.4"}
		case "luajit":
			i.title, i.ext, i.run = "LuaJIT", "lua", []string{"luajit"}
		case "node":
			i.title, i.ext, i.run = "Node", "js", []string{"node"}
		case "gopherlua":
			i.title, i.ext = "gopher-lua", "lua"
			i.lacks = map[string]string{"json": "it comes without JSON"}
			err = goBuild("bench/peers", name, "./gopherlua")
		case "tengo":
			i.title, i.ext = "Tengo", "tengo"
			err = goBuild("bench/peers", name, "./tengo")
		case "goja":
			i.title, i.ext = "goja", "js"
			err = goBuild("bench/peers", name, "./goja")
		default:
			err = fmt.Errorf("there is no implementation %q", name)
		}
		if err != nil {
			return nil, err
		}
		if _, err := exec.LookPath(i.run[0]); err != nil && name != native {
			note("%s is left out: no %s on this machine", i.title, i.run[0])
			continue
		}
		if i.ext == "lua" && i.lacks == nil && exec.Command(i.run[0], "-e", `require "cjson"`).Run() != nil {
			i.lacks = map[string]string{"json": "lua-cjson is not installed"}
		}
		for _, w := range chosen {
			if _, err := os.Stat(filepath.Join(root, "bench", "cpu", w.name, "main."+i.ext)); err != nil {
				i.lack(w.name, "there is no program")
			}
		}
		impls = append(impls, i)
	}
	return impls, nil
}

// goBuild compiles a Go command; dir is in the module it belongs to.
func goBuild(dir, out, what string) error {
	cmd := exec.Command("go", "build", "-o", out, what)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("building %s: %w", what, err)
	}
	return nil
}

func titlesOf(impls []*implementation) []string {
	var titles []string
	for _, i := range impls {
		titles = append(titles, i.title)
	}
	return titles
}

func namesOf(chosen []workload) []string {
	var names []string
	for _, w := range chosen {
		names = append(names, w.name)
	}
	return names
}
