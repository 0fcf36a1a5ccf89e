package bindgen

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/runneltest"
)

var update = flag.Bool("update", false, "write what is generated to testdata/zoo.golden")

func TestThePackageZoo(t *testing.T) {
	source, err := Generate("./testdata/zoo", Options{})
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile("testdata/zoo.golden", source, 0o644))
	}
	want, err := os.ReadFile("testdata/zoo.golden")
	require.NoError(t, err)
	assert.Equal(t, string(want), string(source))
}

func TestWhatIsWantedIsOffered(t *testing.T) {
	offers := func(only, skip []string) string {
		source, err := Generate("strings", Options{Name: "texts", Only: only, Skip: skip})
		require.NoError(t, err)
		return string(source)
	}
	one := offers([]string{"Cut*", "Builder.Write*"}, []string{"CutSuffix", "Builder.WriteByte"})
	assert.Contains(t, one, "package texts\n")
	assert.Contains(t, one, `runnel.NewModule("texts"`)
	assert.Contains(t, one, `runnel.Func(m, "cut_prefix", strings.CutPrefix`)
	assert.NotContains(t, one, "CutSuffix,")
	assert.NotContains(t, one, "strings.Reader")
	assert.Contains(t, one, `runnel.Methods("Write", "WriteRune", "WriteString"),`)
	assert.NotContains(t, one, "Not offered")
	whole := offers([]string{"Reader"}, nil)
	assert.Contains(t, whole, `"ReadByte"`)
	assert.Contains(t, whole, "Reader.WriteTo: parameter 1: io.Writer is an interface")
	none := offers(nil, []string{"*"})
	assert.NotContains(t, none, "runnel.Func")
}

func TestWhatCannotBeGenerated(t *testing.T) {
	for _, c := range []struct {
		pkg  string
		opts Options
		text string
	}{
		{"no/such/package", Options{}, "no/such/package"},
		{"./testdata/nothing", Options{}, "nothing"},
		{"../../cmd/runnel", Options{}, "is a program: it cannot be imported"},
		{"../../stdlib/...", Options{}, "is not one package"},
		{"path", Options{Name: "Path"}, `"Path" cannot name a module`},
		{"path", Options{Package: "a-b"}, `"a-b" cannot name a Go package`},
		{"path", Options{Only: []string{"["}}, "syntax error in pattern"},
	} {
		_, err := Generate(c.pkg, c.opts)
		if assert.Error(t, err, c.pkg) {
			assert.Contains(t, err.Error(), c.text)
		}
	}
}

const program = `package main

import (
	"context"
	"fmt"
	"os"

	"github.com/runnel-lang/runnel"
	IMPORTS
)

const script = SCRIPT

func main() {
	rt, err := runnel.New(runnel.WithModules(MODULES), runnel.WithHost(runnel.Host{Stdout: os.Stdout}))
	if err == nil {
		var prog *runnel.Program
		if prog, err = rt.Compile("script.rnl", script); err == nil {
			err = prog.NewInstance().Run(context.Background())
		}
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
`

// What is generated compiles, and scripts can use it.
func TestScriptsUseWhatIsGenerated(t *testing.T) {
	dir, err := os.MkdirTemp("testdata", "generated") // within the module, so that it is known
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	var imports, modules []string
	for _, pkg := range []string{"./testdata/zoo", "path", "strings", "math", "math/bits"} {
		source, err := Generate(pkg, Options{})
		require.NoError(t, err)
		name := filepath.Base(pkg)
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name, "module.go"), source, 0o644))
		imports = append(imports, `"`+runnelPath+"/internal/bindgen/"+filepath.ToSlash(dir)+"/"+name+`"`)
		modules = append(modules, name+".Module()")
	}
	script, err := os.ReadFile("testdata/script.rnl")
	require.NoError(t, err)
	text := strings.NewReplacer("IMPORTS", strings.Join(imports, "\n\t"), "MODULES", strings.Join(modules, ", "), "SCRIPT", quote(string(script))).Replace(program)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o644))
	out, err := exec.Command("go", "run", "./"+dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Equal(t, runneltest.Expected(string(script)).Printed, string(out))
}
