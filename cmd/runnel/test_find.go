package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// findTests gives the files that are named, and those in the folders that are
// named which have something to run, in the order of their names. Folders whose
// names begin with a dot are left out.
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

func findScripts(args []string, wanted func(tree *syntax.File, text string) bool) (files []string, err error) {
	seen := map[string]bool{}
	add := func(path string) {
		if !seen[path] {
			seen[path] = true
			files = append(files, path)
		}
	}
	for _, arg := range args {
		if info, err := os.Stat(arg); err != nil || !info.IsDir() {
			add(arg) // what is wrong with it is said when it is read
			continue
		}
		err := walkScripts(arg, func(path string) error {
			_, text, err := readFile(path)
			if err != nil {
				return err
			}
			file := (&diag.FileSet{}).Add(path, text)
			if file == nil {
				return nil
			}
			if tree, _ := syntax.Parse(file); wanted(tree, text) {
				add(path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// walkScripts visits a file, or the scripts in a folder.
func walkScripts(root string, visit func(path string) error) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root:
			return filepath.SkipDir
		case d.IsDir() || path != root && filepath.Ext(path) != ".rnl":
			return nil
		}
		return visit(path)
	})
}
