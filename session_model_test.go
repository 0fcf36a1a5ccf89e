package runnel_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/internal/testgen/progen"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/stdlib/all"
)

var (
	sessionSeeds = flag.Uint64("sessionseeds", 12, "number of seeds of the tests of sessions")
	sessionFirst = flag.Uint64("sessionfirst", 1, "first seed of the tests of sessions")
)

// splitScript returns the items of a script in groups, at random: what stands in an
// earlier one mentions nothing that a later one declares.
func splitScript(src string, r *rand.Rand) []string {
	file, diags := syntax.Parse((&diag.FileSet{}).Add("entry", src))
	if len(diags) > 0 {
		return []string{src}
	}
	last := map[string]int{} // the item that declares a name last
	for i, item := range file.Items {
		for _, name := range syntax.Declared(item) {
			last[name] = i
		}
	}
	var entries []string
	start, need := 0, 0
	for i, item := range file.Items {
		text := src[item.Span().Start-file.Source.Base : item.Span().End-file.Source.Base]
		for _, word := range words.FindAllString(text, -1) {
			need = max(need, last[word])
		}
		end := int(item.Span().End - file.Source.Base)
		if hasDefer(item) {
			break // which runs at the end of the entry
		}
		if i >= need && r.IntN(3) > 0 && i < len(file.Items)-1 {
			entries = append(entries, strings.TrimLeft(src[start:end], "; "))
			start = end
		}
	}
	return append(entries, strings.TrimLeft(src[start:], "; "))
}

func hasDefer(item syntax.Stmt) (found bool) {
	if _, ok := item.(*syntax.FnDecl); ok {
		return false
	}
	syntax.Walk(item, func(n syntax.Node) bool {
		_, ok := n.(*syntax.DeferStmt)
		found = found || ok
		return true
	})
	return found
}

var words = regexp.MustCompile(`[A-Za-z_]\w*`)

var closures = regexp.MustCompile(`<fn in \w+>`)

// shown is what a run has printed and the error at its end, without its place.
func shown(out string, err error) string {
	out = closures.ReplaceAllString(out, "<fn>") // named for what mentions it first
	var e *runnel.Error
	if errors.As(err, &e) {
		return out + "\nerror: " + e.Kind + ": " + e.Message
	}
	if err != nil {
		return out + "\nerror: " + err.Error()
	}
	return out
}

// lockedWriter is written to by tasks on several workers.
type lockedWriter struct {
	mu sync.Mutex
	b  *bytes.Buffer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func modelRuntime(out *bytes.Buffer, workers int) *runnel.Runtime {
	host := all.Host(nil)
	w := &lockedWriter{b: out}
	host.Stdout, host.Stderr, host.Stdin, host.Exit = w, w, strings.NewReader(""), nil
	return runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithSources(runnel.OSSources()), runnel.WithHost(host), runnel.WithWorkers(workers),
		runnel.WithLimits(runnel.Limits{Memory: 128 << 20}))
}

func runWhole(ctx context.Context, name, src string, workers int) (string, error) {
	var out bytes.Buffer
	rt := modelRuntime(&out, workers)
	prog, err := rt.Compile(name, src)
	if err != nil {
		return "", err
	}
	err = prog.NewInstance().Run(ctx)
	rt.Close()
	return shown(out.String(), err), nil
}

// Nothing of this may change what the entries around do.
var disturbances = []func(ctx context.Context, t *testing.T, s *runnel.Session, r *rand.Rand, next string){
	func(ctx context.Context, t *testing.T, s *runnel.Session, r *rand.Rand, next string) {
		bad := []string{
			"let zz = ", "fn f( {", "\"${", "}", "zz_nothing + 1", "let print = zz_nothing", "struct int_ { a: zz_nothing }",
			"fn zz_deep<T>(v: T, n: int) -> int { zz_deep([v], n - 1) }\nzz_deep(1, 3)", "import zz_nothing", "import json\nzz_nothing",
			"1 + \"a\"", "let a = 1\nlet a = 2", "return 1", "throw error(\"bad\")", "[1][7]", "let zz = 1\nlet zz2 = [zz][zz]",
		}
		_, err := s.Eval(ctx, "bad", bad[r.IntN(len(bad))])
		require.Error(t, err)
	},
	func(ctx context.Context, t *testing.T, s *runnel.Session, r *rand.Rand, next string) {
		ctx, cancel := context.WithTimeout(ctx, time.Millisecond)
		defer cancel()
		_, err := s.Eval(ctx, "bad", []string{"loop { }", "sleep(1h)", "chan<int>().recv()"}[r.IntN(3)])
		require.Error(t, err)
	},
	func(ctx context.Context, t *testing.T, s *runnel.Session, r *rand.Rand, next string) {
		for _, n := range declaredOf(next) {
			_, _ = s.Eval(ctx, "bad", "let "+n+" = [0][1]")
		}
	},
	func(ctx context.Context, t *testing.T, s *runnel.Session, r *rand.Rand, next string) {
		_, _ = s.TypeOf(next)
	},
	func(ctx context.Context, t *testing.T, s *runnel.Session, r *rand.Rand, next string) {
		_ = s.Disassemble(&bytes.Buffer{}, next)
	},
	func(ctx context.Context, t *testing.T, s *runnel.Session, r *rand.Rand, next string) {
		_ = s.Complete(next, r.IntN(len(next)+1))
	},
	func(ctx context.Context, t *testing.T, s *runnel.Session, r *rand.Rand, next string) {
		_ = s.Source()
		s.Usage()
		s.Tasks()
	},
}

