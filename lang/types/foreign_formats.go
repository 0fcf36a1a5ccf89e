package types

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"

	"github.com/runnel-lang/runnel/internal/lazy"
)

// formatters put values into a text elsewhere, and some print it.
var formatters = map[string]bool{
	"string.format": false, "String.format": false, "fmt.Sprintf": false, "sprintf": false, "format": false, "str.format": false, "string.Format": false,
	"fmt.Printf": true, "printf": true, "System.printf": true, "io.format": true, "IO.format": true, "String.Format": false, "util.format": false,
	"format!": false, "print!": true, "println!": true, "eprint!": true, "eprintln!": true,
}

var (
	percentPlace = lazy.Regexp(`%(%|[-0]?[0-9]*(?:\.[0-9]+)?[disfvgxXqeFt])`)
	bracePlace   = lazy.Regexp(`\{([0-9]*|[a-z_]\w*)((?::[^{}]*)?)\}`)
)

// foreignFormat reports a call that puts values into a text, with the text as it is written
// here; it reports false when the call is none.
func (c *checker) foreignFormat(e *syntax.Call, name string) bool {
	prints, ok := formatters[name]
	macro := strings.HasSuffix(name, "!")
	if !ok || len(e.Args) == 0 && !macro {
		return false
	}
	d := c.err(diag.UnknownName, e.Fn.Span(), "there is no `%s` here", name)
	if len(e.Args) == 0 {
		d.fix("an empty line is printed with `print`", diag.Edit{Span: e.Sp, New: `print("")`})
		return true
	}
	text, ok := c.insertedText(e.Args[0].Value, values(e.Args[1:]))
	ok = ok && c.onOneLine(e.Sp)
	switch {
	case ok && strings.HasPrefix(name, "eprint"):
		c.offer(d, e.Sp, "io", "io.eprint("+text+")")
	case ok && prints && macro:
		d.fix("text takes values in; write", diag.Edit{Span: e.Sp, New: "print(" + text + ")"})
	case ok && prints:
		text = strings.TrimSuffix(strings.TrimSuffix(text, `"`), `\n`) + `"`
		d.fix("`print` ends the line; write", diag.Edit{Span: e.Sp, New: "print(" + text + ")"})
	case ok:
		d.fix("text takes values in", diag.Edit{Span: e.Sp, New: text})
	case prints:
		d.help("print with `print(\"${x}\")`; a format stands behind a colon: \"${x:.2f}\"")
	default:
		d.help("text takes values in: \"${x}\"; a format stands behind a colon: \"${x:.2f}\"")
	}
	return true
}

func values(args []syntax.Arg) (list []syntax.Expr) {
	for _, a := range args {
		list = append(list, a.Value)
	}
	return list
}

// insertedText writes a text with places for values, and these, as one text of ours.
func (c *checker) insertedText(format syntax.Expr, args []syntax.Expr) (string, bool) {
	lit, ok := format.(*syntax.StrLit)
	if !ok {
		return "", false
	}
	src := c.source(lit.Sp)
	if len(src) < 2 || src[0] != '"' || strings.Contains(src, "\n") {
		return "", false
	}
	used, good := 0, true
	insert := func(spec string) string {
		if used >= len(args) {
			good = false
			return ""
		}
		x := c.source(args[used].Span())
		used++
		good = good && x != "" && !strings.ContainsAny(x, "\n{}")
		return "${" + x + spec + "}"
	}
	places := percentPlace()
	if !places.MatchString(src) {
		places = bracePlace()
	}
	text := places.ReplaceAllStringFunc(src, func(p string) string {
		switch {
		case p == "%%":
			return "%"
		case p[0] == '{':
			m := bracePlace().FindStringSubmatch(p)
			spec := braceSpec(m[2])
			switch {
			case m[1] == "":
				return insert(spec)
			case m[1][0] > '9':
				return "${" + m[1] + spec + "}"
			}
			good = false
			return ""
		}
		return insert(ownSpec(p[1:len(p)-1], p[len(p)-1]))
	})
	return text, good && used == len(args)
}

// braceSpec is the format behind the name in braces.
func braceSpec(spec string) string {
	switch {
	case spec == ":#?":
		return ":?"
	case strings.HasPrefix(spec, ":.") && strings.Trim(spec[2:], "0123456789") == "":
		return spec + "f"
	}
	return spec
}

// ownSpec is the format of %WIDTH.PRECISIONverb.
func ownSpec(size string, verb byte) string {
	left := strings.HasPrefix(size, "-")
	size = strings.TrimPrefix(size, "-")
	if size != "" && size[0] != '.' && size[0] != '0' {
		size = map[bool]string{false: ">", true: "<"}[left] + size
	}
	switch verb {
	case 'f', 'F', 'e', 'x', 'X':
		size += strings.ToLower(string(verb))
	case 'q':
		size = "?"
	}
	if size == "" || size == "f" {
		return ""
	}
	return ":" + size
}
