package runnel_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/runnel-lang/runnel"
)

// start compiles a script and starts an instance of it. A script is given here
// as text; a host reads it from where it likes.
func start(src string, opts ...runnel.Option) *runnel.Instance {
	rt, err := runnel.New(opts...)
	if err != nil {
		log.Fatal(err)
	}
	prog, err := rt.Compile("script.rnl", src)
	if err != nil {
		log.Fatal(err)
	}
	inst, err := prog.Start(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	return inst
}

// A script is compiled once and may run many times. What it prints goes where
// its host says.
func Example() {
	rt, err := runnel.New(runnel.WithHost(runnel.Host{Stdout: os.Stdout}))
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	prog, err := rt.Compile("greet.rnl", `
		let names = ["ada", "grace"]
		for name in names { print("hello, ${name}") }
	`)
	if err != nil {
		log.Fatal(err)
	}
	if err := prog.NewInstance().Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// hello, ada
	// hello, grace
}

// A program that does not compile gives its diagnostics, as text and as data.
func ExampleCompileError() {
	_, err := runnel.MustNew().Compile("bad.rnl", `let n: int = "three"`)
	var bad *runnel.CompileError
	if errors.As(err, &bad) {
		for _, d := range bad.Diags {
			fmt.Println(d.Code, d.Message)
		}
	}
	// Output:
	// E0301 the value of `n` must be `int`, but this is `str`
}

// An error that a script does not catch has its kind, text and place.
func ExampleError() {
	inst := start(`
pub fn third(xs: [int]) -> int { xs[2] }`)
	defer inst.Close()
	_, err := inst.Call(context.Background(), "third", []int{1, 2})
	var e *runnel.Error
	if errors.As(err, &e) {
		fmt.Println(e.Kind)
		fmt.Println(e.Message)
		fmt.Printf("%s line %d\n", e.Trace[0].File, e.Trace[0].Line)
	}
	// Output:
	// IndexError
	// index 2 is out of range: the list has length 2
	// script.rnl line 2
}

// A public function of a script becomes a Go function. Go structs are bound to
// structs of the script by the names of their fields.
func ExampleBind1() {
	type Order struct {
		Items  []string
		Amount float64
	}
	inst := start(`
		struct Order { items: [str], amount: float }
		pub fn price(o: Order) -> float {
			if o.items.len() >= 3 { o.amount * 0.9 } else { o.amount }
		}
	`)
	defer inst.Close()
	price, err := runnel.Bind1[Order, float64](inst, "price")
	if err != nil {
		log.Fatal(err)
	}
	p, err := price(context.Background(), Order{[]string{"pen", "ink", "paper"}, 20})
	fmt.Println(p, err)
	// Output:
	// 18 <nil>
}

func ExampleBind0() {
	inst := start(`
		var n = 0
		pub fn next() -> int { n += 1; n }
	`)
	defer inst.Close()
	next, err := runnel.Bind0[int](inst, "next")
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	a, _ := next(ctx)
	b, _ := next(ctx)
	fmt.Println(a, b)
	// Output:
	// 1 2
}

// The types are compared when a function is bound, so that a call cannot fail
// for them.
func ExampleBind2() {
	inst := start(`pub fn repeat(text: str, times: int) -> str { text.repeat(times) }`)
	defer inst.Close()
	repeat, err := runnel.Bind2[string, int, string](inst, "repeat")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(repeat(context.Background(), "ab", 3))

	_, err = runnel.Bind2[string, string, string](inst, "repeat")
	fmt.Println(err)
	// Output:
	// ababab <nil>
	// runnel: cannot bind `fn repeat(str, int) -> str`: parameter 2: string is not a Go type for int
}

func ExampleBind3() {
	inst := start(`pub fn clip(x: float, low: float, high: float) -> float { clamp(x, low, high) }`)
	defer inst.Close()
	clip, err := runnel.Bind3[float64, float64, float64, float64](inst, "clip")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(clip(context.Background(), 7, 0, 5))
	// Output:
	// 5 <nil>
}

// BindFunc takes any number of parameters, and names the types once: in the
// variable.
func ExampleInstance_BindFunc() {
	inst := start(`
		pub fn area(width: float, height: float, depth: float, unit: str) -> (float, str) {
			(2 * (width * height + width * depth + height * depth), "${unit}²")
		}
	`)
	defer inst.Close()
	type result struct {
		Area float64
		Unit string
	}
	var area func(ctx context.Context, width, height, depth float64, unit string) (result, error)
	if err := inst.BindFunc("area", &area); err != nil {
		log.Fatal(err)
	}
	r, err := area(context.Background(), 1, 2, 3, "m")
	fmt.Println(r.Area, r.Unit, err)
	// Output:
	// 22 m² <nil>
}

// Call needs no types: structs are maps, lists are slices.
func ExampleInstance_Call() {
	inst := start(`
		struct Point { x: int, y: int }
		pub fn mirror(p: Point) -> Point { Point(p.y, p.x) }
	`)
	defer inst.Close()
	p, err := inst.Call(context.Background(), "mirror", map[string]any{"x": 1, "y": 2})
	fmt.Println(p, err)
	// Output:
	// map[x:2 y:1] <nil>
}

// A context that ends stops the call, wherever it waits.
func ExampleInstance_Call_timeout() {
	inst := start(`pub fn wait() { sleep(1h) }`)
	defer inst.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, err := inst.Call(ctx, "wait")
	fmt.Println(errors.Is(err, context.DeadlineExceeded))
	// Output:
	// true
}

// What a script declares `pub let` or `pub var` can be read: a script is a
// configuration with types.
func ExampleGet() {
	type Server struct {
		Host    string
		Port    int
		Timeout time.Duration
	}
	inst := start(`
		struct Server { host: str, port: int = 80, timeout: duration = 10s }
		pub let servers = ["a", "b"].map(|name| Server("${name}.example.org", timeout: 2s))
	`)
	defer inst.Close()
	servers, err := runnel.Get[[]Server](inst, "servers")
	fmt.Println(servers, err)
	// Output:
	// [{a.example.org 80 2s} {b.example.org 80 2s}] <nil>
}

// Functions of Go are offered in modules.
func ExampleFunc() {
	app := runnel.NewModule("app", "What this program offers.")
	runnel.Func(app, "shout", strings.ToUpper, runnel.Params("text"), runnel.Doc("Makes a text loud."))
	runnel.Func(app, "divide", func(a, b int) (int, error) {
		if b == 0 {
			return 0, errors.New("division by zero")
		}
		return a / b, nil
	})
	inst := start(`
		import app
		print(app.shout(text: "hello"))
		try { app.divide(1, 0) } catch e: HostError { print("error:", e.message()) }
	`, runnel.WithModules(app), runnel.WithHost(runnel.Host{Stdout: os.Stdout}))
	inst.Close()
	// Output:
	// HELLO
	// error: division by zero
}

// Func1 to Func3 make calls without reflection.
func ExampleFunc2() {
	app := runnel.NewModule("app", "")
	runnel.Func2(app, "has", func(text, part string) (bool, error) { return strings.Contains(text, part), nil })
	inst := start(`
		import app
		print(app.has("seafood", "foo"))
	`, runnel.WithModules(app), runnel.WithHost(runnel.Host{Stdout: os.Stdout}))
	inst.Close()
	// Output:
	// true
}

// A function that waits is offered with Blocking: only the task that calls it
// waits, and it is told by its context when the task is cancelled.
func ExampleBlocking() {
	app := runnel.NewModule("app", "")
	runnel.Blocking(app, "fetch", func(ctx context.Context, name string) (string, error) {
		select {
		case <-time.After(time.Millisecond):
			return "page " + name, nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	})
	inst := start(`
		import app
		let pages = ["a", "b"].map(|name| spawn app.fetch(name))
		print(await_all(pages))
	`, runnel.WithModules(app), runnel.WithHost(runnel.Host{Stdout: os.Stdout}))
	inst.Close()
	// Output:
	// ["page a", "page b"]
}

// Account is a type of a host: its scripts hold it and call its methods.
type Account struct {
	owner   string
	balance int
}

// Owner of the account.
func (a *Account) Owner() string { return a.owner }

// Deposit puts money in and gives the balance.
func (a *Account) Deposit(amount int) (int, error) {
	if amount <= 0 {
		return 0, errors.New("a deposit is more than nothing")
	}
	a.balance += amount
	return a.balance, nil
}

// A pointer becomes a handle with methods. A struct would be copied.
func ExampleType() {
	bank := runnel.NewModule("bank", "")
	runnel.Type[*Account](bank)
	inst := start(`
		import bank
		pub fn pay(a: bank.Account) -> str { "${a.owner()} has ${a.deposit(50)}" }
	`, runnel.WithModules(bank))
	defer inst.Close()
	pay, err := runnel.Bind1[*Account, string](inst, "pay")
	if err != nil {
		log.Fatal(err)
	}
	ada := &Account{owner: "ada", balance: 100}
	fmt.Println(pay(context.Background(), ada))
	fmt.Println(ada.balance)
	// Output:
	// ada has 150 <nil>
	// 150
}

// What Go's types do not say is told beside: names of parameters, documentation,
// which methods may wait.
func ExampleMethod() {
	bank := runnel.NewModule("bank", "Accounts.")
	runnel.Type[*Account](bank,
		runnel.Doc("Somebody's money."),
		runnel.Method("Deposit", "Puts money in and gives the balance.", "amount"),
		runnel.Method("Owner", "Who has it."),
	)
	runnel.Func(bank, "open", func(owner string) *Account { return &Account{owner: owner} })
	inst := start(`
		import bank
		print(bank.open("ada").deposit(amount: 50))
	`, runnel.WithModules(bank), runnel.WithHost(runnel.Host{Stdout: os.Stdout}))
	inst.Close()
	// Output:
	// 50
}

// A native knows the instance that it is called by, and can make channels for it.
func ExampleInstanceOf() {
	app := runnel.NewModule("app", "")
	runnel.Func(app, "countdown", func(ctx context.Context, from int) (*runnel.Chan[int], error) {
		ch, err := runnel.NewChan[int](runnel.InstanceOf(ctx), from)
		if err != nil {
			return nil, err
		}
		go func() {
			defer ch.Close()
			for n := from; n > 0 && ch.Send(context.Background(), n) == nil; n-- {
			}
		}()
		return ch, nil
	})
	inst := start(`
		import app
		for n in app.countdown(3) { print(n) }
	`, runnel.WithModules(app), runnel.WithHost(runnel.Host{Stdout: os.Stdout}))
	inst.Close()
	// Output:
	// 3
	// 2
	// 1
}

func ExampleConst() {
	app := runnel.NewModule("app", "")
	runnel.Const(app, "version", "1.2")
	runnel.Const(app, "patience", 3*time.Second)
	inst := start(`
		import app
		print(app.version, app.patience * 2)
	`, runnel.WithModules(app), runnel.WithHost(runnel.Host{Stdout: os.Stdout}))
	inst.Close()
	// Output:
	// 1.2 6s
}

// A channel carries values between goroutines and tasks.
func ExampleNewChan() {
	inst := start(`
		pub fn sum(numbers: chan<int>) -> int {
			var total = 0
			for n in numbers { total += n }
			total
		}
	`)
	defer inst.Close()
	ctx := context.Background()
	numbers, err := runnel.NewChan[int](inst, 10)
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for n := range 5 {
			if err := numbers.Send(ctx, n); err != nil {
				log.Print(err)
			}
		}
		if err := numbers.Close(); err != nil {
			log.Print(err)
		}
	}()
	fmt.Println(inst.Call(ctx, "sum", numbers))
	// Output:
	// 10 <nil>
}

// Messages go both ways through module host.
func ExampleInstance_Outputs() {
	inst := start(`
		import host
		pub fn serve() {
			while let message = host.receive() {
				match message {
					n: int => host.emit(n * n)
					_ => break
				}
			}
		}
	`)
	defer inst.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	server, err := inst.Spawn(ctx, "serve")
	if err != nil {
		log.Fatal(err)
	}
	for _, message := range []any{2, 3, "stop"} {
		if err := inst.Send(ctx, message); err != nil {
			log.Fatal(err)
		}
	}
	if _, err := server.Wait(ctx); err != nil {
		log.Fatal(err)
	}
	n := 0
	for square := range inst.Outputs(ctx) {
		fmt.Println(square)
		if n++; n == 2 {
			break
		}
	}
	// Output:
	// 4
	// 9
}

// Drain takes the messages that are there, without waiting.
func ExampleInstance_Drain() {
	inst := start(`
		import host
		pub fn step(n: int) { for i in 0..n { host.emit(i) } }
	`)
	defer inst.Close()
	for n := range 3 {
		if _, err := inst.Call(context.Background(), "step", n); err != nil {
			log.Fatal(err)
		}
		fmt.Println(inst.Drain())
	}
	// Output:
	// []
	// [0]
	// [0 1]
}

// Spawn does not wait.
func ExampleInstance_Spawn() {
	inst := start(`
		pub fn slow(n: int) -> int { sleep(1ms); n * n }
		pub fn for_ever() {
			defer print("cleaned up")
			loop { sleep(1ms) }
		}
	`, runnel.WithHost(runnel.Host{Stdout: os.Stdout}))
	defer inst.Close()
	ctx := context.Background()
	square, err := inst.Spawn(ctx, "slow", 7)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(square.Wait(ctx))

	endless, err := inst.Spawn(ctx, "for_ever")
	if err != nil {
		log.Fatal(err)
	}
	time.Sleep(5 * time.Millisecond)
	endless.Cancel()
	_, err = endless.Wait(ctx)
	fmt.Println(errors.Is(err, context.Canceled))
	// Output:
	// 49 <nil>
	// cleaned up
	// true
}