func declaredOf(src string) (names []string) {
	file, _ := syntax.Parse((&diag.FileSet{}).Add("entry", src))
	for _, item := range file.Items {
		if _, ok := item.(*syntax.LetStmt); ok {
			names = append(names, syntax.Declared(item)...)
		}
	}
	return names
}

// runEntries runs a script as entries; its source is that of the session at the
// end, when nothing has failed.
func runEntries(ctx context.Context, t *testing.T, name string, entries []string, workers int, disturb *rand.Rand) (out, source string) {
	var b bytes.Buffer
	rt := modelRuntime(&b, workers)
	s, err := rt.NewSession()
	require.NoError(t, err)
	for _, e := range entries {
		for disturb != nil && disturb.IntN(2) == 0 {
			disturbances[disturb.IntN(len(disturbances))](ctx, t, s, disturb, e)
		}
		if _, err = s.Eval(ctx, name, e); err != nil {
			break
		}
	}
	if err == nil {
		source = s.Source()
	}
	rt.Close()
	return shown(b.String(), err), source
}

func compareSession(t *testing.T, name, src string, seed uint64, workers int) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	want, err := runWhole(ctx, name, src, workers)
	if err != nil {
		return
	}
	r := rand.New(rand.NewPCG(seed, 1))
	entries := splitScript(src, r)
	if strings.Contains(src, "fn main()") {
		entries = append(entries, "main()")
	}
	for _, disturb := range []*rand.Rand{nil, r} {
		got, source := runEntries(ctx, t, name, entries, workers, disturb)
		if got != want {
			t.Errorf("%s, disturbed %v: as a script:\n%s\nas %d entries:\n%s\n%s", name, disturb != nil, want, len(entries), got, diffOf(want, got))
			return
		}
		if source != "" {
			again, err := runWhole(ctx, name, source, workers)
			if err != nil || again != want {
				t.Errorf("%s, disturbed %v: saved: %v\n%s\n%s", name, disturb != nil, err, diffOf(want, again), source)
				return
			}
		}
	}
}

func diffOf(x, y string) string {
	xs, ys := strings.Split(x, "\n"), strings.Split(y, "\n")
	for i := range min(len(xs), len(ys)) {
		if xs[i] != ys[i] {
			return fmt.Sprintf("line %d: %s\n entries: %s", i+1, xs[i], ys[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(xs), len(ys))
}

func TestAScriptInEntriesDoesTheSame(t *testing.T) {
	for seed := *sessionFirst; seed < *sessionFirst+*sessionSeeds; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			compareSession(t, "entry", progen.Program(seed), seed, 1+int(seed%3))
		})
	}
}

// Cases that do not depend on how long things take.
func TestCasesInEntriesDoTheSame(t *testing.T) {
	n := 0
	for _, dir := range []string{"closures", "defer", "enums", "errors", "functions", "generics", "interfaces", "iter", "match", "reactive", "structs", "sync", "tasks"} {
		paths, err := filepath.Glob(filepath.Join("spec", "tests", dir, "*.rnl"))
		require.NoError(t, err)
		for _, path := range paths {
			src, err := os.ReadFile(path)
			require.NoError(t, err)
			if n++; !longtest.Asked() && uint64(n)%8 != *sessionFirst%8 || directives.Match(src) {
				continue
			}
			t.Run(filepath.ToSlash(path), func(t *testing.T) {
				t.Parallel()
				compareSession(t, path, string(src), *sessionFirst, 1)
			})
		}
	}
	require.Greater(t, n, 100)
}

var directives = regexp.MustCompile(`(?m)^// (check only|on a|args:|stdin:|limit)`)
