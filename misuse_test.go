package runnel_test

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/math"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

// What a host or a script does wrong is told where it is done, and harms
// nothing else.

// begin starts an instance that is closed at the end of the test.
func begin(t *testing.T, src string, opts ...runnel.Option) *runnel.Instance {
	t.Helper()
	return runneltest.Runner{Options: opts}.Start(t, src)
}

func TestABindingThatDoesNotFitIsAnErrorWhenItIsMade(t *testing.T) {
	inst := begin(t, `
		struct Point { x: int, y: int }
		enum Shape { Circle(r: float), Dot }
		pub fn add(a: int, b: int) -> int { a + b }
		pub fn norm(p: Point) -> float { float(p.x * p.x + p.y * p.y) }
		pub fn maybe(n: int?) -> int { n ?? 0 }
		pub fn draw(s: Shape) { print(s) }
		pub fn numbers() -> chan<int> { chan<int>() }
		fn hidden() -> int { secret }
		pub let limit = 3
		let secret = 4
		print(hidden())
	`)
	type point struct{ X, Y int }
	type named struct {
		Name string
		X    int
	}
	bind := func(_ any, err error) error { return err }
	errs := []struct {
		err  error
		text string
	}{
		{bind(runnel.Bind1[int, int](inst, "add")), "cannot bind `fn add(int, int) -> int`: it has 2 parameters, 1 are bound"},
		{bind(runnel.Bind2[int, string, int](inst, "add")), "cannot bind `fn add(int, int) -> int`: parameter 2: string is not a Go type for int"},
		{bind(runnel.Bind2[int, float64, int](inst, "add")), "parameter 2: float64 is not a Go type for int"},
		{bind(runnel.Bind2[int, int, string](inst, "add")), "result: string is not a Go type for int"},
		{bind(runnel.Bind2[int, time.Duration, int](inst, "add")), "time.Duration is not a Go type for int"},
		{bind(runnel.Bind1[named, float64](inst, "norm")), "parameter 1: runnel_test.named has no field for y of Point"},
		{bind(runnel.Bind1[struct{ X int }, float64](inst, "norm")), "has 1 fields, Point has 2"},
		{bind(runnel.Bind1[struct{ X, Y string }, float64](inst, "norm")), "field x: string is not a Go type for int"},
		{bind(runnel.Bind1[*point, float64](inst, "norm")), "*runnel_test.point is not a Go type for Point"},
		{bind(runnel.Bind1[int, int](inst, "maybe")), "int is not a Go type for int?: it needs a pointer, which is nil for none"},
		{bind(runnel.Bind1[string, runnel.None](inst, "draw")), "string is not a Go type for Shape: an enum is a string or an integer type, or a Variant"},
		{bind(runnel.Bind0[chan int](inst, "numbers")), "chan int is not a Go type for chan<int>: a channel is a *Chan[T]"},
		{bind(runnel.Bind0[int](inst, "hidden")), "the function hidden is not public: declare it `pub fn hidden`"},
		{bind(runnel.Bind0[int](inst, "nothing")), "the script has no public function nothing (it has add, norm, maybe, draw, numbers)"},
		{bind(runnel.Bind0[int](inst, "limit")), "limit"},
		{bind(runnel.Get[string](inst, "limit")), "cannot read `limit`: string is not a Go type for int"},
		{bind(runnel.Get[int](inst, "secret")), "the value secret is not public: declare it `pub let secret` or `pub var secret`"},
		{bind(runnel.Get[int](inst, "add")), "the script has no public value add (it has limit)"},
		{bind(runnel.NewChan[[]string](inst, 1)), "the program has no channel for values of Go type []string"},
		{inst.BindFunc("add", 1), "BindFunc needs the address of a variable of a function type, not int"},
		{inst.BindFunc("add", func(int, int) (int, error) { return 0, nil }), "needs the address of a variable"},
		{inst.BindFunc("add", new(func(int) (int, error))), "has 2 parameters"},
		{inst.BindFunc("add", new(func(int, int) int)), "must have an error as its last result"},
		{inst.BindFunc("add", new(func(...int) (int, error))), "variadic"},
		{inst.BindFunc("add", (*func())(nil)), "needs the address of a variable"},
	}
	for _, c := range errs {
		if assert.Error(t, c.err, c.text) {
			assert.Contains(t, c.err.Error(), c.text)
		}
	}
}

