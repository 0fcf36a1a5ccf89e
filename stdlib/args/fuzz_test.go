package args_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/args"
	"github.com/runnel-lang/runnel/stdlib/sys"
)

// Whatever the arguments are: they are read, or it is told what is wrong with them.
const readsItsArguments = `
import args
import sys
enum Mode { Fast, DryRun }
struct Options {
  size: int = 1, ratio: float? = none, loud: bool = false, color: bool = true, mode: Mode = Fast
  tags: [str] = [], waits: [duration] = [], source: str = "", files: [str] = []
}
let words = sys.args[0].split("\n")
try {
  let o = args.parse(Options(), "fuzz", short: {"size": "s", "loud": "l", "mode": "1"}, operands: ["source", "files"], argv: words)
  assert(words.contains(o.source) && o.files.all(|f| words.contains(f)))
} catch e: args.UsageError { assert(e.text != "") } catch e: args.HelpAsked { assert(e.text.contains("--ratio NUMBER")) }
let p = args.parser("fuzz")
let add = p.command("add")
let level = add.count("verbose", short: "v")
try { p.parse(words); assert(add.chosen && level.value >= 0) } catch e: args.UsageError {} catch e: args.HelpAsked {}
`

func FuzzArgs(f *testing.F) {
	for _, seed := range []string{
		"", "a", "--size\n3\na", "--size=3\n-l1fast\nb", "--no-color\n--\n--size\nx", "-h", "--help=1", "--tags=\n--tags\nx\n-",
		"--ratio\n-1e9\n-5", "--waits\n1h\n--mode=dry-run\nf", "add\n-vvv", "-s", "---", "-é", "--size=99999999999999999999",
	} {
		f.Add(seed)
	}
	argv := []string{""}
	prog, err := runnel.MustNew(
		runnel.WithModules(args.Module, sys.Module), runnel.WithHost(runnel.Host{Args: argv}),
		runnel.WithLimits(runnel.Limits{Memory: 64 << 20, Steps: 10_000_000}),
	).Compile("fuzz.rnl", readsItsArguments)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		argv[0] = strings.ToValidUTF8(text, "?")
		in := prog.NewInstance()
		defer in.Close()
		require.NoError(t, in.Run(context.Background()), text)
	})
}
