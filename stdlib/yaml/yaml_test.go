package yaml_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/texttest"
	"github.com/runnel-lang/runnel/stdlib/yaml"
)

// readBack reads a text, what encode makes of it, and what that becomes again.
const readBack = `
import fs
import yaml
fn check(text: str) {
  let value = try { yaml.parse(text) } catch e: ValueError { return }
  let once = yaml.encode(value)
  let twice = yaml.encode(yaml.parse(once))
  assert(once == twice, "${once:?} became ${twice:?}")
}
let text = try { fs.read("text") } catch e: IoError { "" }
check(text)
let holder = {text: [text]}
assert(yaml.decode<map<str, [str]>>(yaml.encode(holder)) == holder, "${yaml.encode(holder):?}")
`

func TestWhatIsReadCostsMemory(t *testing.T) {
	run := texttest.Runner(t, yaml.Module, `import fs; import yaml; let x = yaml.parse(fs.read("text"))`, runnel.Limits{Memory: 8 << 20})
	_, err := run("[" + strings.Repeat("a,", 5000) + "]")
	require.NoError(t, err)
	for _, text := range []string{
		"[" + strings.Repeat("a,", 100_000) + "]",
		strings.Repeat("- a\n", 100_000),
		"a: &a [" + strings.Repeat("x,", 1000) + "]\nb: [" + strings.Repeat("*a,", 300) + "]",
	} {
		_, err := run(text)
		require.ErrorContains(t, err, "memory limit")
	}
}

func TestWhatIsReadCostsSteps(t *testing.T) {
	run := texttest.Runner(t, yaml.Module, `import fs; import yaml; yaml.parse(fs.read("text"))`, runnel.Limits{Steps: 20_000})
	for _, text := range []string{
		"[" + strings.Repeat("a,", 50_000) + "]",
		"a: &a [" + strings.Repeat("x,", 200) + "]\nb: [" + strings.Repeat("*a,", 200) + "]",
	} {
		_, err := run(text)
		require.ErrorContains(t, err, "steps is reached")
	}
}

func TestWhatIsWrittenIsPaidFor(t *testing.T) {
	deep := `import fs; import yaml
let leaves = [0].repeat(3000)
var x: any = leaves
for i in 0..400 { x = [x] }
print(yaml.encode(x).len())`
	_, err := texttest.Runner(t, yaml.Module, deep, runnel.Limits{})("")
	require.NoError(t, err)
	_, err = texttest.Runner(t, yaml.Module, deep, runnel.Limits{Memory: 4 << 20})("")
	require.ErrorContains(t, err, "memory limit")
}

func FuzzYAML(f *testing.F) {
	for _, text := range []string{
		"", "a: 1", "- a\n- {b: [1, 2.5, ~, true]}\n", "a: &x [1]\nb: *x\nc: {<<: {d: 1}, e: !!binary aGk=}", "|\n a\n b\n", ">-\n a\n\n b", "? a\n: b",
		"\"\\u00e9\\x01\\n\"", "'it''s'", "%YAML 1.1\n---\na\n...\n", "!!int x", "&a [*a]", "a: {<<: 1}", "0x1f", "0o17", ".inf", "2024-01-01", "<<: [{a: 1}]", "- - - -", "# c",
		"\"\\t0000\\n\"", "\"a\\n\\tb\"",
	} {
		f.Add(text)
	}
	run := texttest.Runner(f, yaml.Module, readBack, runnel.Limits{Memory: 64 << 20})
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := run(text); err != nil {
			require.ErrorContains(t, err, "memory limit", "%q", text)
		}
	})
}
