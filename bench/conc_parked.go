package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// parkedName is the workload that measures the memory of tasks that wait.
const (
	parkedName  = "parked"
	parkedTasks = 1_000_000
)

// resident is the memory of a process in bytes: now, and the most there was.
type resident struct{ now, peak float64 }

// parked writes the resident bytes of a task that waits, in each way to wait:
// those of a process with n of them over those of one that has none.
func (m *taskMeter) parked(out io.Writer, runners []*runner, n int) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		note("no /proc on this machine: the memory of parked tasks is not measured")
		return
	}
	ways := []string{"chan", "await", "sleep"}
	fmt.Fprintf(out, "\n### Resident bytes a task, %d parked at once (in brackets: at the most)\n\n", n)
	var rows []*runner
	for _, r := range runners {
		if r.can(parkedName) {
			rows = append(rows, r)
		}
	}
	table(out, titlesOfRunners(rows), []string{"on a channel", "on await", "asleep"}, func(row, column int) (string, float64) {
		perTask, err := m.parkedBytes(rows[row], ways[column], n)
		if err != nil {
			m.fail(parkedName+" "+ways[column], rows[row], n, err)
			return "–", 0
		}
		return fmt.Sprintf("%.0f (%.0f)", perTask.now, perTask.peak), 0
	})
}

func (m *taskMeter) parkedBytes(r *runner, how string, n int) (resident, error) {
	empty, err := residentOf(r, how, 0)
	if err != nil {
		return resident{}, fmt.Errorf("with no task: %w", err)
	}
	full, err := residentOf(r, how, n)
	if err != nil {
		return resident{}, err
	}
	note("%s %s %s: %.1f MiB, without tasks %.1f", parkedName, how, r.name, full.now/(1<<20), empty.now/(1<<20))
	return resident{(full.now - empty.now) / float64(n), (full.peak - empty.peak) / float64(n)}, nil
}

// residentOf runs the program until it says that its tasks are parked, looks
// at its memory, and lets it end. All tasks have to have run by then.
func residentOf(r *runner, how string, n int) (resident, error) {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	command := append(r.command(parkedName, n, how), sleepSeconds(n))
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	var errs strings.Builder
	cmd.Stderr = &errs
	in, err := cmd.StdinPipe()
	if err != nil {
		return resident{}, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return resident{}, err
	}
	if err := cmd.Start(); err != nil {
		return resident{}, err
	}
	found, err := watchParked(cmd.Process.Pid, bufio.NewScanner(out), in, n)
	if err != nil {
		stop()
	}
	if ended := cmd.Wait(); ended != nil && err == nil {
		err = ended
	}
	if err != nil && errs.Len() > 0 {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(errs.String()))
	}
	return found, err
}

// watchParked reads what the program says and answers it.
func watchParked(pid int, lines *bufio.Scanner, in io.WriteCloser, n int) (resident, error) {
	var found resident
	var text strings.Builder
	for lines.Scan() {
		fmt.Fprintln(&text, lines.Text())
		parked, ok := strings.CutPrefix(lines.Text(), "PARKED ")
		if !ok {
			continue
		}
		if parked != strconv.Itoa(n) {
			return found, fmt.Errorf("%s of %d tasks were parked", parked, n)
		}
		var err error
		if found, err = readResident(pid); err != nil {
			return found, err
		}
		if _, err := fmt.Fprintln(in); err != nil {
			return found, err
		}
	}
	if found.now == 0 {
		return found, errors.New("it never said that its tasks are parked")
	}
	if want, got := strconv.Itoa(n*(n-1)/2), parseOutput(text.String()).result; got != want {
		return found, fmt.Errorf("its result is %q, it should be %q", got, want)
	}
	return found, nil
}

func readResident(pid int) (resident, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return resident{}, err
	}
	field := func(name string) float64 {
		_, rest, _ := strings.Cut(string(text), name+":")
		kib, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		v, _ := strconv.ParseFloat(kib, 64)
		return v * 1024
	}
	return resident{field("VmRSS"), field("VmHWM")}, nil
}
