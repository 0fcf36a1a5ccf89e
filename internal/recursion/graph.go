package main

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// graph is the call graph of our functions. What is handed to functions of
// others (to slices.SortFunc, say) counts as called by who hands it.
type graph struct{ calls map[string][]string }

// load finds the calls in the packages of a module.
func load(dir string, patterns []string) (*graph, error) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: dir}, patterns...)
	if err != nil {
		return nil, err
	}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			return nil, e
		}
	}
	prog, ours := ssautil.Packages(pkgs, ssa.InstantiateGenerics)
	prog.Build()
	g := &graph{calls: map[string][]string{}}
	own := map[*ssa.Package]bool{}
	for _, p := range ours {
		own[p] = true
	}
	all := ssautil.AllFunctions(prog)
	for f := range all {
		if own[pkgOf(f)] {
			for _, h := range handed(f, own) {
				g.add(f, h)
			}
		}
	}
	for f, node := range vta.CallGraph(all, cha.CallGraph(prog)).Nodes {
		if f == nil || !own[pkgOf(f)] {
			continue
		}
		for _, e := range node.Out {
			if _, begins := e.Site.(*ssa.Go); !begins && own[pkgOf(e.Callee.Func)] { // a goroutine has a stack of its own
				g.add(f, e.Callee.Func)
			}
		}
	}
	for f := range g.calls {
		slices.Sort(g.calls[f])
		g.calls[f] = slices.Compact(g.calls[f])
	}
	return g, nil
}

// handed returns the functions that one hands to functions of others.
func handed(f *ssa.Function, own map[*ssa.Package]bool) (fs []*ssa.Function) {
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			call, ok := i.(ssa.CallInstruction)
			if !ok || call.Common().StaticCallee() == nil || own[pkgOf(call.Common().StaticCallee())] {
				continue
			}
			for _, arg := range call.Common().Args {
				switch v := arg.(type) {
				case *ssa.MakeClosure:
					fs = append(fs, v.Fn.(*ssa.Function))
				case *ssa.Function:
					fs = append(fs, v)
				}
			}
		}
	}
	return fs
}

// pkgOf returns the package in which a function, an instance or a wrapper is written.
func pkgOf(f *ssa.Function) *ssa.Package {
	for f.Parent() != nil {
		f = f.Parent()
	}
	if o := f.Origin(); o != nil {
		f = o
	}
	return f.Pkg
}

func (g *graph) add(from, to *ssa.Function) {
	f, called := name(from), name(to)
	if f == called && from != to {
		return // an instance calls what it is one of
	}
	g.calls[f] = append(g.calls[f], called)
}

// name of a function, the same for all instances of a generic one. What is written
// in another has its name and a number behind a $.
func name(f *ssa.Function) string {
	if o := f.Origin(); o != nil {
		f = o
	}
	s := strings.ReplaceAll(f.String(), "github.com/runnel-lang/runnel/", "")
	s = strings.ReplaceAll(s, "github.com/runnel-lang/runnel.", "runnel.")
	return strings.NewReplacer("$bound", "", "$thunk", "").Replace(s)
}

// outer is the function in which one is written.
func outer(name string) string {
	name, _, _ = strings.Cut(name, "$")
	return name
}

// recursive is how many functions are on a cycle.
func (g *graph) recursive() (n int) {
	for _, c := range g.cycles(nil) {
		n += len(c)
	}
	return n
}

// cycles returns the groups of functions that can all reach each other when those in
// cut are left out, by Tarjan's algorithm, in order.
func (g *graph) cycles(cut map[string]bool) [][]string {
	t := tarjan{g: g, cut: cut, index: map[string]int{}, low: map[string]int{}, on: map[string]bool{}}
	var names []string
	for f := range g.calls {
		names = append(names, f)
	}
	slices.Sort(names)
	for _, f := range names {
		if t.index[f] == 0 && !cut[outer(f)] {
			t.visit(f)
		}
	}
	slices.SortFunc(t.found, func(a, b []string) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return t.found
}

type tarjan struct {
	g     *graph
	cut   map[string]bool
	index map[string]int
	low   map[string]int
	on    map[string]bool
	stack []string
	found [][]string
}

func (t *tarjan) visit(f string) {
	n := len(t.index) + 1
	t.index[f], t.low[f] = n, n
	t.stack = append(t.stack, f)
	t.on[f] = true
	for _, to := range t.g.calls[f] {
		switch {
		case t.cut[outer(to)]:
		case t.index[to] == 0:
			t.visit(to)
			t.low[f] = min(t.low[f], t.low[to])
		case t.on[to]:
			t.low[f] = min(t.low[f], t.index[to])
		}
	}
	if t.low[f] != t.index[f] {
		return
	}
	at := slices.Index(t.stack, f)
	group := slices.Clone(t.stack[at:])
	t.stack = t.stack[:at]
	for _, m := range group {
		t.on[m] = false
	}
	if len(group) > 1 || slices.Contains(t.g.calls[f], f) {
		slices.Sort(group)
		t.found = append(t.found, group)
	}
}
