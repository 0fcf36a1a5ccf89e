package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/vm/host"
)

func checkFlags() []flag {
	return []flag{
		{"--json", "", "write the diagnostics as a JSON array", func(c *cli, _ string) error { c.json = true; return nil }},
		{"--fix", "", "apply the fixes there are, and report the rest", func(c *cli, _ string) error { c.fixes = true; return nil }},
		{"--diff", "", "show what --fix would change, without changing it", func(c *cli, _ string) error { c.diff = true; return nil }},
		colorFlag,
	}
}

// check reports the diagnostics of programs without running them, each once: also
// those of a file that several import.
func (c *cli) check(args []string) int {
	if len(args) == 0 {
		args = []string{"."}
	}
	files, err := findScripts(args, nil)
	exit := exitOK
	switch {
	case err != nil:
		exit = c.problem(err)
	case len(files) == 0:
		return c.problem(fmt.Errorf("there is no script (.rnl) in %s", strings.Join(args, ", ")))
	}
	all := checked{list: []json.RawMessage{}, rt: c.runtime(host.Host{}, runnel.WithTests())}
	for _, path := range files {
		if err := c.checkFile(&all, path); err != nil {
			exit = c.problem(err)
		}
	}
	if c.json {
		enc := json.NewEncoder(c.stdout)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		if err := enc.Encode(all.list); err != nil {
			return c.problem(err)
		}
	} else if all.errors+all.warnings > 0 {
		fmt.Fprintf(c.stderr, "\n%s, %s\n", plural(all.errors, "error"), plural(all.warnings, "warning"))
	}
	if all.errors > 0 {
		return exitUsage
	}
	return exit
}

// checked is what came of the files that were checked.
type checked struct {
	rt               *runnel.Runtime
	errors, warnings int
	list             []json.RawMessage // as JSON
}

// checkFile reports the diagnostics of a program, mended before where that is asked for.
func (c *cli) checkFile(all *checked, path string) error {
	name, text, err := readFile(path)
	if err != nil {
		return err
	}
	if c.fixes || c.diff {
		if text, err = c.fix(all.rt, path, text); err != nil {
			return err
		}
	}
	set, diags, err := compileOnly(all.rt, name, text)
	if err != nil {
		return err
	}
	diags = c.found.fresh(set, diags)
	all.errors, all.warnings = all.errors+count(diags, diag.Error), all.warnings+count(diags, diag.Warning)
	if c.json {
		list, err := asJSON(set, diags)
		all.list = append(all.list, list...)
		return err
	}
	if len(diags) > 0 {
		c.apart()
	}
	c.diagnostics(set, diags)
	return nil
}

// compileOnly returns all diagnostics of a program, those of the compiler's
// limits included.
func compileOnly(rt *runnel.Runtime, name, text string) (*diag.FileSet, []diag.Diagnostic, error) {
	p, err := rt.Compile(name, text)
	if err == nil {
		return p.Files, p.Warnings, nil
	}
	var ce *runnel.CompileError
	if errors.As(err, &ce) {
		return ce.Files, ce.Diags, nil
	}
	return nil, nil, err
}

// asJSON returns the diagnostics of one program as the elements of an array.
func asJSON(files *diag.FileSet, diags []diag.Diagnostic) (list []json.RawMessage, err error) {
	var b bytes.Buffer
	if err = diag.RenderJSON(&b, files, diags); err == nil {
		err = json.Unmarshal(b.Bytes(), &list)
	}
	return list, err
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
