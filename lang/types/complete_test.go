package types_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/types"
)

// requireComplete checks what the compiler relies on: every expression has a
// closed, valid type.
func requireComplete(t *testing.T, c checked) {
	t.Helper()
	for _, m := range c.prog.Modules {
		for _, item := range m.File.Items {
			syntax.Walk(item, func(n syntax.Node) bool {
				if e, ok := n.(syntax.Expr); ok {
					typ := m.Info.TypeOf(e)
					f := c.files.File(e.Span().Start)
					require.NotNil(t, typ, "no type for %T %s", e, f.Text(e.Span()))
					require.True(t, closed(typ), "open type %s for %T %s", typ, e, f.Text(e.Span()))
				}
				return true
			})
		}
	}
}

func closed(t types.Type) bool {
	switch t := t.(type) {
	case *types.Var:
		return false
	case *types.Basic:
		return t != types.Invalid
	case *types.App:
		return allClosed(t.Args)
	case *types.Named:
		return allClosed(t.Args)
	case *types.Func:
		return allClosed(t.Params) && closed(t.Result)
	}
	return t != nil
}

func allClosed(ts []types.Type) bool {
	for _, t := range ts {
		if !closed(t) {
			return false
		}
	}
	return true
}
