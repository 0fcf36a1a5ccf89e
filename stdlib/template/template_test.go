package template_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/template"
)

func TestTemplatesKeepToTheLimits(t *testing.T) {
	for _, src := range []string{
		`print(template.parse("{{ x | pad_left(1000000000000) }}").render({"x": 1}))`,
		`let _ = template.parse("{% for a in xs %}{% for b in xs %}{{ s }}{% end %}{% end %}").render({"xs": 0..1000, "s": "x".repeat(1000)})`,
		`let _ = template.parse("{% for a in xs %}{% end %}").render({"xs": [1].repeat(400_000)})`,
		`let _ = template.parse("{{ x }}".repeat(20_000))`,
	} {
		err := run(t, src, runnel.Limits{Memory: 4 << 20})
		require.ErrorContains(t, err, "memory limit", src)
	}
	for _, src := range []string{
		`let _ = template.parse("x".repeat(1_000_000))`,
		`let _ = template.parse("{{ " + "a ".repeat(10_000) + "}}")`,
		`let m = map<str, int>(); for i in 0..1000 { m["${i}"] = i }; print(template.parse("{{ m.x ?? 1 }}".repeat(100)).render({"m": m}))`,
	} {
		err := run(t, src, runnel.Limits{Steps: 20_000})
		require.ErrorContains(t, err, "step", src)
	}
}

// run runs a program within limits and gives the error that ends it.
func run(t *testing.T, src string, limits runnel.Limits) error {
	t.Helper()
	return runneltest.Runner{Name: "test.rnl", Modules: []*runnel.Module{template.Module}, Limits: limits}.Run(t, "import template\n"+src).Err
}
