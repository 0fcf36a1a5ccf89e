package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// A runner is a language with a number of processors.
type runner struct {
	name     string // "go-1"
	title    string // in the tables
	language string
	workers  int
	// command runs the program of a workload; extra may be empty.
	command func(workload string, size int, extra string) []string
	can     func(workload string) bool
	native  *runner // native Go on as many processors
}

var taskLanguages = []string{"runnel", native, "erlang", "node", "lua", "luajit"}

// buildRunners compiles what the workloads need and gives the runners of the
// languages named, or of all, that can run here. Native Go is among them in any case.
func buildRunners(root, bin string, chosen []taskWorkload, languages []string) ([]*runner, error) {
	if len(languages) == 0 {
		languages = taskLanguages
	}
	goes, err := goRunners(root, bin, chosen)
	if err != nil {
		return nil, err
	}
	runners := goes
	for _, language := range languages {
		var found []*runner
		switch language {
		case native:
		case "runnel":
			found, err = runnelRunners(root, bin)
			runners = append(found, runners...)
			found = nil
		case "erlang":
			found, err = erlangRunners(root, bin, chosen)
		case "node":
			found = nodeRunners(root)
		case "lua":
			found = luaRunners(root, language, "Lua 5.4", "lua5.4")
		case "luajit":
			found = luaRunners(root, language, "LuaJIT", "luajit")
		default:
			err = fmt.Errorf("there is no language %q with tasks", language)
		}
		if err != nil {
			return nil, err
		}
		runners = append(runners, found...)
	}
	for _, r := range runners {
		r.native = goes[r.workers-1]
	}
	return runners, nil
}

// program is the path of a workload's program.
func program(root, workload, ext string) string {
	return filepath.Join(root, "bench", "conc", workload, "main."+ext)
}

// hasProgram says whether a workload is written in a language.
func hasProgram(root, ext string) func(workload string) bool {
	return func(workload string) bool {
		_, err := os.Stat(program(root, workload, ext))
		return err == nil
	}
}

// arguments is a command with the size and what else the program takes.
func arguments(size int, extra string, command ...string) []string {
	command = append(command, strconv.Itoa(size))
	if extra != "" {
		command = append(command, extra)
	}
	return command
}

// onProcessors makes the runners of a language for one and two processors.
func onProcessors(language, title string, can func(string) bool, command func(workers int, workload string) []string) []*runner {
	var runners []*runner
	for workers := 1; workers <= 2; workers++ {
		runners = append(runners, &runner{
			name: fmt.Sprint(language, "-", workers), title: fmt.Sprint(title, ", ", workers), language: language, workers: workers, can: can,
			command: func(workload string, size int, extra string) []string {
				return arguments(size, extra, command(workers, workload)...)
			},
		})
	}
	return runners
}

func goRunners(root, bin string, chosen []taskWorkload) ([]*runner, error) {
	for _, name := range append(namesOfTasks(chosen), parkedName) {
		if err := goBuild(root, filepath.Join(bin, "conc-"+name), "./bench/conc/"+name+"/main.go"); err != nil {
			return nil, err
		}
	}
	return onProcessors(native, nativeTitle, hasProgram(root, "go"), func(workers int, workload string) []string {
		return []string{"env", fmt.Sprint("GOMAXPROCS=", workers), filepath.Join(bin, "conc-"+workload)}
	}), nil
}

func runnelRunners(root, bin string) ([]*runner, error) {
	command := filepath.Join(bin, "runnel")
	if err := goBuild(root, command, "./cmd/runnel"); err != nil {
		return nil, err
	}
	return onProcessors("runnel", "**Runnel**", hasProgram(root, "rnl"), func(workers int, workload string) []string {
		return []string{command, "run", "--workers", strconv.Itoa(workers), program(root, workload, "rnl")}
	}), nil
}

func erlangRunners(root, bin string, chosen []taskWorkload) ([]*runner, error) {
	if missing("erl") || missing("erlc") {
		return nil, nil
	}
	for _, w := range chosen {
		// Every module is called main, so each has a folder of its own.
		dir := filepath.Join(bin, "erlang", w.name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		if out, err := exec.Command("erlc", "-o", dir, program(root, w.name, "erl")).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("building %s: %w\n%s", program(root, w.name, "erl"), err, out)
		}
	}
	return onProcessors("erlang", "Erlang", hasProgram(root, "erl"), func(workers int, workload string) []string {
		schedulers := fmt.Sprintf("%d:%d", workers, workers)
		return []string{"erl", "-noshell", "+P", "4000000", "+S", schedulers, "-pa", filepath.Join(bin, "erlang", workload), "-run", "main", "start"}
	}), nil
}

// nodeRunners runs JavaScript on one thread, and computing on two.
func nodeRunners(root string) []*runner {
	if missing("node") {
		return nil
	}
	can := hasProgram(root, "js")
	var runners []*runner
	for workers := 1; workers <= 2; workers++ {
		runners = append(runners, &runner{
			name: fmt.Sprint("node-", workers), title: fmt.Sprint("Node, ", workers), language: "node", workers: workers,
			can: func(workload string) bool { return can(workload) && (workers == 1 || workload == "parallel") },
			command: func(workload string, size int, extra string) []string {
				if workload == "parallel" {
					extra = strconv.Itoa(workers)
				}
				return arguments(size, extra, "node", program(root, workload, "js"))
			},
		})
	}
	return runners
}

func luaRunners(root, language, title, command string) []*runner {
	if missing(command) {
		return nil
	}
	library := filepath.Join(root, "bench", "conc", "lib")
	return []*runner{{
		name: language, title: title, language: language, workers: 1, can: hasProgram(root, "lua"),
		command: func(workload string, size int, _ string) []string {
			return arguments(size, library, command, program(root, workload, "lua"))
		},
	}}
}

// missing says, and notes, that a command is not on this machine.
func missing(command string) bool {
	_, err := exec.LookPath(command)
	if err != nil {
		note("left out: no %s on this machine", command)
	}
	return err != nil
}

func namesOfTasks(chosen []taskWorkload) []string {
	var names []string
	for _, w := range chosen {
		names = append(names, w.name)
	}
	return names
}

func titlesOfRunners(runners []*runner) []string {
	var titles []string
	for _, r := range runners {
		titles = append(titles, r.title)
	}
	return titles
}
