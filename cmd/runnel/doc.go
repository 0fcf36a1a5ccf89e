package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/docs"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/host"
)

// docOptions are where to write a documentation: folders.
type docOptions struct{ site, markdown string }

func docFlags() []flag {
	return []flag{
		{"--html", "DIR", "write an HTML site about the builtins, the library and FILES to DIR", func(c *cli, v string) error {
			c.docs.site = v
			return nil
		}},
		{"--markdown", "DIR", "write the same as Markdown to DIR", func(c *cli, v string) error {
			c.docs.markdown = v
			return nil
		}},
		colorFlag,
	}
}

// doc shows what is known of a name, or writes all of it into folders.
func (c *cli) doc(args []string) int {
	site, markdown := c.docs.site, c.docs.markdown
	files, names := sourceFiles(args)
	if len(names) > 1 {
		return c.usage("doc shows one name at a time")
	}
	lib, err := c.documentation(files)
	if err == nil && len(names) == 1 && !docs.IsOperator(names[0]) && (site != "" || markdown != "" || !lib.Has(names[0])) {
		if _, ok := folder(names[0]); ok {
			files, names = append(files, names[0]), nil
			lib, err = c.documentation(files)
		}
	}
	if err != nil {
		return c.compileError(err)
	}
	if markdown == "" && site == "" {
		return c.showDoc(lib, files, names)
	}
	if len(names) > 0 {
		return c.usage(names[0] + " is not a file: only files can be documented with --html or --markdown")
	}
	if site != "" {
		err = lib.WriteHTML(site)
	}
	if markdown != "" && err == nil {
		err = lib.WriteMarkdown(markdown)
	}
	if err != nil {
		return c.problem(err)
	}
	return exitOK
}

// sourceFiles tells files and folders from names such as list.map.
func sourceFiles(args []string) (files, names []string) {
	for _, arg := range args {
		if docs.IsOperator(arg) {
			names = append(names, arg)
		} else if strings.HasSuffix(arg, ".rnl") || strings.ContainsAny(arg, `/\`) || arg == "." || arg == ".." {
			files = append(files, arg)
		} else {
			names = append(names, arg)
		}
	}
	return files, names
}

// documentation of files, of those in folders that declare something for others, of the library and what is built in.
func (c *cli) documentation(files []string) (*docs.Library, error) {
	var modules, relative []string
	for _, m := range all.Modules() {
		modules = append(modules, m.Name)
	}
	files, err := findScripts(files, func(_ *syntax.File, text string) bool { return strings.Contains("\n"+text, "\npub ") })
	if err != nil {
		return nil, err
	}
	here, err := filepath.Abs(".")
	for _, file := range files {
		if _, err := os.Stat(file); err != nil {
			return nil, fmt.Errorf("there is no file `%s`", file)
		}
		if filepath.IsAbs(file) && err == nil {
			file, err = filepath.Rel(here, file)
		}
		relative = append(relative, filepath.Clean(file))
	}
	if err != nil {
		return nil, err
	}
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(host.Host{}), runnel.WithSources(runnel.OSSources()))
	return docs.Load(rt, modules, relative)
}

// showDoc writes the text on a name; on a file when none is given; or what there is.
func (c *cli) showDoc(lib *docs.Library, files, names []string) int {
	style := c.textStyle()
	if len(files) > 0 {
		lib = lib.Of(docs.Program)
	}
	if len(files) == 1 && strings.HasSuffix(files[0], ".rnl") && len(names) == 0 {
		names = []string{strings.TrimSuffix(filepath.Base(files[0]), ".rnl")}
	}
	if len(names) > 0 {
		return c.written(lib.Describe(c.stdout, names[0], style))
	}
	if err := lib.Contents(c.stdout, style); err != nil || len(files) > 0 {
		return c.written(err)
	}
	fmt.Fprint(c.stdout, "\nFor details: runnel doc NAME, as in runnel doc list, runnel doc list.map, runnel doc http\n")
	return exitOK
}

// textStyle is how text is written to standard output.
func (c *cli) textStyle() docs.Style {
	return docs.Style{Color: c.colored(c.stdout), Width: terminalWidth(c.stdout)}
}

func (c *cli) written(err error) int {
	if err != nil {
		return c.problem(err)
	}
	return exitOK
}
