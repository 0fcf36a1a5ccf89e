// Command io measures servers of HTTP that answer with a line of text
// (bench/io/hello): Runnel's, Go's and Node's. It runs from the repository:
//
//	go run ./bench/io                  requests a second under wrk, and 10,000 open connections
//	go run ./bench/io -k 3 -d 2s -open 1000
//
// A round starts each server, warms it up for a second, and has
// wrk -t1 -c64 ask it. Ratios are taken within a round, then the median.
package main

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// server is an implementation.
type server struct {
	name    string
	title   string   // in README
	command []string // and the port
	load    []load   // of each round
	open    open
}

func main() {
	rounds := flag.Int("k", 5, "`rounds`")
	seconds := flag.Duration("d", 5*time.Second, "how long wrk asks")
	connections := flag.Int("open", 10_000, "`connections` that are open at the same time; 0: none")
	asJSON := flag.Bool("json", false, "print what was measured as data")
	flag.Parse()
	if err := bench(max(*rounds, 1), *seconds, *connections, *asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "bench/io:", err)
		os.Exit(1)
	}
}

func bench(rounds int, d time.Duration, connections int, asJSON bool) error {
	bin, err := os.MkdirTemp("", "runnel-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	servers, err := build(bin)
	if err != nil {
		return err
	}
	for k := range rounds {
		for _, s := range servers {
			fmt.Fprintf(os.Stderr, "round %d: %s\n", k+1, s.name)
			if err := s.run(func(p *process) (err error) {
				if _, err = p.ask(time.Second); err != nil {
					return err
				}
				l, err := p.ask(d)
				s.load = append(s.load, l)
				return err
			}); err != nil {
				return err
			}
		}
	}
	for _, s := range servers {
		if connections > 0 {
			fmt.Fprintf(os.Stderr, "%d connections: %s\n", connections, s.name)
			if err := s.run(func(p *process) (err error) {
				s.open, err = p.hold(connections)
				return err
			}); err != nil {
				return err
			}
		}
	}
	if asJSON {
		return results(servers).Write(os.Stdout)
	}
	report(servers, connections)
	return nil
}

// build compiles the servers; Node is left out where it is not installed.
func build(bin string) ([]*server, error) {
	for name, pkg := range map[string]string{"runnel": "./cmd/runnel", "go": "./bench/io/hello"} {
		if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, name), pkg).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", pkg, err, out)
		}
	}
	servers := []*server{
		{name: "runnel", title: "Runnel", command: []string{filepath.Join(bin, "runnel"), "run", "bench/io/hello/main.rnl"}},
		{name: "go", title: "Go net/http", command: []string{filepath.Join(bin, "go")}},
	}
	if node, err := exec.LookPath("node"); err == nil {
		servers = append(servers, &server{name: "node", title: "Node", command: []string{node, "bench/io/hello/main.js"}})
	}
	return servers, nil
}

// process is a server that runs.
type process struct {
	*exec.Cmd
	address string
}

// run starts a server for as long as f.
func (s *server) run(f func(p *process) error) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	p := &process{exec.Command(s.command[0], append(s.command[1:], strconv.Itoa(port))...), "127.0.0.1:" + strconv.Itoa(port)}
	p.Stderr = os.Stderr
	if err := p.Start(); err != nil {
		return err
	}
	defer p.Wait()
	defer p.Process.Kill()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("tcp", p.address)
		if err == nil {
			conn.Close()
			break
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s does not listen: %w", s.name, err)
		}
	}
	if err := f(p); err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	return nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// memory is the resident set of a process in MiB.
func (p *process) memory() float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	kb, _ := strconv.ParseFloat(first(rest), 64)
	return kb / 1024
}

// cpu is the processor time that a process has taken, in seconds.
func (p *process) cpu() float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100 // ticks a second, on Linux everywhere
}

func first(text string) string {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return ""
	}
	return fields[0]
}

// load is what wrk has measured.
type load struct {
	perSecond float64
	p50, p99  time.Duration
	cpu       float64 // microseconds of the server's processor time for a request
	memory    float64 // MiB, afterwards
}

func (p *process) ask(d time.Duration) (l load, err error) {
	before := p.cpu()
	out, err := exec.Command("wrk", "-t1", "-c64", "-d"+strconv.Itoa(max(1, int(d.Seconds()))), "--latency", "http://"+p.address+"/").CombinedOutput()
	if err != nil {
		return l, fmt.Errorf("wrk: %w\n%s", err, out)
	}
	text := string(out)
	if strings.Contains(text, "Non-2xx") || strings.Contains(text, "Socket errors") {
		return l, errors.New(text)
	}
	l.perSecond, _ = strconv.ParseFloat(after(text, "Requests/sec:"), 64)
	l.p50, _ = time.ParseDuration(after(text, "50%"))
	l.p99, _ = time.ParseDuration(after(text, "99%"))
	requests, _ := strconv.ParseFloat(strings.TrimSpace(lineBefore(text, "requests in")), 64)
	l.cpu = (p.cpu() - before) * 1e6 / requests
	l.memory = p.memory()
	return l, nil
}

func after(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return first(rest)
}

// lineBefore is what stands on the line of a mark, before it.
func lineBefore(text, mark string) string {
	before, _, _ := strings.Cut(text, mark)
	return before[strings.LastIndex(before, "\n")+1:]
}
