package matrix

import (
	"fmt"
	"strings"
)

// Program is one operation with one kind of value in all positions.
type Program struct {
	Op, Kind string
	Source   string
	Want     string // what it prints
	Clock    Clock
}

// Op is an operation of concurrency.
type Op struct {
	Name string
	// Body is what stands in each position. It uses the values a, b and c of
	// type T, show(x T) -> str, and the functions of the preamble.
	Body string
	// Want is what the body prints; A, B and C in braces stand for the values as
	// they are shown.
	Want string
}

// Ops are all operations.
func Ops() []Op {
	var all []Op
	for _, group := range [][]Op{taskOps, manyTasksOps, channelOps, selectOps, mutexOps, cancelOps, timeOps} {
		all = append(all, group...)
	}
	return all
}

// preamble holds what operations use.
const preamble = `fn opt<U>(x: U?, show: fn(U) -> str) -> str { if let v = x { show(v) } else { "nothing" } }
fn each<U>(xs: [U], show: fn(U) -> str) -> str { xs.map(show).join(", ") }
fn pass<U>(x: U) -> U { x }
fn second<U, V>(_x: U, y: V) -> V { y }
fn later<U>(x: U) -> U {
  yield_now()
  x
}
fn fail<U>(_x: U) -> U { throw error("oops") }
struct Keeper<U> { value: U
  fn get() -> U { self.value }
  fn swap(x: U) -> U {
    let old = self.value
    self.value = x
    old
  }
}
struct Failure<U> { value: U
  fn message() -> str { "a failure" }
}
`

// Programs are all cells, a program for each pair of operation and kind.
func Programs() []Program {
	var all []Program
	for _, op := range Ops() {
		for _, k := range Kinds {
			all = append(all, makeProgram(op, k))
		}
	}
	return all
}

func makeProgram(op Op, k Kind) Program {
	var decls, stmts, want strings.Builder
	fmt.Fprintf(&decls, "%s%s\ntype T = %s\n", preamble, k.Decls, k.Type)
	show := k.Show
	if show == "" {
		show = `"${x}"`
	}
	fmt.Fprintf(&decls, "fn show(x: T) -> str { %s }\n", show)
	for i, name := range []string{"a", "b", "c"} {
		fmt.Fprintf(&decls, "fn value_%s() -> T { %s }\n", name, k.Values[i])
	}
	lines := strings.NewReplacer("{A}", k.Shown[0], "{B}", k.Shown[1], "{C}", k.Shown[2]).Replace(op.Want)
	for _, p := range Positions {
		if excepted(op.Name, p.Name) {
			continue
		}
		fill := strings.NewReplacer("VALUES", "let a = value_a()\nlet b = value_b()\nlet c = value_c()", "BODY", strings.TrimSpace(op.Body))
		if p.Decls != "" {
			fmt.Fprintf(&decls, "%s\n", fill.Replace(p.Decls))
		}
		title := fmt.Sprintf("# %s, %s, %s", op.Name, k.Name, p.Name)
		fmt.Fprintf(&stmts, "print(%q)\n%s\n", title, fill.Replace(p.Stmts))
		line(&want, title)
		line(&want, p.Before)
		for range p.Times {
			line(&want, strings.TrimSpace(lines))
		}
		line(&want, p.After)
	}
	return Program{op.Name, k.Name, decls.String() + stmts.String(), want.String(), clocks[op.Name]}
}

func line(b *strings.Builder, s string) {
	if s != "" {
		b.WriteString(s + "\n")
	}
}
