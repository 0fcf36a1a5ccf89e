package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// hung is the cause of an end that the driver has made.
const hung = "it took too long"

// process runs mutants in a process. cause tells why it did not run all of them,
// and last which one it was at.
func (d *driver) process(first, n uint64) (last uint64, cause string) {
	self, err := os.Executable()
	if err != nil {
		return first, err.Error()
	}
	cmd := exec.Command(self, "-worker", d.corpus, "-seed", fmt.Sprint(*seed), "-from", fmt.Sprint(first), "-n", fmt.Sprint(n))
	var stderr tail
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return first, err.Error()
	}
	lines := make(chan string, 100)
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
		close(lines)
	}()
	last, killed := first, false
	alarm := time.NewTimer(*hang)
	for open := true; open; {
		select {
		case line, ok := <-lines:
			if open = ok; ok {
				last = d.told(line, last)
				alarm.Reset(*hang)
			}
		case <-alarm.C:
			killed = true
			_ = cmd.Process.Kill() // or it has ended by now
		}
	}
	switch err := cmd.Wait(); {
	case killed:
		return last, hung
	case err != nil:
		return last, fmt.Sprintf("%v\n%s", err, stderr.text())
	}
	return last, ""
}

// told takes a line of a worker: the number of the mutant that it begins with, or
// what has become of the one before.
func (d *driver) told(line string, last uint64) uint64 {
	what, number, _ := strings.Cut(line, " ")
	if what == "begin" {
		if n, err := strconv.ParseUint(number, 10, 64); err == nil {
			return n
		}
		return last
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.counts[what]++; what == "internal" && d.counts[what] <= 50 {
		fmt.Printf("mutant %d ends with %s\n", last, number)
	}
	return last
}

// tail keeps the beginning of what a process says when it crashes.
type tail struct{ buf bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	if room := 6000 - t.buf.Len(); room > 0 {
		t.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (t *tail) text() string { return t.buf.String() }
