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
// at the call.
func (b *builder) defaults(mod *types.Module, info *types.Info, sub *types.Subst, compile func()) {
	if b.frozen == maxDefaults {
		b.c.fail(diag.Span{Start: b.pos, End: b.pos + 1}, diag.EndlessDefault, "the defaults used here need themselves, without end",
			"leave one of them to the caller, or make it optional: `= none`")
	}
	if b.c.failed != nil {
		return
	}
	module, outer, subst, locals, pos := b.module, b.info, b.subst, b.locals, b.pos
	inner := &types.Subst{Params: sub.Params}
	for _, a := range sub.Args {
		inner.Args = append(inner.Args, subst.Apply(a))
	}
	b.module, b.info, b.subst, b.locals = mod, info, inner, maps.Clone(locals)
	b.frozen++
	compile()
	b.frozen--
	b.module, b.info, b.subst, b.locals, b.pos = module, outer, subst, locals, pos
}
