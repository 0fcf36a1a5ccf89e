package runnel_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/actor"
	"github.com/runnel-lang/runnel/stdlib/reactive"
	stdtime "github.com/runnel-lang/runnel/stdlib/time"
)

// Every type of Go against every type of a script, both ways: either the value is
// right on the other side, or a sentence says why it cannot be there.

type (
	pairColor  string
	pairNumber uint8
	pairPoint  struct{ X, Y int }
	pairNode   struct {
		N    int
		Next *pairNode
	}
	pairTuple struct {
		A int
		B string
	}
	pairHandle struct{ n int }
	pairOther  struct{ n int }
	pairRecord struct {
		Name string
		At   pairPoint
	}
	pairWidget interface{ Number() int }
)

// Number of the handle.
func (h *pairHandle) Number() int { return h.n }

// Number of the other handle.
func (h *pairOther) Number() int { return -h.n }

// scriptTypes are types of a script, each with a value.
var scriptTypes = [][2]string{
	{"int", "7"}, {"float", "2.5"}, {"bool", "true"}, {"str", `"text"`}, {"bytes", `b"raw"`}, {"duration", "3s"},
	{"time.Time", "time.from_unix(86400)"}, {"int?", "5"}, {"str?", "none"}, {"int??", "5"}, {"Point?", "Point(1, 2)"},
	{"[int]", "[1, 2]"}, {"[str]", `["a"]`}, {"[[int]]", "[[1], []]"}, {"[any]", `[1, "x", [2.5]]`}, {"[Color]", "[Color.Green]"}, {"[Point]", "[Point(3, 4)]"},
	{"map<str, int>", `{"a": 1}`}, {"map<int, str>", `{1: "a"}`}, {"map<str, any>", `{"k": [1]}`}, {"map<Color, int>", "{Color.Red: 1}"}, {"map<(int, str), int>", `{(1, "k"): 1}`}, {"map<bytes, int>", `{b"k": 1}`}, {"map<Shape, int>", `{Shape.Dot: 1}`},
	{"set<int>", "set([1])"}, {"set<str>", `set(["s"])`}, {"(int, str)", `(1, "b")`}, {"Point", "Point(1, 2)"}, {"Pixel", "Pixel(1.5, 2.5)"},
	{"Node", "Node(1, Node(2, none))"}, {"Color", "Color.Green"}, {"Mood", "Mood.Low"}, {"Shape", "Shape.Circle(1.5)"}, {"Deep", "Deep([Shape.Dot])"},
	{"any", `{"k": [1, none]}`}, {"chan<int>", "chan<int>(1)"}, {"chan<str>", "chan<str>(1)"}, {"chan<Color>", "chan<Color>(1)"}, {"chan<any>", "chan<any>(1)"},
	{"fn(int) -> int", "|n: int| n + 1"}, {"fn()", "|| {}"}, {"h.Handle", "h.handle()"}, {"h.Other", "h.other()"}, {"h.Handle?", "h.handle()"}, {"h.Record", `h.record()`},
	{"()", "()"}, {"task<int>", "spawn { 1 }"}, {"buffer", "buffer()"}, {"mutex<int>", "mutex(1)"}, {"actor.Ref<str>", "actor.start(Echo())"},
	{"reactive.Cell<int>", "reactive.cell(1)"}, {"reactive.Cell<Color>", "reactive.cell(Color.Red)"}, {"reactive.Store", "reactive.store()"}, {"Shown", "Pixel(1.5, 2.5)"},
}

const pairHead = `
import h
import time
import actor
import reactive
enum Color { Red, Green }
enum Mood { Low, High }
enum Shape { Dot, Circle(r: float), Pair(int, str) }
enum Deep { Deep(of: [Shape]) }
struct Point { x: int, y: int }
struct Pixel { x: float, y: float
  fn shown() -> str { "shown" } }
struct Node { n: int, next: Node? }
struct Echo { fn receive(msg: str, ctx: actor.Context<str>) { print(msg) } }
interface Shown { fn shown() -> str }
`

