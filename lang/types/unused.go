package types

import (
	"maps"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
)

// withoutConsequences drops the warnings about unused names of a program with
// errors: what would use them may be what is wrong.
func (c *checker) withoutConsequences(ds []diag.Diagnostic) []diag.Diagnostic {
	failed := c.broken
	for _, d := range ds {
		failed = failed || d.Severity == diag.Error
	}
	if !failed {
		return ds
	}
	kept := ds[:0]
	for _, d := range ds {
		switch d.Code {
		case diag.UnusedVariable, diag.UnusedImport, diag.UnusedFunction, diag.NeverAssigned:
		default:
			kept = append(kept, d)
		}
	}
	return kept
}

// reportUnusedLocals looks at the names of a block when it ends.
func (c *checker) reportUnusedLocals(from int) {
	if c.mod.Std {
		return
	}
	for _, b := range c.names[from:] {
		switch o := b.obj.(type) {
		case *Local:
			switch {
			case !o.Used:
				c.unusedVariable(o.Name, o.At)
			case o.Var && !o.LockOf && !c.mutated[o]:
				c.neverAssigned(o.Name, o.At)
			}
		case *ConstObj:
			if !o.Used {
				c.unusedVariable(o.Name, o.At)
			}
		}
	}
}

func (c *checker) neverAssigned(name string, at diag.Span) {
	c.warn(diag.NeverAssigned, at, "`%s` is never assigned again", name).help("declare it with `let`")
}

func (c *checker) unusedVariable(name string, at diag.Span) {
	if strings.HasPrefix(name, "_") {
		return
	}
	c.warn(diag.UnusedVariable, at, "`%s` is never used", name).
		help("remove it, or call it `_%s` to keep it", name).
		fix("rename it", diag.Edit{Span: at, New: "_" + name})
}

// reportUnused looks at the top-level names of the program's own modules.
func (c *checker) reportUnused() {
	for _, m := range c.prog.Modules {
		if m.Std {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(m.scope)) { // the first ones are kept when they are many
			switch o := m.scope[name].(type) {
			case *ModuleObj:
				if !o.Used {
					c.warn(diag.UnusedImport, o.At, "module `%s` is imported but never used", o.Module.Name).help("remove the import")
				}
			case *Global:
				switch {
				case o.Pub:
				case !o.Used:
					c.unusedVariable(o.Name, o.At)
				case o.Var && !c.mutated[o]:
					c.neverAssigned(o.Name, o.At)
				}
			case *ConstObj:
				if !o.Used && !o.Pub {
					c.unusedVariable(o.Name, o.At)
				}
			case *FuncDecl:
				if !c.fns[o].used && !o.Pub && o.Name != "main" && !strings.HasPrefix(o.Name, "_") {
					c.warn(diag.UnusedFunction, o.At, "function `%s` is never used", o.Name).
						help("remove it, or export it with `pub`")
				}
			}
		}
	}
}
