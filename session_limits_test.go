package runnel_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/linear"
	"github.com/runnel-lang/runnel/lang/diag"
)

func TestSessionsHaveTheLimitsOfCompiling(t *testing.T) {
	s := newSession(t, runnel.WithCompileLimits(runnel.CompileLimits{Time: 200 * time.Millisecond, Source: 4 << 20}))
	_, err := s.Eval(t.Context(), "busy", busy)
	requireCode(t, err, diag.CompileStopped)
	require.ErrorContains(t, err, "it took longer than 200ms")
	_, err = s.TypeOf(busy)
	requireCode(t, err, diag.CompileStopped)
	requireCode(t, s.Disassemble(&s.out, busy), diag.CompileStopped)
	require.Equal(t, "3: int", s.enter("1 + 2"))
}

func TestCompilingAnEntryStopsWhenItsContextEnds(t *testing.T) {
	s := newSession(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(20*time.Millisecond, func() { cancel(errors.New("the user has gone")) })
	begin := linear.Used()
	_, err := s.Eval(ctx, "busy", busy)
	requireCode(t, err, diag.CompileStopped)
	require.ErrorContains(t, err, "the user has gone")
	require.ErrorIs(t, err, context.Cause(ctx))
	require.Less(t, linear.Used()-begin, 2*time.Second)
}

// Wherever compiling an entry is stopped, the session goes on as if nothing had been
// entered: what is entered next is compiled as in a new session.
func TestAStoppedEntryLeavesNothingBehind(t *testing.T) {
	files := fstest.MapFS{"shapes.rnl": {Data: []byte(`import json
pub enum Shape { Square(side: float), Dot }
pub fn area(s: Shape) -> float { match s { Square(a) => a * a, Dot => 0.0 } }
pub fn text(x: int) -> str { json.encode(x) }
` + numbered("pub fn g$() -> int { [1, 2].map(|x| x * $).len() }\n", 1500))}}
	entry := `import "./shapes"
import re
import csv
struct Point { x: int, y: int
  fn sum() -> int { self.x + self.y }
}
const half = 21
` + numbered("let p$ = [Point($, 1)].map(|p| p.sum()).to_set().len()\n", 1500) + `
"${shapes.area(Square(2.0))} ${shapes.text(half * 2)} ${Point(1, 2).sum()} ${csv.encode([["a"]]).trim()} ${re.compile("a+").matches("aa")}"
`
	s := newSession(t, runnel.WithSources(runnel.FSSources(files)))
	require.Equal(t, "", s.enter("fn first(xs: [int]) -> int { xs[0] }"))
	stops := 0
	for after := time.Duration(0); ; after += 3 * time.Millisecond {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		_, err := s.Eval(ctx, "entry", entry)
		cancel()
		var failed *runnel.CompileError
		if !errors.As(err, &failed) {
			break
		}
		requireCode(t, err, diag.CompileStopped)
		require.Equal(t, "7: int", s.enter("first([7])"))
		stops++
	}
	require.Greater(t, stops, 5)
	require.Equal(t, `"4.0 42 3 a true": str`, s.enter(entry))
}

// What an entry imports counts for it alone: who imports a file again and again, as
// what it declares is wrong, does not come to an end of what a session may read.
func TestImportsOfEntriesCountForEach(t *testing.T) {
	files := fstest.MapFS{
		"long.rnl":  {Data: []byte("// " + strings.Repeat("x", 600) + "\npub fn f() -> int { 1 + }\n")},
		"large.rnl": {Data: []byte("// " + strings.Repeat("x", 2000) + "\n")},
	}
	s := newSession(t, runnel.WithSources(runnel.FSSources(files)), runnel.WithCompileLimits(runnel.CompileLimits{Source: 1000}))
	for range 5 {
		require.Contains(t, s.enter(`import "./long"`), "E0102")
	}
	require.Contains(t, s.enter(`import "./large"`), "larger together than 1000 bytes")
	files["long.rnl"] = &fstest.MapFile{Data: []byte("pub fn f() -> int { 1 }\n")}
	require.Equal(t, "", s.enter(`import "./long"`))
	require.Equal(t, "1: int", s.enter("long.f()"))
}

// numbered repeats a text with each number for its $.
func numbered(text string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "$", strconv.Itoa(i)))
	}
	return b.String()
}
