package crossgen_test

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runnel-lang/runnel/internal/testgen/crossgen"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/internal/testgen/reduce"
)

var (
	firstSeed = flag.Uint64("first", 1, "first seed")
	numSeeds  = flag.Uint64("seeds", 0, "number of seeds; 0: those of a short test, or as many as there is time for")
	progSize  = flag.Int("size", 1, "size of the programs")
	duration  = flag.Duration("for", 0, "how long to go on")
	jobs      = flag.Int("jobs", runtime.NumCPU(), "child processes at the same time")
	found     = flag.String("found", "", "folder for programs that show a mistake")
	source    = flag.String("source", "", "file to be checked, or to be compared with the one of -wrapped")
	wrapped   = flag.String("wrapped", "", "file that does the same as -source")
	reduced   = flag.Bool("reduce", false, "show the shortest program that fails as -source does")
)

// A child checks seeds until its time is over.
const (
	childEnv = "CROSSGEN_CHILD"
	batch    = 50
	aSeed    = 12345 // of limits, where a program has no seed
)

func TestMain(m *testing.M) {
	if from := os.Getenv(childEnv); from != "" {
		flag.Parse()
		child(from)
		return
	}
	os.Exit(m.Run())
}

// child checks what it is told: "seed FIRST COUNT" or "file PATH PATH".
func child(what string) {
	debug.SetMemoryLimit(1 << 30)
	words := strings.Fields(what)
	if words[0] == "file" {
		report(0, checkPaths(words[1:]))
		return
	}
	first, _ := strconv.ParseUint(words[1], 10, 64)
	count, _ := strconv.ParseUint(words[2], 10, 64)
	for seed := first; seed < first+count; seed++ {
		fmt.Printf("start %d\n", seed)
		report(seed, check(seed, *progSize))
	}
}

func checkPaths(paths []string) error {
	src, err := os.ReadFile(paths[0])
	if err != nil || len(paths) == 1 {
		return checkText(string(src), aSeed)
	}
	other, err := os.ReadFile(paths[1])
	if err != nil {
		return err
	}
	return checkWrapped(string(src), string(other))
}

func report(seed uint64, err error) {
	if err != nil {
		fmt.Printf("fail %d %s\n", seed, strconv.Quote(err.Error()))
		return
	}
	fmt.Printf("done %d\n", seed)
}

// inChild runs a child process and calls each for every seed that fails. It
// gives the seed behind the last one that was tried.
func inChild(what string, next uint64, each func(seed uint64, why string)) uint64 {
	cmd := exec.Command(os.Args[0], "-test.run=^$", "-size="+strconv.Itoa(*progSize))
	cmd.Env = append(os.Environ(), childEnv+"="+what, "GOTRACEBACK=all")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	watch := watchOver(cmd.Process)
	open := false
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		words := strings.SplitN(strings.TrimSpace(line), " ", 3)
		switch words[0] {
		case "start":
			next, _ = strconv.ParseUint(words[1], 10, 64)
			open = true
			watch.begin()
		case "done":
			open = false
		case "fail":
			open = false
			why, _ := strconv.Unquote(words[2])
			each(next, why)
		}
	}
	err = cmd.Wait()
	watch.end()
	cpuTime.Add(int64(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()))
	if hung := watch.hung.Load(); (err != nil || hung) && (open || strings.HasPrefix(what, "file")) {
		text := stderr.String()
		if len(text) > 4000 {
			text = text[:4000]
		}
		if hung {
			text = "hangs\n" + text
		}
		each(next, fmt.Sprintf("crash: %v\n%s", err, text))
	}
	return next + 1
}

// Random programs do the same in whatever way they are run.
func TestPrograms(t *testing.T) {
	if *source != "" {
		inChild("file "+*source+" "+*wrapped, 0, func(_ uint64, why string) {
			t.Error(why)
			if *reduced {
				t.Log(shortest(t, errors.New(why)))
			}
		})
		return
	}
	count := *numSeeds
	switch {
	case *duration > 0 && count == 0:
		count = 1 << 40
	case count == 0:
		count = uint64(longtest.Of(4, 100))
	}
	end := time.Now().Add(*duration)
	if *duration == 0 {
		end = time.Now().Add(24 * time.Hour)
	}
	begin := time.Now()
	var tried atomic.Uint64
	var next atomic.Uint64
	next.Store(*firstSeed)
	var all sync.WaitGroup
	for range *jobs {
		all.Go(func() {
			for time.Now().Before(end) {
				size := min(max(1, batch/uint64(*progSize)), max(1, count/uint64(*jobs)))
				from := next.Add(size) - size
				to := min(from+size, *firstSeed+count)
				for seed := from; seed < to && time.Now().Before(end); {
					was := seed
					seed = inChild(fmt.Sprintf("seed %d %d", seed, to-seed), seed, func(seed uint64, why string) {
						t.Errorf("seed %d: %s", seed, why)
						save(t, seed, why)
					})
					tried.Add(seed - was)
				}
				if to == *firstSeed+count {
					return
				}
			}
		})
	}
	all.Wait()
	t.Logf("%d programs in %v of %d jobs, which took %v of a processor",
		tried.Load(), time.Since(begin).Round(time.Second), *jobs, time.Duration(cpuTime.Load()).Round(time.Second))
}

// shortest is the shortest program that fails as the one of -source does. What
// crashes is run in a process of its own.
func shortest(t *testing.T, err error) string {
	src, readErr := os.ReadFile(*source)
	if readErr != nil {
		t.Fatal(readErr)
	}
	kind, path := reduce.Kind(err), filepath.Join(t.TempDir(), "shorter.rnl")
	if !strings.HasPrefix(kind, "crash") {
		return reduce.Program(string(src), func(s string) bool {
			if strings.HasPrefix(kind, "E") { // an error of the compiler
				_, err := compile(s, false)
				return reduce.Kind(err) == kind
			}
			return reduce.Kind(checkText(s, aSeed)) == kind
		})
	}
	return reduce.Program(string(src), func(s string) bool {
		if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
		same := false
		inChild("file "+path, 0, func(_ uint64, why string) { same = reduce.Kind(errors.New(why)) == kind })
		return same
	})
}

// save keeps a program that shows a mistake.
func save(t *testing.T, seed uint64, why string) {
	if *found == "" {
		return
	}
	p := crossgen.New(catalogue, seed, *progSize)
	base := filepath.Join(*found, fmt.Sprintf("%d-%d", *progSize, seed))
	texts := map[string]string{".why": why, ".rnl": p.Text(), ".wrapped.rnl": p.Wrapped()}
	for name, text := range p.Files() {
		texts["."+name+".rnl"] = text
	}
	for ext, text := range texts {
		if err := os.WriteFile(base+ext, []byte(text), 0o600); err != nil {
			t.Error(err)
		}
	}
}