func TestCallSaysWhatIsWrongWithAnArgument(t *testing.T) {
	inst := begin(t, `
		struct Point { x: int, y: int? }
		enum Color { Red, Green }
		pub fn add(a: int, b: int) -> int { a + b }
		pub fn at(p: Point) -> int { p.x }
		pub fn paint(c: Color) -> Color { c }
		pub fn each(f: fn(int) -> int) -> int { f(1) }
		pub fn total(xs: [int]) -> int { xs.sum() }
		pub fn small(n: int) -> int { n }
	`)
	call := func(name string, args ...any) error {
		_, err := inst.Call(t.Context(), name, args...)
		return err
	}
	errs := []struct {
		err  error
		text string
	}{
		{call("add", 1), "`fn add(int, int) -> int` has 2 parameters, 1 arguments are given"},
		{call("add", 1, "2"), "argument 2 of add: "},
		{call("add", 1, nil), "argument 2 of add: nil is no int"},
		{call("add", 1, 2.5), "float64 is not a Go type for int"},
		{call("add", uint64(1<<63), 1), "does not fit an int"},
		{call("at", map[string]any{"y": 1}), "the map has no value for x of Point"},
		{call("at", map[string]any{"x": 1, "z": 1}), "Point has no field z"},
		{call("paint", "Blue"), `Color has no variant "Blue"`},
		{call("paint", 7), "Color has no variant number 7"},
		{call("each", func(n int) int { return n }), "a Go function cannot be given to a script as a value: offer it in a module"},
		{call("total", []any{1, "two"}), "string is not a Go type for int"},
		{call("nothing"), "the script has no public function nothing"},
	}
	for _, c := range errs {
		if assert.Error(t, c.err, c.text) {
			assert.Contains(t, c.err.Error(), c.text)
		}
	}
	got, err := inst.Call(t.Context(), "at", map[string]any{"x": 1})
	require.NoError(t, err, "a field that may be missing may be missing")
	assert.Equal(t, 1, got)
	small, err := runnel.Bind1[int, int8](inst, "small")
	require.NoError(t, err)
	_, err = small(t.Context(), 200)
	assert.ErrorContains(t, err, "200 does not fit Go's int8")
}

func TestNoContextIsAContextThatDoesNotEnd(t *testing.T) {
	inst := begin(t, `pub fn one() -> int { sleep(1ms); 1 }`)
	one, err := runnel.Bind0[int](inst, "one")
	require.NoError(t, err)
	for range 2 {
		got, err := one(nil) //nolint:staticcheck // that is the mistake
		require.NoError(t, err)
		assert.Equal(t, 1, got)
	}
}

// ---- what modules of a host can be wrong about ----

