package types

import (
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// PreludeName finds a name of the prelude, or nil.
func (p *Program) PreludeName(name string) Object { return p.c.preludeName(name) }

// FieldInfo returns the Info under which the defaults of a type's fields are
// typed, checking them first when they are the library's.
func (p *Program) FieldInfo(d *TypeDecl) *Info {
	p.c.fieldDefaults(d)
	return d.Module.Info
}

// WholePrelude returns the prelude with all of its files, which are otherwise
// loaded when something of them is used.
func (p *Program) WholePrelude() *Prelude {
	p.c.loadWholePrelude()
	return p.Prelude
}

// Place is where an object's name is declared, NoSpan when no source does.
func Place(o Object) diag.Span { return objectPlace(o) }

// AliasParams are the type parameters of a type alias.
func AliasParams(o Object) []*TypeParam {
	if a, ok := o.(*aliasObj); ok {
		return a.params
	}
	return nil
}

// Alias returns the declaration of a type alias and what it stands for; nil for
// other objects.
func Alias(o Object) (*syntax.TypeDecl, Type) {
	if a, ok := o.(*aliasObj); ok {
		return a.decl, a.t
	}
	return nil, nil
}
