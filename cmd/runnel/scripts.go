package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// findTests returns the files that are named, and those in the folders that are
// named which have something to run, in the order of their names.
func (c *cli) findTests(args []string) ([]string, error) {
	return findScripts(args, func(tree *syntax.File, text string) bool {
		for _, item := range tree.Items {
			if t, ok := item.(*syntax.TestDecl); ok && !t.Bench {
				return true
			}
		}
		return c.tests.doc && len(findDocTests("", text).tests) > 0
	})
}

// findScripts returns the files that are named, and the scripts in the folders that
// are named, each once; of those in folders only the wanted ones, where wanted is
// not nil. With an error it gives what it has found nevertheless.
func findScripts(args []string, wanted func(tree *syntax.File, text string) bool) (files []string, err error) {
	seen := map[string]bool{}
	add := func(path string) {
		if key := samePath(path); !seen[key] {
			seen[key] = true
			files = append(files, path)
		}
	}
	for _, arg := range args {
		dir, ok := folder(arg)
		if !ok {
			add(arg) // what is wrong with it is said when it is read
			continue
		}
		failed := walkScripts(dir, func(path string) {
			if wanted == nil || wantedScript(path, wanted) {
				add(path)
			}
		})
		if err == nil {
			err = failed
		}
	}
	return files, err
}

// samePath is the same for all ways to name a file but for links.
func samePath(path string) string {
	if path == "-" {
		return path
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return filepath.Clean(path)
}

// folder returns the folder that an argument names, as Go's commands have it also
// with `/...` behind it.
func folder(arg string) (dir string, ok bool) {
	switch rest, all := strings.CutSuffix(filepath.ToSlash(arg), "/..."); {
	case arg == "...":
		arg = "."
	case all:
		arg = rest + "/"
	}
	info, err := os.Stat(arg)
	return arg, err == nil && info.IsDir()
}

func wantedScript(path string, wanted func(tree *syntax.File, text string) bool) bool {
	_, text, err := readFile(path)
	if err != nil {
		return true // as above
	}
	file := (&diag.FileSet{}).Add(path, text)
	if file == nil {
		return false
	}
	tree, _ := syntax.Parse(file)
	return wanted(tree, text)
}

// walkScripts visits the scripts in a folder, without what is hidden: what has a
// name that begins with a dot.
func walkScripts(root string, visit func(path string)) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != root && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return filepath.SkipDir
			}
		case d.Type().IsRegular() && filepath.Ext(path) == ".rnl":
			visit(path)
		}
		return nil
	})
}
