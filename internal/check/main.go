// Command check is the developer's loop: format, vet, and the tests that a change touches.
//
//	go run ./internal/check [-since COMMIT] [-all]
//
// A change is what differs from the commit (HEAD, or what -since names), new files included. The
// tests of the packages with changed files run whole; with -all those of the packages that
// import them run too, in their short form. Of changed programs in spec/tests those alone run.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
)

func main() {
	since := flag.String("since", "HEAD", "the commit to compare with")
	all := flag.Bool("all", false, "also test the packages that import what has changed")
	flag.Parse()
	if err := check(*since, *all); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(since string, all bool) error {
	files, err := changedSince(since)
	if err != nil {
		return err
	}
	packages, err := listPackages()
	if err != nil {
		return err
	}
	for _, s := range steps(files, packages, all) {
		fmt.Println("==", strings.Join(s, " "))
		if err := run(s); err != nil {
			return err
		}
	}
	return nil
}

// run shows what a command prints. gofmt succeeds also when it has found something.
func run(command []string) error {
	cmd := exec.Command(command[0], command[1:]...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.MultiWriter(os.Stdout, &out), os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	if command[0] == "gofmt" && out.Len() > 0 {
		return errors.New("not formatted: see above")
	}
	return nil
}

// changedSince lists files that are different from a commit's, and new ones, from the top on.
func changedSince(commit string) ([]string, error) {
	diff, err := output("git", "diff", "--name-only", commit)
	if err != nil {
		return nil, err
	}
	untracked, err := output("git", "ls-files", "--others", "--exclude-standard")
	return strings.Fields(diff + untracked), err
}

func output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	return string(out), err
}

// pkg is a package of the module, by its folder ("." for the root).
type pkg struct {
	folder string
	deps   []string // folders of packages of the module, those of its tests included
}

func listPackages() ([]pkg, error) {
	out, err := output("go", "list", "-json=ImportPath,Deps,TestImports,XTestImports,Module", "./...")
	if err != nil {
		return nil, err
	}
	var packages []pkg
	for dec := json.NewDecoder(strings.NewReader(out)); ; {
		var p struct {
			ImportPath                      string
			Deps, TestImports, XTestImports []string
			Module                          struct{ Path string }
		}
		if err := dec.Decode(&p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		one := pkg{folder: folderOf(p.ImportPath, p.Module.Path)}
		for _, dep := range slices.Concat(p.Deps, p.TestImports, p.XTestImports) {
			if f := folderOf(dep, p.Module.Path); f != "" {
				one.deps = append(one.deps, f)
			}
		}
		packages = append(packages, one)
	}
}

// folderOf a package of the module; "" for others.
func folderOf(importPath, module string) string {
	if importPath == module {
		return "."
	}
	folder, ours := strings.CutPrefix(importPath, module+"/")
	if !ours {
		return ""
	}
	return folder
}

// casesFolder has a program for each behavior.
const casesFolder = "spec/tests/"

// steps are the commands that check a change.
func steps(files []string, packages []pkg, all bool) [][]string {
	var sources, changed, cases []string
	for _, file := range files {
		if strings.HasSuffix(file, ".go") && exists(file) {
			sources = append(sources, file)
		}
		if name, ok := strings.CutPrefix(file, casesFolder); ok {
			cases = append(cases, strings.TrimSuffix(name, ".rnl"))
		} else if folder := owner(file, packages); folder != "" {
			changed = append(changed, folder)
		}
	}
	slices.Sort(changed)
	changed = slices.Compact(changed)
	var commands [][]string
	if len(sources) > 0 {
		commands = append(commands, append([]string{"gofmt", "-l"}, sources...))
	}
	if len(changed) > 0 {
		commands = append(commands, append([]string{"go", "vet"}, patterns(importers(changed, packages, true))...))
		commands = append(commands, append([]string{"go", "test"}, patterns(changed)...))
	}
	if len(cases) > 0 && !slices.Contains(changed, "spec") {
		commands = append(commands, []string{"go", "test", "./spec", "-run", casePattern(cases)})
	}
	if others := importers(changed, packages, false); all && len(others) > 0 {
		commands = append(commands, append([]string{"go", "test", "-short"}, patterns(others)...))
	}
	return commands
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return !errors.Is(err, fs.ErrNotExist)
}

// owner is the folder of the package that a file belongs to: the nearest above it. Documents at
// the top and in doc belong to none; tests in spec read them.
func owner(file string, packages []pkg) string {
	folder := path.Dir(file)
	if path.Ext(file) == ".md" && (folder == "." || strings.HasPrefix(file, "doc/")) {
		return "spec"
	}
	for ; ; folder = path.Dir(folder) {
		if slices.ContainsFunc(packages, func(p pkg) bool { return p.folder == folder }) {
			return folder
		}
		if folder == "." {
			return ""
		}
	}
}

// importers of packages, with those themselves or without.
func importers(of []string, packages []pkg, with bool) []string {
	var folders []string
	for _, p := range packages {
		if slices.Contains(of, p.folder) {
			if with {
				folders = append(folders, p.folder)
			}
			continue
		}
		if slices.ContainsFunc(p.deps, func(dep string) bool { return slices.Contains(of, dep) }) {
			folders = append(folders, p.folder)
		}
	}
	return folders
}

func patterns(folders []string) []string {
	list := make([]string, len(folders))
	for i, f := range folders {
		list[i] = "./" + f
		if f == "." {
			list[i] = f
		}
	}
	return list
}

// casePattern runs some of the cases: TestCases has a subtest for each path. What stands in a
// folder whose name begins with _ is imported by the cases next to it.
func casePattern(cases []string) string {
	var patterns []string
	for _, c := range cases {
		pattern := "TestCases$"
		for _, part := range strings.Split(c, "/") {
			if strings.HasPrefix(part, "_") {
				break
			}
			pattern += "/^" + part + "$"
		}
		patterns = append(patterns, pattern)
	}
	slices.Sort(patterns)
	return strings.Join(slices.Compact(patterns), "|")
}
