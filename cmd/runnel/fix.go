package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/runnel-lang/runnel"
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
		fmt.Fprint(c.stdout, changes(path, text, mended))
		return text, nil
	}
	if path == "-" {
		return text, fmt.Errorf("standard input cannot be mended: give a file, or --diff")
	}
	return mended, replaceFile(path, mended)
}

// replaceFile gives a file another text, all of it or none, and keeps its mode.
func replaceFile(path, text string) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".runnel-fix-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // nothing is there any more when all went well
	_, err = f.WriteString(text)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Chmod(f.Name(), info.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}

// changes shows two texts as a unified diff with one hunk, from the first line
// that differs to the last one.
func changes(path, old, mended string) string {
	a, b := strings.SplitAfter(old, "\n"), strings.SplitAfter(mended, "\n")
	from := 0
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	endA, endB := len(a), len(b)
	for endA > from && endB > from && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
	}
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n@@ -%d,%d +%d,%d @@\n", path, path, hunkStart(from, endA), endA-from, hunkStart(from, endB), endB-from)
	writeLines(&out, "-", a[from:endA])
	writeLines(&out, "+", b[from:endB])
	return out.String()
}

// hunkStart is the number of a hunk's first line; of one without lines it is
// that of the line before it.
func hunkStart(from, end int) int {
	if end == from {
		return from
	}
	return from + 1
}

func writeLines(out *strings.Builder, sign string, lines []string) {
	for _, line := range lines {
		if line == "" {
			continue // after the last end of a line
		}
		out.WriteString(sign + line)
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
