package runnel_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// session runs entries and says what each gives.
type session struct {
	*runnel.Session
	t   *testing.T
	out bytes.Buffer
}

func newSession(t *testing.T, opts ...runnel.Option) *session {
	t.Helper()
	s := &session{t: t}
	rt := runnel.MustNew(append([]runnel.Option{runnel.WithModules(all.Modules()...), runnel.WithHost(runnel.Host{Stdout: &s.out})}, opts...)...)
	live, err := rt.NewSession()
	require.NoError(t, err)
	t.Cleanup(live.Close)
	s.Session = live
	return s
}

// enter gives what an entry has printed, its value and type, or its error.
func (s *session) enter(src string) string {
	s.t.Helper()
	s.out.Reset()
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Second)
	defer cancel()
	res, err := s.Eval(ctx, "entry", src)
	text := s.out.String()
	switch {
	case err != nil:
		text += err.Error()
	case res.Type != "":
		text += res.Text + ": " + res.Type
	}
	return text
}

func TestEntriesSeeThoseBeforeThem(t *testing.T) {
	s := newSession(t)
	for _, step := range []struct{ src, want string }{
		{"1 + 2", "3: int"},
		{"_ * 2", "6: int"},
		{"let x = 40", ""},
		{"fn add(n: int) -> int { x + n }", ""},
		{"add(2)", "42: int"},
		{`let x = "new"`, ""},
		{"x", `"new": str`},
		{"add(2)", "42: int"},
		{"var n = 0", ""},
		{"n += 5; n", "5: int"},
		{"struct P { a: int\n b: str }", ""},
		{`let p = P(1, "b")`, ""},
		{"p", `P(a: 1, b: "b"): P`},
		{"struct P { c: float }", ""},
		{"[P(1.5)]", "[P(c: 1.5)]: [P]"},
		{"p.b", `"b": str`},
		{"import json", ""},
		{"json.encode([1, 2])", `"[1,2]": str`},
		{"fn id<T>(v: T) -> T { v }", ""},
		{`(id(1), id("s"))`, `(1, "s"): (int, str)`},
		{"id(1.5)", "1.5: float"},
		{"interface Shape { fn area -> float }", ""},
		{"struct Sq { s: float\n fn area -> float { self.s * self.s } }", ""},
		{"fn total(list: [Shape]) -> float { var t = 0.0; for s in list { t += s.area() }; t }", ""},
		{"total([Sq(2.0)])", "4.0: float"},
		{"struct Ci { fn area -> float { 3.0 } }", ""},
		{"total([Sq(2.0), Ci()])", "7.0: float"},
		{"let f = add", ""},
		{"f(1)", "41: int"},
		{"if x == x { 3 } else { 4 }", "3: int"},
		{"if x == x { print(1) }", "1\n"},
		{"print(2)", "2\n"},
		{"const K = 7", ""},
		{"K * 2", "14: int"},
		{"fn main() { print(9) }", ""},
		{"main()", "9\n"},
	} {
		require.Equal(t, step.want, s.enter(step.src), step.src)
	}
}
