// Command config reads its configuration from a script: what the script computes
// is typed, checked before anything runs, and read into Go structs. Parts of it
// are included from other files; of the environment it sees the variables that
// it is granted.
package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"strings"
	"testing/fstest"
)

//go:embed config
var files embed.FS

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	config, err := fs.Sub(files, "config")
	if err != nil {
		return err
	}
	for _, stage := range []string{"dev", "production"} {
		c, err := Load(ctx, config, "service.rnl", map[string]string{"STAGE": stage, "ADMIN": "ada"})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "== %s\n%+v\nadmin %s, log level %s, limits %v\n", c.Name, c.Server, *c.Admin, c.Level, c.Limits)
		for _, b := range c.Backends {
			fmt.Fprintf(out, "  %s at %s, weight %g\n", b.Name, b.Address, b.Weight)
		}
	}
	fmt.Fprintln(out, "== mistakes")
	text, err := fs.ReadFile(config, "service.rnl")
	if err != nil {
		return err
	}
	for _, m := range mistakes {
		text := strings.Replace(string(text), m.right, m.wrong, 1)
		_, err := Load(ctx, with(config, "service.rnl", text), "service.rnl", nil)
		fmt.Fprintf(out, "%v\n\n", err)
	}
	return nil
}

// mistakes that people make in the configuration.
var mistakes = []struct{ right, wrong string }{
	{"8080", "80800"},
	{"tls: production", "tsl: production"},
	{"weight: if i == 1 { 2.0 }", `weight: if i == 1 { "double" }`},
	{"level: t.Level = if production { Warn }", "level: t.Level = if production { Warning }"},
	{`pub let name = "shop-${stage}"`, "pub let name = 7"},
	{`"./lib/net"`, `"../../etc/net"`},
}

// overlay is a file system with another version of one file.
type overlay struct {
	fs.FS
	file fstest.MapFS
}

func with(fsys fs.FS, name, text string) fs.FS {
	return overlay{fsys, fstest.MapFS{name: {Data: []byte(text)}}}
}

func (o overlay) Open(name string) (fs.File, error) {
	if _, ok := o.file[name]; ok {
		return o.file.Open(name)
	}
	return o.FS.Open(name)
}
