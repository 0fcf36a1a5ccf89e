package docs_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/docs"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
)

var only = flag.String("example", "", "run only the examples of items whose name begins so")

// example is one of an item, as a program.
type example struct {
	name, src string
	throws    bool // ends with an error
	waits     bool // may go on for ever
}

// Every example of the library runs, and what it states is so.
func TestExamplesRun(t *testing.T) {
	list := libraryExamples(t)
	if *only == "" {
		require.Greater(t, len(list), 1200)
	}
	s := newStage(t)
	here := t.TempDir() // where processes are started, and databases lie
	require.NoError(t, os.CopyFS(here, os.DirFS(s.dir)))
	t.Chdir(here)
	queue := make(chan example)
	var workers sync.WaitGroup
	for range 4 { // most wait for something
		workers.Go(func() {
			for e := range queue {
				e.run(t, s)
			}
		})
	}
	for _, e := range longtest.Sample(list, 5) {
		queue <- e
	}
	close(queue)
	workers.Wait()
}

func libraryExamples(t *testing.T) (list []example) {
	casts, err := filepath.Abs("testdata/examples")
	require.NoError(t, err)
	for _, p := range load(t).Pages {
		c := readCast(casts, p)
		add := func(name, doc string) {
			if !strings.HasPrefix(name, *only) {
				return
			}
			for _, code := range examples(doc) {
				src := c.program(strings.TrimPrefix(name, p.Name+"."), asserted(code))
				list = append(list, example{name, src, strings.HasPrefix(code, "throw "), slices.Contains(c.waits, name)})
			}
		}
		add(p.Name, p.Doc)
		p.All(func(it *docs.Item) { add(it.Full, it.Doc) })
	}
	return list
}

func (e example) run(t *testing.T, s *stage) {
	limit := 20 * time.Second
	if e.waits {
		limit = 200 * time.Millisecond
	}
	out, err := s.play(t, e.src, limit)
	var thrown *runnel.Error
	switch {
	case e.waits && waited(err):
	case e.throws:
		assert.ErrorAs(t, err, &thrown, "%s\n%s", e.name, e.src)
	default:
		assert.NoError(t, err, "%s\n%s", e.name, e.src)
		if strings.Contains(e.src, ran) {
			assert.Contains(t, out, ran, "%s\n%s", e.name, e.src)
		}
	}
}

// waited reports whether a program had more to wait for.
func waited(err error) bool {
	var e *runnel.Error
	return errors.Is(err, errWaits) || errors.As(err, &e) && e.Kind == "Deadlock"
}

// Whatever is public in the library has a comment, and code that runs shows how
// it is used:
//   - a function or a method has an example of its own;
//   - a type has one of its own, or a member has one, or what takes or gives it;
//   - a field has a comment, or is named in that of its type, or its name is its
//     meaning; the variants of an enum are told by its comment or by their own.
//
// The text and the message of an error are what they are called.
func TestTheLibraryIsDocumented(t *testing.T) {
	lib := load(t)
	shown := exampleShows(lib)
	for _, p := range lib.Pages {
		assert.NotEmpty(t, strings.TrimSpace(p.Doc), p.Name)
		p.All(func(it *docs.Item) {
			switch it.Kind {
			case docs.Variant, docs.Field:
				return // below, with the type
			case docs.Function, docs.Method:
				if it.Name == "message" {
					return
				}
				assert.NotEmpty(t, examples(it.Doc), "%s has no example", it.Full)
			case docs.Type:
				member := slices.ContainsFunc(it.Members, func(m *docs.Item) bool { return len(examples(m.Doc)) > 0 })
				assert.True(t, shown[it] || member || madeInGo[it.Full], "nothing shows %s", it.Full)
				for _, m := range it.Members {
					if m.Kind == docs.Field {
						assert.True(t, explained(m, it), "%s has no comment", m.Full)
					}
				}
			}
			assert.NotEmpty(t, strings.TrimSpace(it.Doc), "%s has no comment", it.Full)
		})
	}
}

// madeInGo are types of values that no script makes: they stand for actors of a host.
var madeInGo = map[string]bool{"actor.Native": true, "actor.NativeProcess": true, "actor.NativeNode": true}

// exampleShows are the items that have an example, and the types in their signatures.
func exampleShows(lib *docs.Library) map[*docs.Item]bool {
	shown := map[*docs.Item]bool{}
	for _, p := range lib.Pages {
		p.All(func(it *docs.Item) {
			if len(examples(it.Doc)) == 0 {
				return
			}
			shown[it] = true
			for _, piece := range it.Signature {
				shown[piece.To] = true
			}
		})
	}
	return shown
}

var plainNames = []string{"id", "name", "text", "kind", "error", "data"}

func explained(field, of *docs.Item) bool {
	named := regexp.MustCompile(`\b` + field.Name + `\b`)
	return field.Doc != "" || named.MatchString(of.Doc) || slices.Contains(plainNames, field.Name)
}

// The cast does not hide what is wrong with an example.
func TestWrongExamplesFail(t *testing.T) {
	s := newStage(t)
	for _, code := range []string{"1 + 1 == 3", "[1].len()   // 2", "let x: int = \"one\"", "no_such_name()", "{\"a\": 1}.len() == 2"} {
		var c cast
		assert.Equal(t, []string{code}, examples("Shows it.\n\n    "+code))
		_, err := s.play(t, c.program("x", asserted(code)), 10*time.Second)
		assert.Error(t, err, code)
	}
	assert.Equal(t, []string{"f(1)", "a == b"}, examples("One: `f(1)`. Another, in the end: `a == b`."))
	assert.Empty(t, examples("A name `list.map`, a value: `none`, a path: `a.b`."))
}
