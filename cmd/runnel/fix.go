package main

import (
	"fmt"
	"strings"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/whole"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/query"
)

// fix mends a file by the fixes of its diagnostics and gives its new text. With
// --diff it shows the changed lines and writes nothing.
func (c *cli) fix(rt *runnel.Runtime, path, text string) (string, error) {
	mended, err := query.Fix(text, func(text string) (*diag.File, []diag.Diagnostic, error) {
		set, diags, err := compileOnly(rt, path, text)
		if err != nil {
			return nil, nil, err
		}
		return set.Files()[0], diags, nil
	})
	if err != nil || mended == text {
		return text, err
	}
	if c.diff {
		fmt.Fprint(c.stdout, unified(path, text, mended))
		return text, nil
	}
	if path == "-" {
		return text, fmt.Errorf("cannot fix standard input: give a file, or --diff")
	}
	if err := whole.Write(path, []byte(mended)); err != nil {
		return text, err
	}
	fmt.Fprintf(c.stderr, "mended %s: %s\n", path, plural(changedLines(text, mended), "line"))
	return mended, nil
}

// changedLines counts the lines that were put in, or taken out if those are more.
func changedLines(before, after string) int {
	in, out := 0, 0
	for line := range strings.Lines(unified("", before, after)) {
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
		case line[0] == '+':
			in++
		case line[0] == '-':
			out++
		}
	}
	return max(in, out)
}
