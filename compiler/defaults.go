package compiler

import (
	"maps"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/types"
)

// maxDefaults is how deep defaults may ask for further defaults: those of a
// struct that has itself as a default never end.
const maxDefaults = 64

// defaults compiles expressions of another declaration, defaults that a call
// leaves out, in place. Their positions are not ours: errors in a default point
// at the call. Their functions are compiled once, so they are named after owner,
// the declaration, and not after who leaves the default out.
func (b *builder) defaults(owner string, mod *types.Module, info *types.Info, sub *types.Subst, compile func()) {
	if b.frozen == maxDefaults {
		b.c.fail(diag.Span{Start: b.pos, End: b.pos + 1}, diag.EndlessDefault, "the defaults used here need themselves, without end",
			"leave one of them to the caller, or make it optional: `= none`")
	}
	if b.c.failed != nil {
		return
	}
	name, module, outer, subst, locals, pos := b.name, b.module, b.info, b.subst, b.locals, b.pos
	inner := &types.Subst{Params: sub.Params}
	for _, a := range sub.Args {
		inner.Args = append(inner.Args, subst.Apply(a))
	}
	b.name, b.module, b.info, b.subst, b.locals = owner, mod, info, inner, maps.Clone(locals)
	b.frozen++
	compile()
	b.frozen--
	b.name, b.module, b.info, b.subst, b.locals, b.pos = name, module, outer, subst, locals, pos
}
