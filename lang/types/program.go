package types

import "context"

// Loader finds the sources of imported modules.
type Loader interface {
	// Load returns the module that from imports as path. isFile tells `import
	// "./geo"` from `import math`. key is the module's identity (two imports
	// with the same key are one module), name is shown in diagnostics. An error
	// is reported at the import.
	Load(from *Module, path string, isFile bool) (src Source, err error)
	// Names lists the library modules that can be imported, for "did you mean".
	Names() []string
}

// Source is the text of a module.
type Source struct {
	Key  string
	Name string // file name for diagnostics
	Text string
	Std  bool
	// With are sources that its import leads to. They are parsed at the same time.
	With []Source
}

// Options of a check.
type Options struct {
	Loader  Loader
	Prelude []Source // the files of the prelude; their bodies are checked when first asked for
	Tests   bool     // report unused names as if tests were part of the program
	Broken  bool     // main has syntax errors, so names may only seem unused
	// At, when not 0, is a position in main: all signatures are resolved, but
	// only the body that holds it is checked. Tools ask about one place, soon.
	At uint32
	// Outer are names that main continues, as the lines of a session do: they
	// are seen under its own, and above the prelude's.
	Outer map[string]Object
	// Context ends the check; nil: nothing does.
	Context context.Context
}

// Prelude holds the declarations every module sees: functions, interfaces
// (Error, Iterator, Ordered, Hashable, Number) and the methods of built-in types.
type Prelude struct {
	Modules []*Module
	Extends []*Extend
}
