package printer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// check formats a program and holds the result against it. It tells whether the
// program has no errors.
func check(t testing.TB, src string) (text string, ok bool) {
	t.Helper()
	text, ok, err := hold(src)
	if err != nil {
		t.Fatalf("%v\nfrom:\n%s\nto:\n%s", err, src, text)
	}
	return text, ok
}

// hold formats a program and tells what is wrong with the result, which should
// have the same tree, the same comments in the same order, and nothing left to
// format.
func hold(src string) (text string, ok bool, err error) {
	file, _ := syntax.Parse(source(src))
	text, diags := Format(source(src))
	if diags != nil {
		return "", false, nil
	}
	again, diags := syntax.Parse(source(text))
	if slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) {
		return text, true, fmt.Errorf("no program any more: %v", diags)
	}
	twice, _ := Format(source(text))
	all, behindImports := comments(file)
	kept, keptBehind := comments(again)
	return text, true, errors.Join(
		differ("the comments", all, kept), differ("the comments of imports", behindImports, keptBehind),
		differ("the tree", tree(file), tree(again)), differ("when formatted again", strings.Split(text, "\n"), strings.Split(twice, "\n")))
}

// differ tells where two lists begin to differ.
func differ(what string, want, got []string) error {
	for i, s := range want {
		if i >= len(got) || got[i] != s {
			return fmt.Errorf("%s: item %d of %d is %q, not %q", what, i, len(want), strings.Join(got[min(i, len(got)):min(i+1, len(got))], ""), s)
		}
	}
	if len(got) > len(want) {
		return fmt.Errorf("%s: item %d of %d is %q", what, len(want), len(want), got[len(want)])
	}
	return nil
}

func source(src string) *diag.File {
	var set diag.FileSet
	return set.Add("a.rnl", src)
}

// comments lists them in order, and apart those that stand on the line of an
// import and go with it.
func comments(f *syntax.File) (list, ofImports []string) {
	src, base := f.Source.Src, f.Source.Base
	imports := map[uint32]bool{} // by where they end
	for _, s := range f.Items {
		if _, ok := s.(*syntax.ImportDecl); ok {
			imports[s.Span().End] = true
		}
	}
	var last uint32 // where the last token ends
	for i, t := range f.Tokens {
		if t.Kind != token.Semi && !t.Kind.IsTrivia() {
			last = t.Sp.End
		}
		if !t.Kind.IsTrivia() {
			continue
		}
		text := strings.ReplaceAll(strings.TrimRight(src[t.Sp.Start-base:t.Sp.End-base], " \t\r"), "\r\n", "\n")
		if imports[last] || i > 0 && f.Tokens[i-1].Kind == token.Import {
			ofImports = append(ofImports, text)
		} else {
			list = append(list, text)
		}
	}
	slices.Sort(ofImports)
	return list, ofImports
}

// tree writes a file's tree without places. Semicolons count only behind a last
// statement, and imports of modules have no order.
func tree(f *syntax.File) []string {
	var modules, files, rest []string
	lastOnly(f.Items)
	for _, s := range f.Items {
		syntax.Walk(s, func(n syntax.Node) bool {
			if b, ok := n.(*syntax.Block); ok {
				lastOnly(b.Stmts)
			}
			return true
		})
		var b strings.Builder
		write(&b, reflect.ValueOf(s))
		switch d, ok := s.(*syntax.ImportDecl); {
		case ok && d.IsFile:
			files = append(files, b.String())
		case ok:
			modules = append(modules, b.String())
		default:
			rest = append(rest, b.String())
		}
	}
	slices.Sort(modules)
	return slices.Concat([]string{f.Doc}, modules, files, rest)
}

func lastOnly(list []syntax.Stmt) {
	for _, s := range list[:max(0, len(list)-1)] {
		if x, ok := s.(*syntax.ExprStmt); ok {
			x.Semi = false
		}
	}
}

func write(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			write(b, v.Elem())
		}
	case reflect.Slice:
		b.WriteByte('[')
		for i := range v.Len() {
			write(b, v.Index(i))
			b.WriteByte(' ')
		}
		b.WriteByte(']')
	case reflect.Struct:
		b.WriteString(v.Type().Name() + "(")
		for i := range v.NumField() {
			switch v.Type().Field(i).Type {
			case reflect.TypeFor[diag.Span](), reflect.TypeFor[syntax.ID]():
				continue
			}
			write(b, v.Field(i))
			b.WriteByte(' ')
		}
		b.WriteByte(')')
	default:
		fmt.Fprintf(b, "%#v", v.Interface())
	}
}

// programs returns the text of each program of the repository by its path, those
// in the documents too.
func programs(t testing.TB) map[string]string {
	t.Helper()
	list := map[string]string{}
	block := regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```")
	require.NoError(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".rnl" && filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if filepath.Ext(path) == ".rnl" {
			list[path] = string(text)
			return err
		}
		for i, m := range block.FindAllStringSubmatch(string(text), -1) {
			list[fmt.Sprintf("%s#%d", path, i)] = m[1]
		}
		return err
	}))
	return list
}

func TestEachProgramOfTheRepository(t *testing.T) {
	n := 0
	for path, src := range programs(t) {
		t.Run(path, func(t *testing.T) {
			if _, ok := check(t, src); ok {
				n++
			}
		})
	}
	require.Greater(t, n, 2800)
}

func FuzzFormat(f *testing.F) {
	for _, src := range programs(f) {
		if len(src) < 1000 && len(src)%16 == 0 {
			f.Add(src)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) < 1<<14 {
			check(t, src)
		}
	})
}
