package query_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/query"
)

// mistakes are programs with errors: the examples of codes, and those that
// newcomers write.
func mistakes(t *testing.T) map[string]string {
	out := map[string]string{}
	for _, info := range diag.Codes() {
		if info.Example != "" && !strings.Contains(info.Example, "// file ") {
			out[string(info.Code)] = info.Example
		}
	}
	paths, err := filepath.Glob("../../spec/broken/*.rnl")
	require.NoError(t, err)
	for _, p := range paths {
		src, err := os.ReadFile(p)
		require.NoError(t, err)
		out[filepath.Base(p)] = string(src)
	}
	return out
}

// diagnosed lists a program's diagnostics.
func diagnosed(src string) (*diag.File, []diag.Diagnostic) {
	set, diags := query.Open("main.rnl", src, options(library)).Diagnostics()
	return set.Files()[0], diags
}

// seenNext are programs in which a fix shows what was hidden by the mistake, or
// is a part of a change that later fixes complete.
var seenNext = map[string]string{
	"E0209":                        "the uses of a name that is renamed",
	"go_unused_capital_export.rnl": "the uses of a name that is renamed",
	"js_object_literal.rnl":        "the fields of what is a map now",
	"modules_in_a_list.rnl":        "the modules, none of which is here",
}

// A fix does away with its diagnostic and brings no other error. (Names that
// are not used are not told of while there are errors.)
func TestAFixMendsWhatItIsFor(t *testing.T) {
	tried := 0
	for name, src := range mistakes(t) {
		f, diags := diagnosed(src)
		for _, d := range diags {
			for _, fix := range d.Fixes {
				alone := d
				fix.Title = strings.TrimSuffix(fix.Title, "?")
				alone.Fixes = []diag.Fix{fix}
				edits := query.Fixes(f, []diag.Diagnostic{alone})
				if len(edits) == 0 {
					continue
				}
				tried++
				text, ok := query.Apply(src, edits)
				require.True(t, ok)
				_, after := diagnosed(text)
				if new := added(diags, d, after); seenNext[name] == "" {
					assert.Empty(t, new, "%s: %s: %s\n%s", name, d.Message, fix.Title, text)
				}
				assert.False(t, showsFunction(after) && !showsFunction(diags), "%s: %s: %s\n%s", name, d.Message, fix.Title, text)
				if d.Severity == diag.Error && seenNext[name] == "" {
					assert.Less(t, weight(after), weight(diags), "%s: %s: %s\n%s", name, d.Message, fix.Title, text)
				}
			}
		}
	}
	require.Greater(t, tried, 40)
}

// All fixes together make of a program one with fewer errors, and none is left
// that would.
func TestFixesOfProgramsWithMistakes(t *testing.T) {
	mended := 0
	for name, src := range mistakes(t) {
		got := fixed(t, src)
		_, before := diagnosed(src)
		_, after := diagnosed(got)
		if got == src {
			continue
		}
		mended++
		assert.Less(t, weight(after), weight(before), name)
		assert.Equal(t, got, fixed(t, got), name)
	}
	require.Greater(t, mended, 25)
	require.Equal(t, "fn add_one(n: int) -> int { n + 1 }\nprint(add_one(1))\n", fixed(t, "fn addOne(n: int) -> int { n + 1 }\nprint(addOne(1))\n"))
}

// weight counts diagnostics, errors first.
func weight(diags []diag.Diagnostic) (n int) {
	for _, d := range diags {
		n++
		if d.Severity == diag.Error {
			n += 1000
		}
	}
	return n
}

// showsFunction reports a warning of a function that is printed and not called.
func showsFunction(diags []diag.Diagnostic) bool {
	return slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return strings.HasPrefix(d.Message, "this is a function") })
}

// added lists the errors that are reported after a fix of d and was not reported before.
func added(before []diag.Diagnostic, d diag.Diagnostic, after []diag.Diagnostic) (list []string) {
	had := map[string]int{}
	key := func(d diag.Diagnostic) string {
		// The parser tells of it where the checker cannot yet.
		if strings.HasPrefix(d.Message, "the result of ") || d.Message == "this function gives no value" {
			return "a result without a type"
		}
		return fmt.Sprint(d.Code, " ", d.Message)
	}
	for _, b := range before {
		had[key(b)]++
	}
	had[key(d)]--
	for _, a := range after {
		if a.Severity != diag.Error {
			continue
		}
		if had[key(a)]--; had[key(a)] < 0 {
			list = append(list, key(a))
		}
	}
	return list
}