// goValues are values of Go, among them what no script has anything for.
func goValues() []any {
	two := 2
	p2, text := &two, "t"
	loop := []any{nil}
	loop[0] = loop
	ring := map[string]any{}
	ring["ring"] = ring
	node := &pairNode{N: 1}
	node.Next = node
	return []any{
		1, int8(-3), int32(4), uint8(200), uint64(1 << 63), pairNumber(1), 2.5, float32(1.5), true, "Green", "häß\xff", pairColor("Red"), pairColor("Pink"), []byte("raw"), time.Second,
		time.Unix(86400, 0).UTC(), time.Time{}, p2, &p2, &text, (*int)(nil), []int{1, 2}, []string{"Red"}, [][]int{{1}, nil}, []any{1, "x", nil}, []any{[]any{}}, loop, ring, *node, node,
		map[string]int{"a": 1}, map[int]string{1: "a"}, map[string]any{"x": 1, "y": 2}, map[any]any{1: "a"}, map[string]struct{}{"s": {}}, map[int]struct{}{1: {}}, map[*int]int{p2: 1},
		pairPoint{1, 2}, &pairPoint{3, 4}, pairTuple{1, "b"}, pairRecord{"n", pairPoint{1, 2}}, pairNode{N: 3}, []pairPoint{{1, 2}}, struct{}{}, struct{ X, Y float64 }{1, 2},
		runnel.Variant{Name: "Circle", Values: []any{1.5}}, runnel.Variant{Name: "Dot"}, runnel.Variant{Name: "Pair", Values: []any{"x", 1}}, runnel.Variant{Name: "Deep", Values: []any{[]any{runnel.Variant{Name: "Dot"}}}},
		runnel.Variant{Name: "Circle", Values: []any{loop}}, &pairHandle{1}, (*pairHandle)(nil), &pairOther{2}, pairHandle{3}, func(int) (int, error) { return 0, nil }, func() {}, (*runnel.Chan[int])(nil), &runnel.Chan[string]{},
		make(chan int), [2]int{1, 2}, complex(1, 2), uintptr(1), (*actor.Ref)(nil), actor.RefTo[string]{}, actor.DeadLetter{}, (*reactive.Cell[int])(nil), (*reactive.Store)(nil), context.Background(), (any)(nil),
	}
}

// goTypes are those of goValues, and some more.
func goTypes() []reflect.Type {
	types := []reflect.Type{
		reflect.TypeFor[any](), reflect.TypeFor[error](), reflect.TypeFor[pairWidget](), reflect.TypeFor[fmt.Stringer](), reflect.TypeFor[*reactive.Cell[string]](),
		reflect.TypeFor[*reactive.Value[int]](), reflect.TypeFor[*runnel.Chan[any]](), reflect.TypeFor[*actor.Reply[int]](), reflect.TypeFor[map[any]int](), reflect.TypeFor[[]pairColor](), reflect.TypeFor[map[*int]string](),
		reflect.TypeFor[func(context.Context, int) (int, error)](), reflect.TypeFor[func() error](), reflect.TypeFor[**pairHandle](),
	}
	seen := map[reflect.Type]bool{}
	for _, v := range goValues() {
		if t := reflect.TypeOf(v); t != nil && !seen[t] {
			seen[t] = true
			types = append(types, t)
		}
	}
	return types
}

func pairInstance(t *testing.T) *runnel.Instance {
	t.Helper()
	h := runnel.NewModule("h", "What the host has.")
	runnel.Type[*pairHandle](h, runnel.Name("Handle"))
	runnel.Type[*pairOther](h, runnel.Name("Other"))
	runnel.Type[pairPoint](h, runnel.Name("Spot"))
	runnel.Type[pairRecord](h, runnel.Name("Record"))
	runnel.Func(h, "handle", func() *pairHandle { return &pairHandle{1} })
	runnel.Func(h, "other", func() *pairOther { return &pairOther{1} })
	runnel.Func(h, "record", func() pairRecord { return pairRecord{"n", pairPoint{1, 2}} })
	runnel.Func(h, "back", func(x any) any { return x })
	var src strings.Builder
	src.WriteString(pairHead)
	for i, s := range scriptTypes {
		show := `"${x}"`
		switch s[0] {
		case "chan<int>", "chan<str>", "chan<Color>", "chan<any>":
			show = `"${x.recv()}"`
		case "h.Handle", "h.Other":
			show = `"${x.number()}"`
		case "h.Handle?":
			show = `"${x!.number()}"`
		case "Color", "Mood":
			show = `match x { ` + map[string]string{"Color": "Red => \"Red\", Green => \"Green\"", "Mood": "Low => \"Low\", High => \"High\""}[s[0]] + ` }`
		}
		src.WriteString(fmt.Sprintf("pub fn give%d() -> %s { return %s }\npub fn take%d(x: %s) -> str { %s }\npub fn echo%d(x: %s) -> %s { x }\n", i, s[0], s[1], i, s[0], show, i, s[0], s[0]))
		src.WriteString(fmt.Sprintf("pub fn shown%d() -> str { take%d(give%d()) }\n", i, i, i))
		src.WriteString(fmt.Sprintf("pub fn round%d() -> str { let x: %s = %s\n \"${h.back(x)}\" }\n", i, s[0], s[1]))
	}
	rt, err := runnel.New(runnel.WithModules(h, stdtime.Module, actor.Module, reactive.Module), runnel.WithLimits(runnel.Limits{Memory: 8 << 20, Time: 5 * time.Second}))
	require.NoError(t, err)
	t.Cleanup(rt.Close)
	prog, err := rt.Compile("pairs.rnl", src.String())
	require.NoError(t, err)
	in, err := prog.Start(t.Context())
	require.NoError(t, err)
	return in
}

