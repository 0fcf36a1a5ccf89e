package spec

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// systems are those whose behaviours Runnel unites, by the codes of the marks.
var systems = []struct{ code, name string }{
	{"RK", "reactive-kit's scheduler: deterministic systems of actors, and streams"},
	{"RY", "Raya's scheduler: tasks that suspend at each wait"},
	{"WP", "wippy's process model: processes, mailboxes, links and monitors"},
	{"CT", "the reactive scheduler of commontools: transactions, actions and events"},
	{"RS", "rsActor: typed actors with mailboxes, tell and ask"},
}

const originsHead = `# Where behaviors come from

Runnel unites what five published systems do. Each row is a behavior of one of them, or a flaw of
it that Runnel does not have, with the tests that show it. Tests and cases are marked with the line
` + "`// origin: RK-01`, or `// origin: RK flaw 1`" + `, and this list is made from the marks by
` + "`go test ./spec -run Origins -update`" + `.
`

var (
	originMark = regexp.MustCompile(`^// origin: ([A-Z]{2})(-| flaw )(\d+)$`)
	testFunc   = regexp.MustCompile(`^func Test(\w+)\(`)
)

// origin is a mark: what it is of, and where the test stands.
type origin struct {
	system, kind, number string
	behavior, file       string
}

func (o origin) row() string { return o.system + o.kind + o.number }

// origins finds all marks.
func origins(t *testing.T) (all []origin) {
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go") && filepath.Ext(path) != ".rnl":
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(src), "// origin: ") {
			return err
		}
		all = append(all, originsIn(filepath.ToSlash(strings.TrimPrefix(path, "../")), string(src))...)
		return nil
	}))
	return all
}

// originsIn finds the marks of a file: of a case, or above the functions of tests.
func originsIn(path, src string) (all []origin) {
	sentence := strings.ReplaceAll(strings.TrimSuffix(filepath.Base(path), ".rnl"), "_", " ")
	var above []origin
	for _, line := range strings.Split(src, "\n") {
		if m := originMark.FindStringSubmatch(line); m != nil {
			o := origin{m[1], m[2], m[3], sentence, path}
			if strings.HasSuffix(path, ".rnl") {
				all = append(all, o)
			} else {
				above = append(above, o)
			}
		} else if m := testFunc.FindStringSubmatch(line); m != nil {
			for _, o := range above {
				o.behavior = words(m[1])
				all = append(all, o)
			}
			above = nil
		}
	}
	return all
}

// words takes a name apart: TellIsFIFO is "tell is FIFO".
func words(name string) string {
	var b strings.Builder
	r := []rune(name + "_")
	upper := func(i int) bool { return i >= 0 && unicode.IsUpper(r[i]) }
	starts := func(i int) bool { return upper(i) && (!upper(i-1) || unicode.IsLower(r[i+1])) }
	for i, c := range r[:len(r)-1] {
		if c == '_' || i > 0 && starts(i) {
			b.WriteByte(' ')
		}
		switch {
		case c == '_':
		case starts(i) && (!upper(i+1) || starts(i+1)):
			b.WriteRune(unicode.ToLower(c))
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

func TestOriginsAreListed(t *testing.T) {
	all := origins(t)
	require.Greater(t, len(all), 300)
	slices.SortFunc(all, func(a, b origin) int {
		return cmp.Or(strings.Compare(b.kind, a.kind), cmp.Compare(len(a.number), len(b.number)), strings.Compare(a.number, b.number), strings.Compare(a.file, b.file), strings.Compare(a.behavior, b.behavior))
	})
	var text strings.Builder
	text.WriteString(originsHead)
	seen := 0
	for _, system := range systems {
		fmt.Fprintf(&text, "\n## %s\n\n| row | behavior | test |\n|---|---|---|\n", strings.ToUpper(system.name[:1])+system.name[1:])
		last := ""
		for _, o := range all {
			if o.system != system.code {
				continue
			}
			row := o.row()
			if row == last {
				row = ""
			}
			fmt.Fprintf(&text, "| %s | %s | [%s](../%s) |\n", row, o.behavior, filepath.Base(o.file), o.file)
			last = o.row()
			seen++
		}
	}
	require.Equal(t, len(all), seen, "a mark of no system")
	const file = "../doc/origins.md"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o644))
	}
	have, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(have), text.String(), "go test ./spec -run Origins -update")
}
