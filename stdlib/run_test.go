package stdlib_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/host"
)

// run returns what a program prints and the error it ends with.
func run(t *testing.T, src string, host runnel.Host, limits runnel.Limits, more ...*runnel.Module) (string, error) {
	t.Helper()
	o := runneltest.Runner{Name: "test.rnl", Modules: append(all.Modules(), more...), Host: host, Limits: limits}.Run(t, src)
	return o.Printed, o.Err
}

func TestNothingIsGrantedByDefault(t *testing.T) {
	for _, src := range []string{
		`import fs; fs.read("/etc/hostname")`, `import fs; fs.write("x", "")`, `import fs; fs.exists("/")`,
		`import fs; fs.list("/")`, `import fs; fs.temp_dir()`, `import fs; fs.lines("/etc/hostname")`,
		`import sys; sys.env("HOME")`, `import sys; sys.exit(1)`, `import time; time.now()`, `import time; time.mono()`,
		`import io; io.read_line()`, `import io; io.read_all()`,
	} {
		_, err := run(t, src, runnel.Host{}, runnel.Limits{})
		var e *runnel.Error
		require.ErrorAs(t, err, &e, src)
		require.Equal(t, "IoError", e.Kind, src)
		require.Contains(t, e.Message, "does not grant", src)
	}
	for _, src := range []string{`import sys; assert(sys.args.len() == 0)`, `import io; io.write("dropped")`, `import rand; assert(rand.float() < 1.0)`} {
		_, err := run(t, src, runnel.Host{}, runnel.Limits{})
		require.NoError(t, err, src)
	}
}

func TestTheHostDecides(t *testing.T) {
	host := runnel.Host{
		Stdin:    strings.NewReader("one\ntwo\n"),
		Args:     []string{"a", "b"},
		Env:      func(name string) (string, bool) { return "<" + name + ">", name == "SET" },
		Now:      func() time.Time { return time.Date(2024, 3, 5, 12, 0, 0, 0, time.UTC) },
		Mono:     func() time.Duration { return 7 * time.Second },
		Location: time.FixedZone("", 3600),
		RandSeed: func() uint64 { return 42 },
		FS:       host.ReadOnlyFS{FS: fstest.MapFS{"dir/a.txt": {Data: []byte("file text")}}},
	}
	got, err := run(t, `
import fs
import io
import rand
import sys
import time
print(io.read_line(), sys.args, sys.env("SET"), sys.env("UNSET"))
print(time.now().iso(), time.now().local().hour(), time.mono())
print(rand.int(0, 1000) == rand.new(42).int(0, 1000))
print(fs.read("/dir/a.txt"), fs.walk("/"), fs.exists("b"))
print(try { fs.write("b", ""); "" } catch e: IoError { e.message() })
print(try { fs.read("../secret") } catch e: IoError { e.message() })
`, host, runnel.Limits{})
	require.NoError(t, err)
	require.Equal(t, `one ["a", "b"] <SET> none
2024-03-05T12:00:00Z 13 7s
true
file text ["/dir/a.txt"] false
cannot write "b": permission denied
cannot read "../secret": file does not exist
`, got)
}

// What natives allocate is paid for before: none of these may take what it asks for.
func TestNativesKeepToTheMemoryLimit(t *testing.T) {
	big := t.TempDir() + "/big"
	require.NoError(t, os.WriteFile(big, make([]byte, 8<<20), 0o600))
	host := all.Host([]string{big})
	for _, src := range []string{
		`import fs; import sys; print(fs.read(sys.args[0]).len())`,
		`import fs; import sys; print(fs.read_bytes(sys.args[0]).len())`,
		`import fs; import sys; for line in fs.lines(sys.args[0]) { print(line.len()) }`,
		`import re; print(re.compile("(b{1000})".repeat(20)).count(""))`,
		`import re; print(re.find_all("a", "a".repeat(400_000)).len())`,
		`import re; print(re.replace("a", "a".repeat(10_000), "b".repeat(10_000)).len())`,
		`import re; print(re.split("a", "a".repeat(400_000)).len())`,
		`import json; let xs = [0].repeat(400_000); print(json.encode(xs, indent: 16).len())`,
		`import json; print(json.decode<[[int]]>("[" + "[1],".repeat(200_000) + "[1]]").len())`,
	} {
		_, err := run(t, src, host, runnel.Limits{Memory: 4 << 20})
		var e *runnel.Error
		require.ErrorAs(t, err, &e, src)
		require.Contains(t, e.Message, "memory limit", src)
	}
}

func TestNativesKeepToTheStepLimit(t *testing.T) {
	for _, src := range []string{
		`import json; json.is_valid("[" + "1,".repeat(100_000) + "1]")`,
		`import re; re.matches("x*y", "x".repeat(1_000_000))`,
		`import json; let _ = json.encode("x".repeat(1_000_000))`,
	} {
		_, err := run(t, src, runnel.Host{}, runnel.Limits{Steps: 5000})
		require.ErrorContains(t, err, "step", src)
	}
}
