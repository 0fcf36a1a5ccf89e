package runnel_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const modulePath = "github.com/runnel-lang/runnel"

type listedPackage struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

// packages lists the module's packages by their path within the module.
func packages(t *testing.T) map[string]listedPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Fatalf("go list: %s", exit.Stderr)
	}
	require.NoError(t, err)
	list := map[string]listedPackage{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listedPackage
		if err := dec.Decode(&p); err == io.EOF {
			return list
		} else {
			require.NoError(t, err)
		}
		list[local(p.ImportPath)] = p
	}
}

// local is a package's path within the module, "." for the root; others keep
// their path.
func local(path string) string {
	if path == modulePath {
		return "."
	}
	return strings.TrimPrefix(path, modulePath+"/")
}

// layers from the lowest to the highest. A package imports packages of lower
// layers, and of its own layer; a layer is a folder with all below it, but for
// the folders that are layers themselves.
var layers = []struct {
	folder string
	but    []string // layers below that it does not import all the same
}{
	{folder: "internal/lazy"},
	{folder: "internal/whole", but: []string{"internal/lazy"}},
	{folder: "reactor", but: []string{"internal/lazy", "internal/whole"}},
	{folder: "iopool", but: []string{"internal/lazy", "internal/whole", "reactor"}},
	{folder: "lang/diag", but: []string{"reactor", "iopool"}},
	{folder: "lang/format", but: []string{"reactor", "iopool"}},
	{folder: "lang/names", but: []string{"reactor", "iopool"}},
	{folder: "lang/syntax", but: []string{"reactor", "iopool"}},
	{folder: "lang/printer", but: []string{"reactor", "iopool", "lang/format"}},
	{folder: "lang/types", but: []string{"reactor", "iopool", "lang/printer"}},
	{folder: "lang/query", but: []string{"reactor", "iopool", "lang/printer"}},
	{folder: "vm/bytecode", but: []string{"reactor", "iopool", "lang/diag", "lang/format", "lang/syntax", "lang/printer", "lang/types"}},
	{folder: "compiler", but: []string{"reactor", "iopool", "lang/printer"}},
	{folder: "internal/vmtest"},
	{folder: "vm", but: []string{"lang/diag", "lang/syntax", "lang/printer", "lang/types", "compiler"}},
	{folder: "stdlib", but: []string{"compiler", "lang/printer"}},
	{folder: "internal/chrometrace", but: []string{"reactor", "iopool", "lang/diag", "lang/format", "lang/syntax", "lang/types", "compiler", "stdlib"}},
	{folder: "."},
	{folder: "internal/x86text"},
	{folder: "runneltest", but: []string{"stdlib", "vm", "compiler"}},
	{folder: "internal/bindgen", but: []string{"reactor", "iopool", "lang/diag", "lang/format", "lang/types", "compiler", "stdlib"}},
	{folder: "internal/docs", but: []string{"reactor", "iopool", "vm/bytecode", "vm", "compiler", "stdlib"}},
	{folder: "cmd"},
	{folder: "bench"},
	{folder: "internal"},
	{folder: "examples"},
}

// layerOf returns the index of the layer that a package belongs to, or -1.
func layerOf(path string) int {
	best, length := -1, -1
	for i, l := range layers {
		if in(path, l.folder) && len(l.folder) > length {
			best, length = i, len(l.folder)
		}
	}
	return best
}

func in(path, folder string) bool {
	return path == folder || folder != "." && strings.HasPrefix(path, folder+"/")
}

func TestPackagesImportOnlyLowerLayers(t *testing.T) {
	for name, p := range packages(t) {
		layer := layerOf(name)
		if layer < 0 {
			// Folders of programs and cases hold tests only.
			require.Empty(t, p.Imports, "%s belongs to no layer", name)
			continue
		}
		for _, path := range p.Imports {
			other := layerOf(local(path))
			if local(path) == path || other < 0 {
				continue
			}
			// A generator inside of a layer reads the layer's own tables.
			require.LessOrEqual(t, other, layer, "%s imports %s", name, path)
			require.NotContains(t, layers[layer].but, layers[other].folder, "%s imports %s", name, path)
		}
	}
}

func TestEachDependencyHasOnePlace(t *testing.T) {
	places := map[string]string{
		"github.com/alecthomas/participle": "lang/syntax",
		"github.com/BurntSushi/toml":       "stdlib/toml",
		"github.com/clipperhouse/uax29":    "stdlib/text",
		"github.com/chzyer/readline":       "cmd",
		"github.com/coder/websocket":       "stdlib/http",
		"github.com/google/uuid":           "stdlib/uuid",
		"github.com/jackc/pgx/v5":          "stdlib/sql",
		"github.com/mattn/go-runewidth":    "stdlib/text",
		"golang.org/x/arch":                "internal/x86text",
		"golang.org/x/sys":                 "stdlib/fs",
		"golang.org/x/text":                "stdlib/text",
		"modernc.org/libc":                 "stdlib/sql",
		"modernc.org/sqlite":               "stdlib/sql",
		"go.yaml.in/yaml/v3":               "stdlib/yaml",
	}
	for name, p := range packages(t) {
		for _, path := range p.Imports {
			require.NotContains(t, path, "testify", "%s imports it outside of tests", name)
			for dep, place := range places {
				if in(path, dep) {
					require.True(t, in(name, place), "%s imports %s", name, path)
				}
			}
			if thirdParty(path) {
				require.True(t, knownDependency(path, places), "%s imports %s", name, path)
			}
		}
	}
}

func knownDependency(path string, places map[string]string) bool {
	for dep := range places {
		if in(path, dep) {
			return true
		}
	}
	return false
}

// thirdParty reports whether a package is neither ours nor of Go's own library.
func thirdParty(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".") && !in(path, modulePath)
}

// deps lists all that a program holds which imports the packages.
func deps(t *testing.T, packages ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list", "-deps"}, packages...)...).Output()
	require.NoError(t, err)
	return strings.Fields(string(out))
}

// modulesOf are the modules of the library among packages.
func modulesOf(packages []string) []string {
	var names []string
	for _, path := range packages {
		name, ok := strings.CutPrefix(path, modulePath+"/stdlib/")
		if ok && !in(name, "internal") {
			names = append(names, name)
		}
	}
	return names
}

// The virtual machine and the library run compiled programs without the front
// end where a program needs no more.
func TestTheVirtualMachineKnowsNoSyntax(t *testing.T) {
	for _, path := range deps(t, "./vm") {
		for _, folder := range []string{"lang/syntax", "lang/types", "lang/diag", "compiler"} {
			require.False(t, in(path, modulePath+"/"+folder), path)
		}
	}
}

// What an embedding program does not name is not in its binary: the root
// package brings no module of the library, and one module brings no other.
func TestAProgramHoldsTheModulesThatItNames(t *testing.T) {
	require.Empty(t, modulesOf(deps(t, ".")))
	require.Equal(t, []string{"json"}, modulesOf(deps(t, ".", "./stdlib/json")))
}

func TestTheRootPackageNeedsNoOtherLibraryThanTheParsers(t *testing.T) {
	for _, path := range deps(t, ".", "./stdlib/json") {
		require.True(t, !thirdParty(path) || in(path, "github.com/alecthomas/participle/v2"), path)
	}
}
