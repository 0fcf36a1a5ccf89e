// Package bindgen writes the Go source that offers a Go package to scripts: its
// functions, types and constants as a module, through package runnel. What a
// script cannot use is listed with the reason.
//
//	go list ──> files ── parse, type-check ──> package ── plan ──> source
package bindgen

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/names"
)

// Options of Generate.
type Options struct {
	// Name of the module, else that of the Go package in snake case.
	Name string
	// Package is that of the generated source, else the module's name.
	Package string
	// Only and Skip are patterns, as path.Match has them, of what is offered:
	// `Index*`, `Builder`, `Builder.Write*`.
	Only, Skip []string
}

// Generate writes the source for a Go package, which is an import path or a
// folder that begins with `./`.
func Generate(pkg string, opts Options) ([]byte, error) {
	l, err := load(pkg)
	if err != nil {
		return nil, err
	}
	if opts.Name == "" {
		opts.Name = names.Snake(l.types.Name())
	}
	if opts.Package == "" {
		opts.Package = strings.ReplaceAll(opts.Name, "_", "")
	}
	if err := opts.check(); err != nil {
		return nil, err
	}
	return newPlan(l, opts).source()
}

func (o Options) check() error {
	if !token.IsIdentifier(o.Name) || o.Name != strings.ToLower(o.Name) {
		return fmt.Errorf("%q cannot name a module: it needs a lower-case name", o.Name)
	}
	if !token.IsIdentifier(o.Package) {
		return fmt.Errorf("%q cannot name a Go package", o.Package)
	}
	for _, pattern := range slices.Concat(o.Only, o.Skip) {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("the pattern %s: %w", pattern, err)
		}
	}
	return nil
}

// loaded is a Go package with its types and documentation.
type loaded struct {
	path  string
	types *types.Package
	doc   *doc.Package
	decls map[string]*ast.FuncDecl // functions, and methods as "Type.Method"
}

// listed is what `go list` tells of a package.
type listed struct {
	ImportPath, Name, Dir string
	GoFiles, CgoFiles     []string
}

func list(pkg string) (*listed, error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Name,Dir,GoFiles,CgoFiles", "--", pkg).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	if err != nil {
		return nil, err
	}
	var l listed
	if err := json.Unmarshal(out, &l); err != nil {
		return nil, fmt.Errorf("%s is not one package: %w", pkg, err)
	}
	if l.Name == "main" {
		return nil, fmt.Errorf("%s is a program: it cannot be imported", l.ImportPath)
	}
	return &l, nil
}

func load(pkg string) (*loaded, error) {
	l, err := list(pkg)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range append(l.GoFiles, l.CgoFiles...) {
		f, err := parser.ParseFile(fset, filepath.Join(l.Dir, name), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil), IgnoreFuncBodies: true, FakeImportC: true}
	checked, err := conf.Check(l.ImportPath, fset, files, nil)
	if err != nil {
		return nil, err
	}
	docs, err := doc.NewFromFiles(fset, files, l.ImportPath, doc.PreserveAST)
	if err != nil {
		return nil, err
	}
	return &loaded{l.ImportPath, checked, docs, declarations(files)}, nil
}

func declarations(files []*ast.File) map[string]*ast.FuncDecl {
	decls := map[string]*ast.FuncDecl{}
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				decls[receiver(fn)+fn.Name.Name] = fn
			}
		}
	}
	return decls
}

// receiver is the type of a method and a dot.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	t := fn.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "."
	}
	return "." // of a generic type, which is not offered
}

// text is the documentation of a function or method.
func (l *loaded) text(name string) string {
	if d := l.decls[name]; d != nil {
		return strings.TrimSpace(d.Doc.Text())
	}
	return ""
}

// typeText is that of a type.
func (l *loaded) typeText(name string) string {
	for _, t := range l.doc.Types {
		if t.Name == name {
			return strings.TrimSpace(t.Doc)
		}
	}
	return ""
}

// constTexts are the comments of constants, by name: of the name's own line, or
// of its group.
func (l *loaded) constTexts() map[string]string {
	texts := map[string]string{}
	groups := l.doc.Consts
	for _, t := range l.doc.Types {
		groups = append(groups, t.Consts...)
	}
	for _, g := range groups {
		for _, s := range g.Decl.Specs {
			v := s.(*ast.ValueSpec)
			text := v.Doc.Text() + v.Comment.Text()
			if text == "" && len(g.Decl.Specs) == 1 {
				text = g.Doc
			}
			for _, name := range v.Names {
				texts[name.Name] = strings.TrimSpace(text)
			}
		}
	}
	return texts
}
