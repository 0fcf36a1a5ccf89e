package toml_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/texttest"
	"github.com/runnel-lang/runnel/stdlib/toml"
)

// readBack reads a text, what encode makes of it, and what that becomes again.
const readBack = `
import fs
import toml
fn check(text: str) {
  let value = try { toml.parse(text) } catch e: ValueError { return }
  let once = toml.encode(value)
  let twice = toml.encode(toml.parse(once))
  assert(once == twice, "${once:?} became ${twice:?}")
}
let text = try { fs.read("text") } catch e: IoError { "" }
check(text)
let holder = {text: [text]}
assert(toml.decode<map<str, [str]>>(toml.encode(holder)) == holder, "${toml.encode(holder):?}")
`

func TestWhatIsReadIsPaidFor(t *testing.T) {
	for _, text := range []string{
		"a = [" + strings.Repeat("1,", 100_000) + "]",
		strings.Repeat("[[a]]\nb = 1\n", 20_000),
		"a = \"" + strings.Repeat("x", 500_000) + "\"",
	} {
		script := `import fs; import toml; print(toml.parse(fs.read("text")).len())`
		_, err := texttest.Runner(t, toml.Module, script, runnel.Limits{Memory: 8 << 20})(text)
		require.ErrorContains(t, err, "memory limit")
		_, err = texttest.Runner(t, toml.Module, script, runnel.Limits{Steps: 20_000})(text)
		require.ErrorContains(t, err, "steps is reached")
		_, err = texttest.Runner(t, toml.Module, script, runnel.Limits{})(text)
		require.NoError(t, err)
	}
}

// Each search for the place of an error parses parts of the text again.
func TestThePlaceOfAnErrorIsPaidFor(t *testing.T) {
	text := strings.Repeat("[[a]]\nb = 1\n", 2000) + "[[a]]\nb = true"
	script := `import fs; import toml; print(toml.decode<map<str, [map<str, int>]>>(fs.read("text")).len())`
	_, err := texttest.Runner(t, toml.Module, script, runnel.Limits{})(text)
	require.ErrorContains(t, err, "expected int, found a bool at 4002:1 (a[2000].b)")
	_, err = texttest.Runner(t, toml.Module, script, runnel.Limits{Steps: 50_000})(text)
	require.ErrorContains(t, err, "steps is reached")
}

func FuzzTOML(f *testing.F) {
	for _, text := range []string{
		"", "a = 1", "a.b = [1, [2.5, inf]]", "[a]\nb = 'x'\n[[c]]\n[[c]]\nd = {e = true}", "a = \"\"\"\nx\\\n  y\"\"\"", "a = '''\n'x'''", "d = 1979-05-27T07:32:00Z",
		"d = 1979-05-27 # c", "t = 07:32:00.5", "\"a b\".'c' = 0xff", "a = \"\\u00e9\\n\"", "a = [\n1, # x\n2,\n]", "[a.b]\n[a]", "a = 1_000", "a = -nan", "a = {}", "[[a]]\n[a.b]", "\ufeffa = 1",
	} {
		f.Add(text)
	}
	run := texttest.Runner(f, toml.Module, readBack, runnel.Limits{Memory: 64 << 20})
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := run(text); err != nil {
			require.ErrorContains(t, err, "memory limit", "%q", text)
		}
	})
}

// What decoding asks of a text can be refused anywhere, and the place is found.
func FuzzPlace(f *testing.F) {
	f.Add("[a]\nb = [\n1,\n'x']\n[c]\nd = 1")
	f.Add("[[a]]\nb = 1\n[[a]]\nb.c = {d = [1]}\n")
	f.Add("a = \"\"\"\nb = 1\n\"\"\"\n[b]\nb = 2")
	f.Add("\"\\\n")
	run := texttest.Runner(f, toml.Module, `
import fs
import toml
let text = fs.read("text")
fn refused<T>(text: str) { try { toml.decode<T>(text) } catch e: ValueError { print(e.message()) } }
refused<map<str, int>>(text)
refused<map<str, map<str, bool>>>(text)
refused<map<str, [map<str, str>]>>(text)
`, runnel.Limits{Memory: 64 << 20})
	f.Fuzz(func(t *testing.T, text string) {
		out, err := run(text)
		if err != nil && !strings.Contains(err.Error(), "memory limit") {
			require.True(t, texttest.IsBadInput(err), "%v", err)
		}
		for message := range strings.Lines(out) {
			require.Contains(t, message, " at ", "%q", text)
		}
	})
}
