package toml

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/assert"
)

func TestWhatIsInlineIsWhole(t *testing.T) {
	for _, text := range []string{
		"a = {b = 1}\na.c = 2",
		"a = {b = 1}\n[a.d]\nx = 1",
		"a = {b = 1}\n[a.d.e]\nx = 1",
		"a = {b = {c = 1}, b.d = 2}",
		"a = [{b = {c = 1}, b.d = 2}]",
		"a = {b = {c = 1}}\n[a.b.d]",
		"[t]\na = {b = 1}\n[t.a.c]",
		"[t]\na = {}\na.c = 1",
		"[[t]]\na = {}\n[t.a.c]\nx = 1",
		"\"a\" = {}\n'a'.c = 1",
		"\"\\u0061\" = {} # of a\na.c = 1",
		"a.b = {}\na.b.c = 1",
		"a = {\"x ] = \" = 1, y = '}'}\n\n# more\n  a.z = 1",
		"x = [ # one\n  {a = 1}, # two\n  {b = {}, b.c = 2},\n]",
	} {
		err := extended(text)
		if assert.Error(t, err, text) {
			assert.Contains(t, err.(toml.ParseError).Message, "cannot be added to")
		}
	}
	for _, text := range []string{
		"", "# nothing", "a = 1", "a.b = 1\na.c = 2", "a.b = {}\na.c = {}",
		"a = {b.c = 1, b.d = 2}",
		"a = [{b.c = 1}, {b.c = 2}]\nb = 1",
		"[a]\nb = {c = 1}\n[a.d]\nb = {c = 1}",
		"[[a]]\nb = {c = 1}\n[[a]]\nb = {c = 1}\n[a.c]\nx = 1",
		"[[a]]\n[[a.b]]\nc = {}\n[[a.b]]\nc = {}\n[[a]]\n[[a.b]]\nc = {}",
		"a = \"\"\"\nx = {}\nx.y = 1\n\"\"\"\nb = '''\n[a.b]'''",
		"t = 1979-05-27T07:32:00Z\nf = 1.5e3\nl = [1, 2,\n 3, # x\n]\nm = [[1], [{}]]",
		"[a . b]\nc . d = 1\n[ a.e ]\nf = 1",
		"[x.y.z]\n[x]\nq = 1",
	} {
		var table map[string]any
		_, err := toml.Decode(text, &table)
		assert.NoError(t, err, text)
		assert.NoError(t, extended(text), text)
	}
	long := "[" + strings.Repeat("k", 1<<20) + "]\n" + strings.Repeat("x", 1000) + " = [" + strings.Repeat("{}, ", 100_000) + "]"
	assert.NoError(t, extended(long))
}

// Whatever the parser takes is looked at to its end.
func FuzzExtended(f *testing.F) {
	f.Add("a = {b = {c = 1}, b.d = [1, {x = '}'}]}\n[[t.u]]\n\"q\\\"\" = 1")
	f.Fuzz(func(t *testing.T, text string) {
		var table map[string]any
		if len(text) > 1<<12 || scan(text).tooDeep >= 0 {
			return
		}
		if _, err := toml.Decode(text, &table); err == nil {
			if err := extended(text); err != nil && !strings.ContainsAny(text, "{[") {
				t.Fatalf("%q has nothing inline: %v", text, err)
			}
		}
	})
}
