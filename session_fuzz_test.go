package runnel_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// FuzzSession takes entries apart by lines of `---`; what begins with `?` is asked
// for its type, with `!` for its bytecode and with `.` for completions. None harms
// those after it.
func FuzzSession(f *testing.F) {
	for _, seed := range []string{
		"let x = 1\n---\nx + 1\n---\n_ * 2",
		"struct P { a: int = 3 }\n---\n.P().\n---\nP()\n---\nstruct P { b: str }\n---\n[P(\"\")]",
		"fn f<T>(v: T, n: int) -> int { f([v], n - 1) }\n---\n?f(1, 2)\n---\nf(1, 2)\n---\n!f(1, 2)",
		"import json\n---\n!import math\nmath.pi\n---\nimport math\n---\nmath.pi",
		"let c = chan<any>()\nspawn { for v in c { print(v) } }\n---\nenum E { A, B(int) }\n---\nc.send(E.B(1))",
		"let l = [0][1]\n---\nl\n---\ndefer print(1)\nloop { }\n---\nthrow error(\"a\")",
		"interface I { fn a() -> int }\n---\nstruct S { fn a() -> int { 1 } }\n---\nlet i: I = S()\n---\ni is S",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4000 {
			return
		}
		rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(runnel.Host{Stdout: io.Discard}),
			runnel.WithLimits(runnel.Limits{Memory: 32 << 20, Steps: 1_000_000, Tasks: 1000}))
		defer rt.Close()
		s, err := rt.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		eval := func(src string) error {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			_, err := s.Eval(ctx, "entry", src)
			return err
		}
		if err := eval("let fuzz_kept = [41, 42]"); err != nil {
			t.Fatal(err)
		}
		for entry := range strings.SplitSeq(text, "\n---\n") {
			switch ask := strings.TrimLeft(entry, "?!."); {
			case strings.HasPrefix(entry, "?"):
				_, _ = s.TypeOf(ask)
			case strings.HasPrefix(entry, "!"):
				_ = s.Disassemble(io.Discard, ask)
			case strings.HasPrefix(entry, "."):
				s.Complete(ask, len(ask))
			default:
				_ = eval(entry)
			}
		}
		_ = s.Source()
		s.Usage()
		var failed *runnel.CompileError
		if err := eval("fuzz_kept[1]"); errors.As(err, &failed) && !strings.Contains(text, "fuzz_kept") {
			t.Fatalf("%v\n%s", err, text)
		}
	})
}
