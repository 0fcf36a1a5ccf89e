package template_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/io"
	"github.com/runnel-lang/runnel/stdlib/sys"
	"github.com/runnel-lang/runnel/stdlib/template"
)

// What is no template is a ValueError that names a place; nothing else happens.
const rendersItsArgument = `
import io
import sys
import template
let data: map<str, any> = {"a": 1, "xs": [1, 2], "m": {"k": "v"}, "s": "<&>", "n": none}
try { print(template.parse(sys.args[0]).render(data)) }
catch e: ValueError { io.eprint(e.message()) }
`

func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{
		"plain", "{{ a }}", "{{- m.k ?? \"x\" -}}", "{% for k, v in m %}{{ k }}{% else %}-{% end %}", "{# no #}\n",
		"{% if a > 1 && !xs %}{% elif n %}{% else %}{% end %}", "{{ xs | join(\", \") | upper }}", "{{ (1 + 2) * -3 % 4 / 0 }}",
		"{{ \"}}\\u00e9\" }}", "{{ xs.0.1 }}", "{{", "%}", "{{ a | round(99999999999) }}", "{{ s | pad_left(999999999999) }}",
	} {
		f.Add(seed)
	}
	args := []string{""}
	var out, fault bytes.Buffer
	prog, err := runnel.MustNew(
		runnel.WithModules(io.Module, sys.Module, template.Module),
		runnel.WithHost(runnel.Host{Args: args, Stdout: &out, Stderr: &fault}),
		runnel.WithLimits(runnel.Limits{Memory: 64 << 20, Steps: 10_000_000}),
	).Compile("fuzz.rnl", rendersItsArgument)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, src string) {
		src = strings.ToValidUTF8(src, "?")
		args[0] = src
		out.Reset()
		fault.Reset()
		in := prog.NewInstance()
		defer in.Close()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		err := in.Run(ctx)
		require.NoError(t, ctx.Err(), src)
		if err != nil {
			require.ErrorContains(t, err, "limit", src)
			return
		}
		if fault.Len() > 0 {
			require.Regexp(t, `^template: \d+:\d+: `, fault.String(), src)
		} else if !strings.Contains(src, "{") {
			require.Equal(t, src+"\n", out.String())
		}
	})
}
