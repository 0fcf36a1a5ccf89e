package mutate_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/internal/testgen/mutate"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

var (
	hostMutants = flag.Int("hostmutants", longtest.Of(100, 2000), "how many mutants of the program for hosts are run")
	hostSeed    = flag.Uint64("hostseed", 1, "what they are made from")
	hostFrom    = flag.Uint64("hostfrom", 0, "number of the first one")
)

const isChild = "RUNNEL_HOST_CHILD"

func hostedProgram(t *testing.T) []byte {
	t.Helper()
	data, err := mutate.Hosted()
	require.NoError(t, err)
	return data
}

func decoded(t *testing.T, data []byte) *bytecode.Program {
	t.Helper()
	p, err := bytecode.Decode(data)
	require.NoError(t, err)
	return p
}

func TestAHostsProgramHasNoErrors(t *testing.T) {
	_, err := mutate.Host(decoded(t, hostedProgram(t)))
	require.NoError(t, err)
}

// inChild runs the test in a process of its own, which a stray pointer or a panic of
// a goroutine would end, and tells what it was at.
func inChild(t *testing.T, most time.Duration) (inside bool) {
	t.Helper()
	if os.Getenv(isChild) != "" {
		return true
	}
	args := []string{"-test.run=^" + t.Name() + "$", "-test.timeout=" + most.String()}
	flag.Visit(func(f *flag.Flag) {
		if strings.HasPrefix(f.Name, "host") {
			args = append(args, fmt.Sprintf("-%s=%s", f.Name, f.Value))
		}
	})
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), isChild+"=1")
	var crash strings.Builder
	cmd.Stderr = &crash
	out, err := cmd.Output()
	require.NoError(t, err, "%s\n%.8000s", tail(string(out)), crash.String())
	t.Log(tail(string(out)))
	return false
}

// tail is the end of what a process has said.
func tail(text string) string { return strings.TrimSpace(text[max(0, len(text)-500):]) }

// forgery is a change of the program that no compiler makes.
type forgery struct {
	name   string
	change func(p *bytecode.Program)
}

// forgeries puts other functions, types and fields where a host finds its own.
func forgeries(p *bytecode.Program) (list []forgery) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range p.Funcs {
		f := &p.Funcs[i]
		if !isDesk(p, f) {
			continue
		}
		list = append(list, forgery{f.Name + " is missing", func(p *bytecode.Program) { p.Funcs[i].Name = "gone" }})
		for range 3 {
			j := r.IntN(len(p.Funcs))
			list = append(list, forgery{fmt.Sprintf("%s is %s", f.Name, p.Funcs[j].Name), func(p *bytecode.Program) {
				f, g := &p.Funcs[i], &p.Funcs[j]
				f.Name, g.Name, f.File, g.File = g.Name, f.Name, g.File, f.File
			}})
		}
		for at := range len(f.Params) + 1 {
			list = append(list, forgery{fmt.Sprintf("type %d of %s", at, f.Name), retyped(r, p, i, at)})
		}
	}
	for id := range p.Types {
		list = append(list, fieldForgeries(p, id)...)
	}
	return list
}

// isDesk reports whether a function stands in a file in which hosts look for theirs.
func isDesk(p *bytecode.Program, f *bytecode.Func) bool {
	switch p.Files[f.File].Name {
	case "actor/host.rnl", "reactive/host.rnl", "reactive/host_store.rnl":
		return !strings.ContainsAny(f.Name, ". <")
	case "actor/cell.rnl", "actor/core.rnl", "reactive/cells.rnl", "reactive/store.rnl":
		return f.Name == "Ref.core" || f.Name == "Stopped.message" || strings.HasSuffix(f.Name, ".ports") || f.Name == "Store.get"
	}
	return false
}

// retyped gives a parameter or the result another type of the same representation,
// most often of the same kind too.
func retyped(r *rand.Rand, p *bytecode.Program, i, at int) func(p *bytecode.Program) {
	place := func(p *bytecode.Program) *uint32 {
		if at == len(p.Funcs[i].Params) {
			return &p.Funcs[i].Result
		}
		return &p.Funcs[i].Params[at]
	}
	was := &p.Types[*place(p)]
	to := *place(p)
	for range 200 {
		id := uint32(r.IntN(len(p.Types)))
		if t := &p.Types[id]; id != to && t.Rep == was.Rep && (t.Kind == was.Kind || r.IntN(20) == 0) {
			to = id
			break
		}
	}
	return func(p *bytecode.Program) { *place(p) = to }
}

// fieldForgeries renames the fields that hosts read, and exchanges their names.
func fieldForgeries(p *bytecode.Program, id int) (list []forgery) {
	t := &p.Types[id]
	known := strings.HasPrefix(t.Name, "Ref<") || strings.HasPrefix(t.Name, "Cell<") || strings.HasPrefix(t.Name, "Computed<")
	switch t.Name {
	case "Core", "Node", "Ports", "End", "DeadLetter", "Address":
		known = true
	}
	if !known || t.Kind != bytecode.TStruct {
		return nil
	}
	for i := range t.Fields {
		list = append(list, forgery{t.Name + "." + t.Fields[i].Name + " is missing", func(p *bytecode.Program) { p.Types[id].Fields[i].Name = "gone" }})
		for j := range min(i, 3) {
			list = append(list, forgery{fmt.Sprintf("%s.%s and .%s", t.Name, t.Fields[i].Name, t.Fields[j].Name), func(p *bytecode.Program) {
				fs := p.Types[id].Fields
				fs[i].Name, fs[j].Name = fs[j].Name, fs[i].Name
			}})
		}
	}
	return list
}

func TestForgedProgramsDoNotHarmTheirHosts(t *testing.T) {
	if !inChild(t, 5*time.Minute) {
		return
	}
	data := hostedProgram(t)
	list := longtest.Some(forgeries(decoded(t, data)), 3)
	ran, failed := runAll(t, len(list), func(i int) (*bytecode.Program, string) {
		p := decoded(t, data)
		list[i].change(p)
		return p, list[i].name
	})
	fmt.Printf("of %d forgeries %d were run, %d of them to an error\n", len(list), ran, failed)
	require.Greater(t, failed, 10)
}

// runAll has programs run, some at a time, as many of them wait for what never comes.
func runAll(t *testing.T, n int, program func(i int) (*bytecode.Program, string)) (ran, failed int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	numbers := make(chan int)
	for range 8 {
		wg.Go(func() {
			for i := range numbers {
				p, what := program(i)
				fmt.Println("begin", i, what)
				outcome, err := mutate.Host(p)
				fmt.Println("end", i)
				mu.Lock()
				if outcome == mutate.Ran {
					if ran++; err != nil {
						failed++
					}
				}
				mu.Unlock()
			}
		})
	}
	for i := range n {
		numbers <- i
	}
	close(numbers)
	wg.Wait()
	return ran, failed
}

func TestMutantsDoNotHarmTheirHosts(t *testing.T) {
	if !inChild(t, 10*time.Minute+time.Duration(*hostMutants)*200*time.Millisecond) {
		return
	}
	corpus := [][]byte{hostedProgram(t)}
	ran, failed := runAll(t, *hostMutants, func(i int) (*bytecode.Program, string) {
		p, changes, err := mutate.Mutant(corpus, *hostSeed, *hostFrom+uint64(i))
		assert.NoError(t, err)
		return p, fmt.Sprint(changes)
	})
	fmt.Printf("of %d mutants %d were run, %d of them to an error\n", *hostMutants, ran, failed)
	require.Positive(t, ran)
}
