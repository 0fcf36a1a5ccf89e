package types

import (
	"math"
	"strconv"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"

	"github.com/runnel-lang/runnel/internal/lazy"
)

// formatters put values into a text elsewhere, and some print it.
var formatters = map[string]bool{
	"string.format": false, "String.format": false, "fmt.Sprintf": false, "sprintf": false, "format": false, "str.format": false, "string.Format": false,
	"fmt.Printf": true, "printf": true, "System.printf": true, "io.format": true, "IO.format": true, "String.Format": false, "util.format": false,
	"panic!": false, "todo!": false, "unimplemented!": false, "unreachable!": false, "fmt.Errorf": false,
	"format!": false, "print!": true, "println!": true, "eprint!": true, "eprintln!": true,
}

// throwers make an error of a text with values.
var throwers = map[string]string{"panic!": "throw error", "todo!": "throw error", "unimplemented!": "throw error", "unreachable!": "throw error", "fmt.Errorf": "error"}

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
	case ok && throwers[name] != "":
		own := throwers[name] + "(" + text + ")"
		d.fix("write `"+own+"`", diag.Edit{Span: e.Sp, New: own})
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

// textMethod mends `", ".join(words)` and `"hello {}".format(name)` of Python.
func (c *checker) textMethod(d report, e *syntax.Member, t Type, call *syntax.Call) bool {
	if t != Type(Str) || call == nil || !c.onOneLine(call.Sp) {
		return false
	}
	switch e.Name.Text {
	case "join":
		if len(call.Args) != 1 || call.Args[0].Name.Text != "" {
			return false
		}
		list := c.receiverText(call.Args[0].Value)
		d.fix("a list is joined by its own method", diag.Edit{Span: call.Sp, New: list + ".join(" + c.source(e.X.Span()) + ")"})
		return true
	case "format":
		text, ok := c.insertedText(e.X, values(call.Args))
		if ok {
			d.fix("text takes values in", diag.Edit{Span: call.Sp, New: text})
		}
		return ok
	}
	return false
}

// receiverText is an expression before a dot.
func (c *checker) receiverText(e syntax.Expr) string {
	switch e.(type) {
	case *syntax.Ident, *syntax.Member, *syntax.Call, *syntax.Index, *syntax.StrLit, *syntax.ListLit, *syntax.Paren, *syntax.SelfExpr:
		return c.source(e.Span())
	}
	return "(" + c.source(e.Span()) + ")"
}

// percentText mends `"%s is %d" % (name, n)` of Python.
func (c *checker) percentText(d report, format, args syntax.Expr) bool {
	list := []syntax.Expr{args}
	if t, ok := args.(*syntax.TupleLit); ok {
		list = t.Elems
	}
	at := format.Span().To(args.Span())
	text, ok := c.insertedText(format, list)
	if !ok || !c.onOneLine(at) {
		return false
	}
	d.fix("text takes values in", diag.Edit{Span: at, New: text})
	return true
}

// scaledDuration says how a duration is multiplied and divided by what is not an int.
func (c *checker) scaledDuration(d report, op syntax.BinOp, xe, ye syntax.Expr, x, y Type) {
	if x == Type(Float) {
		x, y, xe, ye = y, x, ye, xe
	}
	if x != Type(Duration) || y != Type(Float) || op != syntax.OpMul && op != syntax.OpDiv {
		d.help("durations are added to durations, and multiplied and divided by int")
		return
	}
	lit, isLit := xe.(*syntax.DurationLit)
	by, isNumber := ye.(*syntax.FloatLit)
	if isLit && isNumber && by.Value != 0 {
		f := by.Value
		if op == syntax.OpDiv {
			f = 1 / f
		}
		if own := durationText(float64(lit.Value) * f); own != "" {
			d.fix("write `"+own+"`", diag.Edit{Span: xe.Span().To(ye.Span()), New: own})
			return
		}
	}
	d.help("a duration is multiplied and divided by int; with a float write `1ns * int(float(%s.nanos()) %s %s)`", c.receiverText(xe), binaryText[op], c.source(ye.Span()))
}

// durationText is a duration in nanoseconds as a literal, "" where it is none.
func durationText(ns float64) string {
	if ns != math.Trunc(ns) || ns < 1 || ns > 1e15 {
		return ""
	}
	n := int64(ns)
	for _, u := range []struct {
		name string
		size int64
	}{{"h", 3600e9}, {"m", 60e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}} {
		if n%u.size == 0 {
			return strconv.FormatInt(n/u.size, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10) + "ns"
}
