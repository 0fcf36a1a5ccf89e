package vm

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Module is what `import name` refers to: a source text in Runnel, which
// documents and declares the module's natives along with its own code, and the
// Go functions of those natives.
type Module struct {
	Name   string
	Source string
	// Parts are further source files by name, which the source imports as "./name".
	Parts map[string]string
	// Signatures of the natives by name, in the notation of bytecode.Signature,
	// where the library's table (see stdlib.Signatures) does not have them.
	Signatures map[string]bytecode.Signature
	// Needs are the modules that the source imports.
	Needs []*Module
	// Finish, if any, completes the module before it is first used.
	Finish   func()
	finished sync.Once
	// Whole says that limits take effect only in the script functions that the
	// module calls, not in its own: what its functions share with others stays
	// consistent.
	Whole bool
	// Err is why the module cannot be used, if it was made incorrectly.
	Err error
	// Extension belongs to package bind.
	Extension any
	natives   map[string]linker
	texts     map[string]ownText
	files     fs.FS // of NewModuleOf
	read      sync.Once
}

// linker makes a native for one use: its types are those of ref.
type linker struct {
	link     func(p *Program, ref *bytecode.NativeRef) (Native, error)
	blocking bool
}

// NewModule makes a module without natives.
func NewModule(name, source string, needs ...*Module) *Module {
	return &Module{Name: name, Source: source, Needs: needs, natives: map[string]linker{}}
}

// NewModuleOf makes a module of several source files: name.rnl is its source,
// the others are its parts. Read reads them.
func NewModuleOf(name string, files fs.FS, needs ...*Module) *Module {
	m := NewModule(name, "", needs...)
	m.files = files
	return m
}

// Read returns the module with the source files that NewModuleOf was given: most
// programs import few modules, so they are read when one is first imported.
func (m *Module) Read() *Module {
	if m.files == nil {
		return m
	}
	m.read.Do(func() {
		m.Parts = map[string]string{}
		names, err := fs.Glob(m.files, "*.rnl")
		for _, file := range names {
			text, failed := fs.ReadFile(m.files, file)
			err = errors.Join(err, failed)
			m.Parts[strings.TrimSuffix(file, ".rnl")] = string(text)
		}
		if err != nil {
			m.Err = err
		}
		m.Source = m.Parts[m.Name]
		delete(m.Parts, m.Name)
	})
	return m
}

// Native adds the native function that the source declares under a name:
// "sqrt", or "Lines.next" for a method.
func (m *Module) Native(name string, fn Native) { m.add(name, always(fn), false) }

// Blocking adds a native function that may Await. When the wait is over, the
// native is not called again: Finish continues.
func (m *Module) Blocking(name string, fn Native) { m.add(name, always(resuming(fn)), true) }

// Link adds a native function that is specialized for the types of each use.
func (m *Module) Link(name string, blocking bool, link func(p *Program, ref *bytecode.NativeRef) (Native, error)) {
	if blocking {
		plain := link
		link = func(p *Program, ref *bytecode.NativeRef) (Native, error) {
			fn, err := plain(p, ref)
			return resuming(fn), err
		}
	}
	m.add(name, link, blocking)
}

func (m *Module) add(name string, link func(*Program, *bytecode.NativeRef) (Native, error), blocking bool) {
	if _, dup := m.natives[name]; dup {
		m.Err = fmt.Errorf("module %s has two functions named %s", m.Name, name)
	}
	m.natives[name] = linker{link, blocking}
}

// text returns how the values of a struct are shown, by its qualified name.
func (ms Modules) text(name string) ownText {
	module, rest, _ := strings.Cut(name, ".")
	if m := ms[module]; m != nil {
		return m.texts[rest]
	}
	return ownText{}
}

// Has reports whether there is a native function.
func (m *Module) Has(name string) bool {
	_, ok := m.natives[name]
	return ok
}

func always(fn Native) func(*Program, *bytecode.NativeRef) (Native, error) {
	return func(*Program, *bytecode.NativeRef) (Native, error) { return fn, nil }
}

// resuming takes up the wait of a native that was broken off.
func resuming(fn Native) Native {
	return func(c *Call) {
		if more := c.t.more; more != nil && more.job != nil {
			c.takeUp(more.job)
			return
		}
		fn(c)
	}
}

// Modules by name.
type Modules map[string]*Module

// Add adds modules and the modules they need. Two modules with one name are an error.
func (ms Modules) Add(list ...*Module) error {
	for _, m := range list {
		if m.Finish != nil {
			m.finished.Do(m.Finish)
		}
		if m.Err != nil {
			return m.Err
		}
		switch old := ms[m.Name]; {
		case old == m:
			continue
		case old != nil:
			return fmt.Errorf("there are two modules named %s", m.Name)
		}
		ms[m.Name] = m
		if err := ms.Add(m.Needs...); err != nil {
			return err
		}
	}
	return nil
}

// Names returns the names in alphabetical order.
func (ms Modules) Names() []string { return slices.Sorted(maps.Keys(ms)) }

// Signatures returns the signatures that a module itself declares for a native.
func (ms Modules) Signatures(name string) []bytecode.Signature {
	module, rest, _ := strings.Cut(name, ".")
	if m := ms[module]; m != nil {
		if sig, ok := m.Signatures[rest]; ok {
			return []bytecode.Signature{sig}
		}
	}
	return nil
}

// HasNative reports whether the language or a module has a native function with a qualified name.
func (ms Modules) HasNative(name string) bool {
	if natives[name] != nil {
		return true
	}
	module, rest, _ := strings.Cut(name, ".")
	m := ms[module]
	return m != nil && m.Has(rest)
}

// link finds and makes the native of a reference.
func (ms Modules) link(p *Program, ref *bytecode.NativeRef) (Native, error) {
	if fn := natives[ref.Name]; fn != nil {
		return fn, nil
	}
	module, rest, _ := strings.Cut(ref.Name, ".")
	m := ms[module]
	if m == nil {
		return nil, fmt.Errorf("the program needs module %s, which the host does not offer", module)
	}
	l, ok := m.natives[rest]
	if !ok {
		return nil, fmt.Errorf("native function %q is not available", ref.Name)
	}
	if l.blocking {
		p.blocking[ref.Name] = true
	}
	return l.link(p, ref)
}
