package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/vm"
)

func checkFlags() []flag {
	return []flag{
		{"--json", "", "as a JSON array", func(c *cli, _ string) error { c.json = true; return nil }},
		{"--fix", "", "mend what can be mended, and report the rest", func(c *cli, _ string) error { c.fixes = true; return nil }},
		{"--diff", "", "show what --fix would change, and write nothing", func(c *cli, _ string) error { c.diff = true; return nil }},
		colorFlag,
	}
}

// check reports the diagnostics of programs without running them.
func (c *cli) check(files []string) int {
	if len(files) == 0 {
		return c.usage("check needs a file")
	}
	rt := c.runtime(vm.Host{}, runnel.WithTests())
	exit, errs, warnings := exitOK, 0, 0
	all := []json.RawMessage{}
	for _, path := range files {
		name, text, err := readFile(path)
		if err != nil {
			exit = c.problem(err)
			continue
		}
		if c.fixes || c.diff {
			if text, err = c.fix(rt, path, text); err != nil {
				exit = c.problem(err)
				continue
			}
		}
		set, diags, err := compileOnly(rt, name, text)
		if err != nil {
			exit = c.problem(err)
			continue
		}
		errs, warnings = errs+count(diags, diag.Error), warnings+count(diags, diag.Warning)
		if c.json {
			list, err := asJSON(set, diags)
			if err != nil {
				return c.problem(err)
			}
			all = append(all, list...)
			continue
		}
		if len(diags) > 0 {
			c.apart()
		}
		c.diagnostics(set, diags)
	}
	if c.json {
		enc := json.NewEncoder(c.stdout)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		if err := enc.Encode(all); err != nil {
			return c.problem(err)
		}
	} else if errs+warnings > 0 {
		fmt.Fprintf(c.stderr, "\n%s, %s\n", plural(errs, "error"), plural(warnings, "warning"))
	}
	if errs > 0 {
		return exitUsage
	}
	return exit
}

// compileOnly gives all diagnostics of a program, those of the compiler's
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

// asJSON gives the diagnostics of one program as the elements of an array.
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