func TestAModuleThatIsWrongIsTold(t *testing.T) {
	type inner struct{ Ch chan int }
	cases := []struct {
		make func(m *runnel.Module)
		text string
	}{
		{func(m *runnel.Module) { runnel.Func(m, "f", 3) }, "module app: f: int is no function"},
		{func(m *runnel.Module) { runnel.Func(m, "f", nil) }, "f: <nil> is no function"},
		{func(m *runnel.Module) { runnel.Func(m, "f", func(...int) {}) }, "f: a variadic function cannot be bound"},
		{func(m *runnel.Module) { runnel.Func(m, "f", func(chan int) {}) }, "f: chan int cannot be bound"},
		{func(m *runnel.Module) { runnel.Func(m, "f", func(inner) {}) }, "field Ch of runnel_test.inner: chan int cannot be bound"},
		{func(m *runnel.Module) { runnel.Func(m, "f", func(int) {}, runnel.Params("a", "b")) }, "f: 2 names for 1 parameters"},
		{func(m *runnel.Module) { runnel.Const(m, "c", nil) }, "c: nil is no constant"},
		{func(m *runnel.Module) { runnel.Const(m, "c", []int{1}) }, "c: a []int cannot be a constant"},
		{func(m *runnel.Module) { runnel.Type[*Account](m, runnel.Methods("Steal")) }, "it has no method Steal"},
		{func(m *runnel.Module) { runnel.Func(m, "f", func() {}); runnel.Func(m, "f", func(int) {}) }, "module app has two functions named f"},
		{func(m *runnel.Module) { runnel.Func(m, "Shout", func() {}) }, "Shout"},
		{func(m *runnel.Module) { runnel.Func(m, "match", func() {}) }, "match"},
		{func(m *runnel.Module) { runnel.Func(m, "f", func(int) {}, runnel.Params("in")) }, "in"},
		{func(m *runnel.Module) { runnel.Type[*Account](m, runnel.Name("account")) }, "account"},
	}
	for _, c := range cases {
		app := runnel.NewModule("app", "")
		c.make(app)
		_, err := runnel.New(runnel.WithModules(app))
		if assert.Error(t, err, c.text) {
			assert.Contains(t, err.Error(), c.text)
		}
	}
	_, err := runnel.New(runnel.WithModules(runnel.NewModule("app", ""), runnel.NewModule("app", "")))
	assert.ErrorContains(t, err, "app")
}

func TestAScriptThatMisusesAModuleDoesNotCompile(t *testing.T) {
	bank := runnel.NewModule("bank", "")
	runnel.Type[*Account](bank)
	type order struct {
		Amount int
		Note   *string
	}
	runnel.Type[order](bank, runnel.Name("Order"))
	runnel.Func(bank, "open", func(owner string) *Account { return &Account{owner: owner} }, runnel.Params("owner"))
	runnel.Func(bank, "place", func(o order) int { return o.Amount })
	runnel.Const(bank, "limit", 100)
	rt := runnel.MustNew(runnel.WithModules(bank))
	cases := map[string]string{
		`bank.open(3)`:                             "`str`",
		`bank.open()`:                              "owner",
		`bank.open("a", "b")`:                      "1",
		`let n: int = bank.open("a")`:              "Account",
		`bank.open("a").deposit("x")`:              "`int`",
		`bank.open("a").balance()`:                 "balance",
		`bank.Account()`:                           "Account",
		`bank.place(bank.Order("x", none))`:        "`int`",
		`bank.place(bank.Order(note: "x"))`:        "amount",
		`bank.limit = 3`:                           "limit",
		`bank.shut()`:                              "shut",
		`print(bank.open("a") + 1)`:                "Account",
		`import bank as b` + "\n" + `b.deposit(3)`: "deposit",
	}
	for src, text := range cases {
		_, err := rt.Compile("script.rnl", "import bank\n"+src)
		var bad *runnel.CompileError
		if assert.ErrorAs(t, err, &bad, src) {
			assert.Contains(t, bad.Error(), text, src)
			assert.Contains(t, bad.Error(), "--> script.rnl:", "the mistake is not in the module: %s", src)
		}
	}
}

// ---- errors and panics of natives ----

var errEmpty = errors.New("the account is empty")

type limitError struct{ limit int }

func (e *limitError) Error() string { return fmt.Sprintf("more than %d", e.limit) }

// failing offers functions that fail in every way.
func failing() *runnel.Module {
	m := runnel.NewModule("app", "")
	runnel.Func(m, "empty", func() error { return fmt.Errorf("withdraw: %w", errEmpty) })
	runnel.Blocking(m, "empty_later", func() error { return fmt.Errorf("withdraw: %w", errEmpty) })
	runnel.Func1(m, "limited", func(n int) (int, error) { return 0, &limitError{n} })
	runnel.Func(m, "missing", func() (string, error) { return "", &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist} })
	runnel.Func(m, "crash", func() { panic("broken") })
	runnel.Func(m, "crash_fast", func(n int) int { return []int{1}[n] })
	runnel.Func1(m, "crash_typed", func(n int) (int, error) { return []int{1}[n], nil })
	runnel.Func(m, "crash_slow", func(a, b, c, d int) int { panic(errEmpty) })
	runnel.Blocking(m, "crash_later", func() { panic("broken later") })
	runnel.Func(m, "throw_nil", func() { panic(error(nil)) })
	runnel.Func(m, "exit", func() { runtime.Goexit() })
	return m
}

