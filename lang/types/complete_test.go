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
				requireInfo(t, c, m.Info, n)
				return true
			})
		}
	}
}

// requireInfo checks that calls, members, loops and patterns are resolved.
func requireInfo(t *testing.T, c checked, in *types.Info, n syntax.Node) {
	t.Helper()
	text := func() string { return c.files.File(n.Span().Start).Text(n.Span()) }
	switch n := n.(type) {
	case *syntax.Call:
		info := in.Calls[n]
		require.NotNil(t, info, "no CallInfo for %s", text())
		require.True(t, allClosed(info.Params) && allClosed(info.TypeArgs) && allClosed(info.RecvArgs), text())
		require.True(t, info.Type == nil || closed(info.Type), text())
		require.Len(t, info.Args, len(info.Params), text())
		if info.Fn != nil {
			require.Len(t, info.TypeArgs, len(info.Fn.TypeParams), text())
			require.Len(t, info.RecvArgs, len(info.Fn.OwnerParams()), text())
		}
	case *syntax.For:
		info := in.Fors[n]
		require.NotNil(t, info, text())
		require.True(t, closed(info.Elem), text())
	case syntax.Pattern:
		if b, ok := n.(*syntax.BindPattern); ok && (in.GlobalBinds[b] != nil) {
			require.True(t, closed(in.GlobalBinds[b].Type), text())
			return
		}
		info := in.Pats[n]
		require.NotNil(t, info, "no PatInfo for %s", text())
		require.True(t, closed(info.Type), text())
		require.True(t, info.Bind == nil || closed(info.Bind.Type), text())
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
