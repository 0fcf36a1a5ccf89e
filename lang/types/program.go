package types

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// Loader finds the sources of imported modules.
type Loader interface {
	// Load gives the module that from imports as path. isFile tells `import
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
}

// Options of a check.
type Options struct {
	Loader  Loader
	Prelude []Source // the files of the prelude; their bodies are checked when first asked for
	Tests   bool     // report unused names as if tests were part of the program
}

// Prelude holds the declarations every module sees: functions, interfaces
// (Error, Iterator, Ordered, Hashable, Number) and the methods of built-in types.
type Prelude struct {
	Modules []*Module
	Extends []*Extend
}

// The rest of the contract with the compiler:
//
//	Check(fs, main, opts) (*Program, []diag.Diagnostic)
//	(*Program).Body(fn *FuncDecl) *Info
//	(*Program).MethodOf(t Type, name string) (fn *FuncDecl, recvArgs []Type)
//	(*Program).Satisfies(t Type, iface *Named) bool
//
// Body gives the Info under which fn's body (and its parameters' defaults) is
// typed, checking it first when it is a library function not yet checked.
// MethodOf finds a method of a closed type: declared, of a built-in type, or a
// default method of an interface that t asserts or (for t an interface) has;
// recvArgs are the arguments of fn.OwnerParams(). It gives nil when there is none.
var _ = diag.NoSpan
var _ *syntax.File
