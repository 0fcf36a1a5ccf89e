package runnel_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
)

const generatorProgram = `
pub fn numbers(n: int) -> fn() -> int? { upto(n).next }
pub fn upto(n: int) -> Iterator<int> {
  for i in 0..n {
    if i == 3 { throw error("three") }
    yield i
  }
}
pub fn endless() -> Iterator<int> {
  var i = 0
  loop {
    i += 1
    if i == 3 { loop { i += 1 } }
    yield i
  }
}
let kept = endless()
pub fn step() -> int? { kept.next() }
pub fn sum(n: int) -> int { upto(n).fold(0, |s, x| s + x) }
`

func generatorInstance(t *testing.T, opts ...runnel.Option) *runnel.Instance {
	p, err := runnel.MustNew(opts...).Compile("generators.rnl", generatorProgram)
	require.NoError(t, err)
	in := p.NewInstance()
	t.Cleanup(in.Close)
	require.NoError(t, in.Run(context.Background()))
	return in
}

// A host goes on with a generator by its next, from one call to another.
func TestHostsIterate(t *testing.T) {
	in := generatorInstance(t)
	var numbers func(context.Context, int) (func(context.Context) (*int, error), error)
	require.NoError(t, in.BindFunc("numbers", &numbers))
	next, err := numbers(context.Background(), 9)
	require.NoError(t, err)
	for want := range 3 {
		got, err := next(context.Background())
		require.NoError(t, err)
		require.Equal(t, want, *got)
	}
	_, err = next(context.Background())
	require.ErrorContains(t, err, "three")
	got, err := next(context.Background())
	require.NoError(t, err)
	assert.Nil(t, got)
}

// What a generator keeps is nobody's business.
func TestAGeneratorIsNoData(t *testing.T) {
	in := generatorInstance(t)
	_, err := in.Call(context.Background(), "upto", 3)
	require.ErrorContains(t, err, "a Generator<int> cannot be given to Go")
}

// A limit that strikes within a generator ends the call, and leaves the instance whole.
func TestLimitsStrikeWithinGenerators(t *testing.T) {
	for name, opt := range map[string]runnel.Limits{"steps": {Steps: 100_000}, "time": {Time: 100 * time.Millisecond}} {
		t.Run(name, func(t *testing.T) {
			in := generatorInstance(t, runnel.WithLimits(opt))
			for range 2 {
				_, err := in.Call(context.Background(), "step")
				require.NoError(t, err)
			}
			_, err := in.Call(context.Background(), "step")
			var e *runnel.Error
			require.True(t, errors.As(err, &e))
			require.Equal(t, "LimitError", e.Kind)
			_, err = in.Call(context.Background(), "step")
			require.Error(t, err)
			got, err := in.Call(context.Background(), "sum", 3)
			require.NoError(t, err)
			require.EqualValues(t, 3, got)
		})
	}
}

// Entries of a session go on with a generator of an earlier one.
func TestGeneratorsInASession(t *testing.T) {
	s, err := runnel.MustNew().NewSession()
	require.NoError(t, err)
	defer s.Close()
	for _, entry := range []string{
		"fn count(n: int) -> Iterator<int> {\n  for i in 0..n { yield i }\n}", "let it = count(3)", "it.next()",
		"let twice = |x: int| -> Iterator<int> { yield x; yield 2 * x }",
	} {
		_, err := s.Eval(context.Background(), "entry", entry)
		require.NoError(t, err, entry)
	}
	for _, c := range []struct{ entry, want string }{{"it.next()", "1"}, {"it.to_list()", "[2]"}, {"it.next()", "none"}, {"twice(4).to_list()", "[4, 8]"}} {
		got, err := s.Eval(context.Background(), "entry", c.entry)
		require.NoError(t, err, c.entry)
		require.Equal(t, c.want, got.Text)
	}
}