func TestErrorsOfNativesAreFoundByErrorsIs(t *testing.T) {
	inst := begin(t, `
		import app
		pub fn empty() { app.empty() }
		pub fn later() { app.empty_later() }
		pub fn task() { await spawn { app.empty() } }
		pub fn scoped() { scope { spawn { app.empty_later() } } }
		pub fn thrown_again() { try { app.empty() } catch e: HostError { throw e } }
		pub fn deferred() { defer app.empty() }
		pub fn method() { ["a"].map(|_| app.empty()) }
		pub fn limited() { app.limited(3) }
		pub fn missing() { app.missing() }
		pub fn caught() -> str { try { app.empty(); "" } catch e { e.message() } }
	`, runnel.WithModules(failing()))
	for _, name := range []string{"empty", "later", "task", "scoped", "thrown_again", "deferred", "method"} {
		_, err := inst.Call(t.Context(), name)
		require.ErrorIs(t, err, errEmpty, name)
		var e *runnel.Error
		require.ErrorAs(t, err, &e, name)
		assert.Equal(t, "HostError", e.Kind, name)
		assert.Equal(t, "withdraw: the account is empty", e.Message, name)
		assert.NotEmpty(t, e.Trace, name)
	}
	_, err := inst.Call(t.Context(), "limited")
	var limited *limitError
	require.ErrorAs(t, err, &limited)
	assert.Equal(t, 3, limited.limit)
	_, err = inst.Call(t.Context(), "missing")
	assert.ErrorIs(t, err, fs.ErrNotExist)
	got, err := inst.Call(t.Context(), "caught")
	require.NoError(t, err)
	assert.Equal(t, "withdraw: the account is empty", got)
}

func TestAPanicOfANativeIsAnErrorOfTheScript(t *testing.T) {
	for _, workers := range []int{1, 4} {
		inst := begin(t, `
			import app
			pub fn crash() { app.crash() }
			pub fn fast() { app.crash_fast(1) }
			pub fn typed() { app.crash_typed(1) }
			pub fn slow() { app.crash_slow(1, 2, 3, 4) }
			pub fn later() { app.crash_later() }
			pub fn throw_nil() { app.throw_nil() }
			pub fn in_task() { await spawn { app.crash() } }
			pub fn caught() -> str { try { app.crash(); "" } catch e: HostError { e.message() } }
		`, runnel.WithModules(failing()), runnel.WithWorkers(workers))
		for _, name := range []string{"crash", "fast", "typed", "slow", "later", "throw_nil", "in_task"} {
			for range 3 {
				_, err := inst.Call(t.Context(), name)
				var panicked *host.Panic
				require.ErrorAs(t, err, &panicked, name)
				assert.Contains(t, string(panicked.Stack), "misuse_test.go", name)
				got, err := inst.Call(t.Context(), "caught")
				require.NoError(t, err, "after %s", name)
				assert.Equal(t, "panic: broken", got)
			}
		}
		_, err := inst.Call(t.Context(), "slow")
		assert.ErrorIs(t, err, errEmpty, "a panic with an error")
	}
}

func TestABrokenBodyInAModuleIsToldOnce(t *testing.T) {
	odd := vm.NewModule("odd", "import math\npub fn f() -> int { math.nosuch(1) }\n", math.Module)
	_, err := runnel.MustNew(runnel.WithModules(odd)).Compile("script.rnl", "import odd\nprint(odd.f())")
	var broken *runnel.CompileError
	require.ErrorAs(t, err, &broken)
	require.Len(t, broken.Diags, 1)
	assert.Contains(t, err.Error(), "module `math` has no `nosuch`")
}
