package docs_test

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/runnel-lang/runnel/internal/docs"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// inText is an example within a sentence: code after a colon.
var inText = regexp.MustCompile(": `([^`]*)`")

// examples returns the examples of a doc comment: each block of code, and code that
// a sentence gives after a colon.
func examples(doc string) (list []string) {
	for _, b := range docs.Blocks(doc) {
		if b.Code != "" {
			list = append(list, b.Code)
		}
		for _, m := range inText.FindAllStringSubmatch(b.Text, -1) {
			if isExample(m[1]) {
				list = append(list, m[1])
			}
		}
	}
	return list
}

// isExample tells code from a name or a value.
func isExample(text string) bool {
	return strings.Contains(text, "(") || strings.Contains(text, " == ")
}

// parse returns what code consists of, and whether all of it could be read.
func parse(code string) (items []syntax.Stmt, whole bool) {
	var set diag.FileSet
	file, diags := syntax.Parse(set.Add("", code))
	return file.Items, len(diags) == 0
}

// expression is code that is an expression, or nil.
func expression(code string) syntax.Expr {
	items, whole := parse(code)
	if !whole || len(items) != 1 {
		return nil
	}
	if e, ok := items[0].(*syntax.ExprStmt); ok {
		return e.X
	}
	return nil
}

// stated is a line that tells the value of an expression.
var stated = regexp.MustCompile(`^(\S.*?)   // (\S.*)$`)

const shows = "fn shows__(got: str, want: str) { assert(got == want, \"shows ${got}\") }\n"

// asserted is code that fails where what it says is not so: that an equation is
// true, or that an expression has the value in the comment behind it.
func asserted(code string) string {
	lines := strings.Split(code, "\n")
	for i, line := range lines {
		// In a list a value is shown as it is written.
		if m := stated.FindStringSubmatch(line); m != nil && expression(m[1]) != nil {
			lines[i] = "shows__(str([" + m[1] + "]), " + quoted("["+m[2]+"]") + ")"
		}
	}
	if len(lines) == 1 && lines[0] == code {
		return used(code)
	}
	return strings.Join(lines, "\n")
}

// used is code that does something with a value that nothing is done with.
func used(code string) string {
	e := expression(code)
	if inside, ok := expression("(" + code + ")").(*syntax.Paren); e == nil && ok {
		e = inside.X // it begins with a map, which would be a block here
	}
	if b, ok := e.(*syntax.Binary); ok && b.Op == syntax.OpEq {
		return "assert(" + code + ")"
	}
	if call, ok := e.(*syntax.Call); ok && !strings.HasPrefix(code, "{") && !constructs(call) {
		return code
	}
	switch e.(type) {
	case *syntax.Binary, *syntax.Member, *syntax.Call:
		return "let _ = " + code
	}
	return code
}

func constructs(call *syntax.Call) bool {
	m, ok := call.Fn.(*syntax.Member)
	return ok && unicode.IsUpper(rune(m.Name.Text[0]))
}

func quoted(s string) string { return strings.ReplaceAll(strconv.QuoteToGraphic(s), "$", `\$`) }