// plainly fails the test for an error that tells a host nothing.
func plainly(t *testing.T, err error, what string) {
	t.Helper()
	for _, bad := range []string{"internal error", "changed by another task", "runtime error", "panic", "reflect:", "reflect."} {
		if err != nil && strings.Contains(err.Error(), bad) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// What a script gives arrives as what it is: given back it shows as before.
func TestEveryTypeOfAScriptGivenToEveryTypeOfGo(t *testing.T) {
	in, works := pairInstance(t), 0
	ctx, text, failed := reflect.TypeFor[context.Context](), reflect.TypeFor[string](), reflect.TypeFor[error]()
	for i, s := range scriptTypes {
		for _, g := range goTypes() {
			what := fmt.Sprintf("%s as %s", s[0], g)
			give := reflect.New(reflect.FuncOf([]reflect.Type{ctx}, []reflect.Type{g, failed}, false))
			if err := in.BindFunc(fmt.Sprint("give", i), give.Interface()); err != nil {
				plainly(t, err, what)
				continue
			}
			out := give.Elem().Call([]reflect.Value{reflect.ValueOf(t.Context())})
			if err, _ := out[1].Interface().(error); err != nil {
				plainly(t, err, what)
				continue
			}
			switch kind, _, _ := strings.Cut(s[0], "<"); kind {
			case "chan", "task", "actor.Ref", "reactive.Cell", "reactive.Store":
				continue // showing it waits, or tells which one it is
			}
			take := reflect.New(reflect.FuncOf([]reflect.Type{ctx, g}, []reflect.Type{text, failed}, false))
			if err := in.BindFunc(fmt.Sprint("take", i), take.Interface()); err != nil {
				plainly(t, err, what+" back")
				continue
			}
			back := take.Elem().Call([]reflect.Value{reflect.ValueOf(t.Context()), out[0]})
			if err, _ := back[1].Interface().(error); err != nil {
				plainly(t, err, what+" back")
				continue
			}
			want, err := in.Call(t.Context(), fmt.Sprint("shown", i))
			require.NoError(t, err, what)
			assert.Equal(t, want, back[0].Interface(), what)
			works++
		}
	}
	assert.Greater(t, works, 100)
}

// What Go gives arrives as what it is, or not at all: given back it is the same.
func TestEveryValueOfGoGivenToEveryTypeOfAScript(t *testing.T) {
	in, works := pairInstance(t), 0
	ctx, failed := reflect.TypeFor[context.Context](), reflect.TypeFor[error]()
	for i, s := range scriptTypes {
		for _, v := range goValues() {
			what := fmt.Sprintf("%T(%.40q) to %s", v, fmt.Sprintf("%T", v), s[0])
			if got, err := in.Call(t.Context(), fmt.Sprint("echo", i), v); err != nil {
				plainly(t, err, what)
			} else if s[0] != "any" && s[0] != "fn()" {
				again, err := in.Call(t.Context(), fmt.Sprint("echo", i), got)
				require.NoError(t, err, what)
				if !isHandle(got) {
					assert.Equal(t, got, again, what)
				}
			}
			if v == nil {
				continue
			}
			g := reflect.TypeOf(v)
			echo := reflect.New(reflect.FuncOf([]reflect.Type{ctx, g}, []reflect.Type{g, failed}, false))
			if err := in.BindFunc(fmt.Sprint("echo", i), echo.Interface()); err != nil {
				plainly(t, err, what)
				continue
			}
			out := echo.Elem().Call([]reflect.Value{reflect.ValueOf(t.Context()), reflect.ValueOf(v)})
			if err, _ := out[1].Interface().(error); err != nil {
				plainly(t, err, what)
				continue
			}
			works++
			if !isHandle(v) && g.Kind() != reflect.Func && v != "häß\xff" {
				again := echo.Elem().Call([]reflect.Value{reflect.ValueOf(t.Context()), out[0]})
				assert.Nil(t, again[1].Interface(), what)
				assert.Equal(t, out[0].Interface(), again[0].Interface(), what)
				if _, nested := v.([][]int); !nested { // nil slices come back empty
					assert.EqualValues(t, v, out[0].Interface(), what)
				}
			}
		}
	}
	assert.Greater(t, works, 50)
}

func isHandle(v any) bool {
	switch v.(type) {
	case *reactive.Store, *actor.Ref, *reactive.Cell[int]:
		return true
	}
	return false
}

// An any that a native of the host gives back is what it was.
func TestEveryValueOfAScriptGivenToGoAsAny(t *testing.T) {
	in := pairInstance(t)
	for i, s := range scriptTypes {
		got, err := in.Call(t.Context(), fmt.Sprint("round", i))
		plainly(t, err, s[0])
		if err == nil {
			require.NotNil(t, got)
		}
	}
}

type anyChan struct {
	pass   func(in *runnel.Instance, fn string) (string, error)
	made   error
	values string
}

func pairChan[T any](t *testing.T, in *runnel.Instance, x T) anyChan {
	ch, err := runnel.NewChan[T](in, 4)
	if err != nil {
		return anyChan{made: err}
	}
	return anyChan{values: fmt.Sprint(x), pass: func(in *runnel.Instance, fn string) (string, error) {
		take, err := runnel.Bind1[*runnel.Chan[T], string](in, fn)
		if err != nil {
			return "", err
		}
		if err := ch.Send(t.Context(), x); err != nil {
			return "", err
		}
		return take(t.Context(), ch)
	}}
}

// A channel that a host makes is of one type, and is taken for no other.
func TestEveryChannelOfAHostGivenToEveryChannelOfAScript(t *testing.T) {
	in := pairInstance(t)
	chans := map[string]anyChan{
		"int": pairChan(t, in, 1), "int8": pairChan(t, in, int8(1)), "str": pairChan(t, in, "Green"), "any": pairChan[any](t, in, "Green"), "point": pairChan(t, in, pairPoint{1, 2}),
		"color": pairChan(t, in, pairColor("Green")), "bytes": pairChan(t, in, []byte("x")), "variant": pairChan(t, in, runnel.Variant{Name: "Green"}), "chan": pairChan(t, in, make(chan int)), "float": pairChan(t, in, 1.5),
	}
	fits := map[string]string{"int": "chan<int>", "int8": "chan<int>", "str": "chan<str>", "any": "chan<any>"}
	for name, ch := range chans {
		if fits[name] == "" {
			require.Error(t, ch.made, name)
			plainly(t, ch.made, name)
			continue
		}
		require.NoError(t, ch.made, name)
		for i, s := range scriptTypes {
			if !strings.HasPrefix(s[0], "chan<") {
				continue
			}
			got, err := ch.pass(in, fmt.Sprint("take", i))
			plainly(t, err, name+" as "+s[0])
			if s[0] == fits[name] {
				require.NoError(t, err, name)
				assert.Equal(t, strings.Trim(ch.values, "{ []}"), got, name)
			} else {
				require.Error(t, err, "%s as %s", name, s[0])
			}
		}
	}
}

// What module host carries is any, whatever other channels the script has.
func TestMessagesOfAScriptWithChannelsOfAllKinds(t *testing.T) {
	in := begin(t, `import host
enum Color { Red, Green }
struct Job { a: chan<str>, b: chan<Color>, c: chan<int> }
pub let job = Job(chan<str>(1), chan<Color>(1), chan<int>(1))
pub fn emit() { host.emit([1, 2]); host.emit(Color.Green); host.emit("text"); host.emit(none) }
pub fn receive() -> any { host.receive() }
`)
	_, err := in.Call(t.Context(), "emit")
	require.NoError(t, err)
	assert.Equal(t, []any{[]any{1, 2}, "Green", "text", nil}, in.Drain())
	for _, x := range []any{7, "Red", []any{1.5}} {
		require.NoError(t, in.Send(t.Context(), x))
		got, err := in.Call(t.Context(), "receive")
		require.NoError(t, err)
		assert.Equal(t, x, got)
	}
}

// A number of Go that an enum has too many variants for is no Go type for it.
func TestAnEnumWithMoreVariantsThanNumbers(t *testing.T) {
	var src strings.Builder
	src.WriteString("pub enum Many { V0")
	for i := range 200 {
		fmt.Fprintf(&src, ", V%d", i+1)
	}
	in := begin(t, src.String()+" }\npub fn last() -> Many { Many.V200 }")
	_, err := runnel.Bind0[int8](in, "last")
	assert.ErrorContains(t, err, "too few numbers for 201 variants")
	last, err := runnel.Bind0[uint8](in, "last")
	require.NoError(t, err)
	n, err := last(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, 200, n)
}
