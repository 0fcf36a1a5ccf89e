package runnel_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/actor"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/stdlib/reactive"
)

const nilContextScript = `
import actor
import host
import reactive
enum Msg { Get(reply: actor.Reply<int>), Stop }
struct A { fn receive(m: Msg, ctx: actor.Context<Msg>) { match m { Get(r) => { r.send(7) }, Stop => ctx.stop() } } }
pub fn begin() -> actor.Ref<Msg> { actor.start(A()) }
pub let cell = reactive.cell(1)
pub let docs = reactive.store()
pub fn add(a: int, b: int) -> int { a + b }
pub fn emit() { host.emit(1) }
pub fn room() -> chan<int> { chan<int>(4) }
test "of nothing" { assert(true) }
bench "of nothing" { add(1, 2) }
`

// A context that is nil is one that does not end, wherever a host may give one.
func TestANilContextDoesNotEnd(t *testing.T) {
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithTests())
	defer rt.Close()
	p, err := rt.Compile("a.rnl", nilContextScript)
	require.NoError(t, err)
	in, err := p.Start(t.Context())
	require.NoError(t, err)
	defer in.Close()

	var none context.Context
	begin := func() *actor.Ref {
		ref, err := runnel.Bind0[*actor.Ref](in, "begin")
		require.NoError(t, err)
		r, err := ref(t.Context())
		require.NoError(t, err)
		return r
	}
	cell, err := runnel.Get[*reactive.Cell[int]](in, "cell")
	require.NoError(t, err)
	docs, err := runnel.Get[*reactive.Store](in, "docs")
	require.NoError(t, err)
	title := reactive.At("lib", "of:1", "title")
	ch, err := runnel.NewChan[int](in, 4)
	require.NoError(t, err)
	process := func() runnel.PID {
		pid, err := rt.Spawn(none, p, "add", 1, 2)
		require.NoError(t, err)
		return pid
	}
	stopping := func(stop func(), err error) error {
		if err == nil {
			stop()
		}
		return err
	}
	second := func(_ any, err error) error { return err }
	ask := func(r *actor.Reply[int]) any { return runnel.Variant{Name: "Get", Values: []any{r}} }

	uses := map[string]func() error{
		"Instance.Call":  func() error { return second(in.Call(none, "add", 1, 2)) },
		"Instance.Spawn": func() error { return second(in.Spawn(none, "add", 1, 2)) },
		"Task.Wait": func() error {
			task, err := in.Spawn(none, "add", 1, 2)
			require.NoError(t, err)
			return second(task.Wait(none))
		},
		"Instance.Send": func() error { return in.Send(none, 1) },
		"Instance.Outputs": func() error {
			require.NoError(t, second(in.Call(t.Context(), "emit")))
			for x := range in.Outputs(none) {
				require.Equal(t, 1, x)
				return nil
			}
			return fmt.Errorf("nothing came")
		},
		"Instance.Run":      func() error { own := p.NewInstance(); defer own.Close(); return own.Run(none) },
		"Instance.RunTest":  func() error { return in.RunTest(none, 0) },
		"Instance.RunBench": func() error { return in.RunBench(none, 0, 3) },
		"InstanceOf": func() error {
			require.Nil(t, runnel.InstanceOf(none))
			return nil
		},
		"Program.Start": func() error {
			own, err := p.Start(none)
			if err == nil {
				own.Close()
			}
			return err
		},
		"Runtime.CompileContext": func() error { return second(rt.CompileContext(none, "b.rnl", "print(1)")) },
		"Runtime.Spawn":          func() error { return second(rt.Wait(t.Context(), process())) },
		"Runtime.Wait":           func() error { return second(rt.Wait(none, process())) },
		"Runtime.Send": func() error {
			pid := process()
			defer func() { _, _ = rt.Wait(none, pid) }()
			return rt.Send(none, pid, 1)
		},
		"Runtime.Outputs": func() error {
			pid := process()
			defer func() { _, _ = rt.Wait(none, pid) }()
			for range rt.Outputs(none, pid) {
			}
			return nil
		},
		"Session.Eval": func() error {
			s, err := rt.NewSession()
			require.NoError(t, err)
			defer s.Close()
			return second(s.Eval(none, "e", "1"))
		},
		"Session.Reload": func() error {
			s, err := rt.NewSession()
			require.NoError(t, err)
			defer s.Close()
			return second(s.Reload(none))
		},
		"Session.CompleteContext": func() error {
			s, err := rt.NewSession()
			require.NoError(t, err)
			defer s.Close()
			if len(s.CompleteContext(none, "pri", 3)) == 0 {
				return errors.New("nothing is completed")
			}
			return nil
		},
		"Session.Signature": func() error {
			s, err := rt.NewSession()
			require.NoError(t, err)
			defer s.Close()
			if err := second(s.Eval(t.Context(), "e", "fn add(n: int) -> int { n }")); err != nil {
				return err
			}
			if _, ok := s.Signature(none, "add(", 4); !ok {
				return errors.New("no signature")
			}
			return nil
		},
		"Instance.BindFunc": func() error {
			var add func(context.Context, int, int) (int, error)
			require.NoError(t, in.BindFunc("add", &add))
			return second(add(none, 1, 2))
		},
		"Bind2": func() error {
			add, err := runnel.Bind2[int, int, int](in, "add")
			require.NoError(t, err)
			return second(add(none, 1, 2))
		},
		"Chan.Send": func() error { return ch.Send(none, 1) },
		"Chan.Recv": func() error {
			require.NoError(t, ch.Send(t.Context(), 1))
			_, _, err := ch.Recv(none)
			return err
		},
		"Chan.All": func() error {
			require.NoError(t, ch.Send(t.Context(), 1))
			for range ch.All(none) {
				break
			}
			return nil
		},
		"Ref.Tell": func() error { return begin().Tell(none, runnel.Variant{Name: "Stop"}) },
		"Ref.Join": func() error {
			r := begin()
			require.NoError(t, r.Stop())
			return second(r.Join(none))
		},
		"Ask":       func() error { return second(actor.Ask(none, begin(), ask)) },
		"Value.Get": func() error { return second(cell.Get(none)) },
		"Cell.Set":  func() error { return cell.Set(none, 3) },
		"Cell.Update": func() error {
			return second(cell.Update(none, func(n int) int { return n + 1 }))
		},
		"Batch":           func() error { return reactive.Batch(none, cell.To(5)) },
		"Idle":            func() error { return reactive.Idle(none, in) },
		"Value.Subscribe": func() error { return stopping(cell.Subscribe(none, func(int) {})) },
		"Value.Values":    func() error { return second(cell.Values(none)) },
		"Store.Get":       func() error { return second(docs.Get(none, title)) },
		"Store.Set":       func() error { return docs.Set(none, title, "x") },
		"Store.Remove":    func() error { return docs.Remove(none, title) },
		"Store.Subscribe": func() error { return stopping(docs.Subscribe(none, title, func(any) {})) },
	}
	for _, name := range takeContexts(t, ".", "vm/bind", "stdlib/actor", "stdlib/reactive") {
		if uses[name] == nil {
			t.Errorf("no use of %s", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(uses)) {
		t.Run(name, func(t *testing.T) {
			done := make(chan error, 1)
			go func() {
				defer func() {
					if e := recover(); e != nil {
						done <- fmt.Errorf("panics: %v", e)
					}
				}()
				done <- uses[name]()
			}()
			select {
			case err := <-done:
				assert.NoError(t, err)
			case <-time.After(time.Minute):
				t.Error("it waits")
			}
		})
	}
}

// takeContexts names the exported functions and methods of packages that take a context
// first. Methods of types whose names are not exported count for who has them.
func takeContexts(t *testing.T, dirs ...string) (names []string) {
	t.Helper()
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.IsExported() && takesContext(fn) {
					if name := nameOf(fn); ast.IsExported(name) {
						names = append(names, name)
					}
				}
			}
		}
	}
	require.Greater(t, len(names), 30)
	return names
}

func takesContext(fn *ast.FuncDecl) bool {
	if len(fn.Type.Params.List) == 0 {
		return false
	}
	sel, ok := fn.Type.Params.List[0].Type.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Context"
}

// nameOf is the function's name, behind that of its receiver's type.
func nameOf(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	typ := fn.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		default:
			return x.(*ast.Ident).Name + "." + fn.Name.Name
		}
	}
}
