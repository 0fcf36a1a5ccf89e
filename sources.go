package runnel

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/types"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

// Sources finds the files that `import "./name"` refers to.
type Sources interface {
	// Read returns the text of a source file. Paths are slash-separated and clean, and end in .rnl.
	Read(path string) (text string, err error)
}

// OSSources reads files of the operating system; paths are relative to the
// working directory.
func OSSources() Sources { return osSources{} }

type osSources struct{}

func (osSources) Read(p string) (string, error) {
	data, err := os.ReadFile(filepath.FromSlash(p))
	return string(data), err
}

// FSSources reads from a file system. Imports cannot leave it.
func FSSources(fsys fs.FS) Sources { return fsSources{fsys} }

type fsSources struct{ fs fs.FS }

func (s fsSources) Read(p string) (string, error) {
	data, err := fs.ReadFile(s.fs, p)
	return string(data), err
}

// loader resolves imports for the checker.
type loader struct {
	rt   *Runtime
	left int // bytes that files may still have
}

func (l *loader) Load(from *types.Module, p string, isFile bool) (types.Source, error) {
	if !isFile {
		m := l.rt.modules[p]
		if m == nil {
			return types.Source{}, fmt.Errorf("there is no module %s%s", p, l.offered())
		}
		if m.Read().Err != nil {
			return types.Source{}, m.Err
		}
		src := sourceOf(m)
		src.With = leadsTo(m, map[*vm.Module]bool{})
		return src, nil
	}
	if from.Std {
		return l.part(from.Path, path.Base(p))
	}
	if l.rt.sources == nil {
		return types.Source{}, fmt.Errorf("this program may not import files")
	}
	dir := path.Dir(filepath.ToSlash(from.File.Source.Name))
	file := path.Join(dir, p)
	if !strings.HasSuffix(file, ".rnl") {
		file += ".rnl"
	}
	var text string
	err := host.Guarded(func() (err error) {
		text, err = l.rt.sources.Read(file)
		return err
	})
	if err != nil {
		if errors.Is(err, fs.ErrInvalid) && strings.HasPrefix(file, "..") {
			return types.Source{}, fmt.Errorf("%s leads out of the program's files", file)
		}
		return types.Source{}, fmt.Errorf("cannot read %s: %w", file, cause(err))
	}
	if l.left -= len(text); l.left < 0 {
		return types.Source{}, fmt.Errorf("the program's files are larger together than %d bytes", l.rt.compiling.source())
	}
	return types.Source{Key: file, Name: file, Text: text}, nil
}

func sourceOf(m *vm.Module) types.Source {
	return types.Source{Key: m.Name, Name: m.Name + ".rnl", Text: m.Read().Source, Std: true}
}

// leadsTo lists the parts of a module, and the modules that it needs with theirs.
func leadsTo(m *vm.Module, seen map[*vm.Module]bool) (list []types.Source) {
	seen[m] = true
	for _, name := range slices.Sorted(maps.Keys(m.Read().Parts)) {
		list = append(list, partOf(m, name))
	}
	for _, needed := range m.Needs {
		if !seen[needed] {
			list = append(append(list, sourceOf(needed)), leadsTo(needed, seen)...)
		}
	}
	return list
}

func partOf(m *vm.Module, name string) types.Source {
	key := m.Name + "/" + name
	return types.Source{Key: key, Name: key + ".rnl", Text: m.Parts[name], Std: true}
}

// part finds a further source file of a module.
func (l *loader) part(module, name string) (types.Source, error) {
	module, _, _ = strings.Cut(module, "/")
	m := l.rt.modules[module]
	if m == nil || m.Read().Parts[name] == "" {
		return types.Source{}, fmt.Errorf("module %s has no part %s", module, name)
	}
	return partOf(m, name), nil
}

// offered lists the modules of a host that offers a few.
func (l *loader) offered() string {
	const few = 10
	names := l.rt.modules.Names()
	if len(names) > few {
		return ""
	}
	return ": the host offers " + strings.Join(names, ", ")
}

// cause leaves out the path that a file error repeats.
func cause(err error) error {
	if pe, ok := err.(*fs.PathError); ok {
		return pe.Err
	}
	return err
}

func (l *loader) Names() []string { return l.rt.modules.Names() }
