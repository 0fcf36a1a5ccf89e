package runnel_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"testing/fstest"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/fs"
	"github.com/runnel-lang/runnel/stdlib/math"
	"github.com/runnel-lang/runnel/stdlib/sys"
)

// A script reaches what its host grants, and nothing else.
func ExampleWithHost() {
	env := map[string]string{"MODE": "test"}
	host := runnel.Host{
		Stdout: os.Stdout,
		Args:   []string{"one", "two"},
		Env:    func(name string) (string, bool) { v, ok := env[name]; return v, ok },
	}
	inst := start(`
		import sys
		print(sys.args, sys.env("MODE"), sys.env("HOME"))
		try { sys.exit(0) } catch e: IoError { print(e.kind) }
	`, runnel.WithModules(sys.Module), runnel.WithHost(host))
	inst.Close()
	// Output:
	// ["one", "two"] test none
	// NotGranted
}

// A limit that is reached ends what runs, with an error that the script cannot
// catch. The host goes on, and so does the instance.
func ExampleWithLimits() {
	inst := start(`
		pub fn grow() { let xs = [0]; loop { xs.extend(xs.copy()) } }
		pub fn spin() { try { loop {} } catch e { print("never") } }
		pub fn fine() -> str { "still here" }
	`, runnel.WithLimits(runnel.Limits{Memory: 8 << 20, Steps: 1e6, Time: time.Minute}))
	defer inst.Close()
	ctx := context.Background()
	for _, name := range []string{"grow", "spin", "fine"} {
		result, err := inst.Call(ctx, name)
		var e *runnel.Error
		if errors.As(err, &e) {
			fmt.Println(name, e.Message)
		} else {
			fmt.Println(name, result)
		}
	}
	// Output:
	// grow the memory limit of 8 MiB is reached
	// spin the limit of 1000000 steps is reached
	// fine still here
}

// Tenants share a program, not what it may reach and use.
func ExampleProgram_With() {
	rt := runnel.MustNew()
	defer rt.Close()
	prog, err := rt.Compile("plugin.rnl", `
		pub fn work(n: int) -> int { (0..n).fold(0, |sum, i| sum + i) }
	`)
	if err != nil {
		log.Fatal(err)
	}
	for _, tenant := range []struct {
		name  string
		steps int64
	}{{"small", 1000}, {"large", 1_000_000}} {
		inst, err := prog.With(runnel.WithLimits(runnel.Limits{CallSteps: tenant.steps})).Start(context.Background())
		if err != nil {
			log.Fatal(err)
		}
		_, err = inst.Call(context.Background(), "work", 10_000)
		fmt.Println(tenant.name, err == nil)
		inst.Close()
	}
	// Output:
	// small false
	// large true
}

// A process is a program that runs by itself and is known by its PID.
func ExampleRuntime_Spawn() {
	rt := runnel.MustNew()
	defer rt.Close()
	prog, err := rt.Compile("counter.rnl", `
		import host
		pub fn count(word: str) -> int {
			var n = 0
			while let text = host.receive() {
				if text == "" { break }
				if text == word { n += 1 }
			}
			n
		}
	`)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	pid, err := rt.Spawn(ctx, prog, "count", "go")
	if err != nil {
		log.Fatal(err)
	}
	for _, word := range []string{"ready", "steady", "go", ""} {
		if err := rt.Send(ctx, pid, word); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(rt.Wait(ctx, pid))
	// Output:
	// 1 <nil>
}

// Files come from wherever package io/fs reads.
func ExampleReadFiles() {
	files := fstest.MapFS{"greeting.txt": {Data: []byte("hello")}}
	inst := start(`
		import fs
		print(fs.read("greeting.txt"))
		try { fs.write("greeting.txt", "") } catch e: IoError { print(e.kind) }
	`, runnel.WithModules(fs.Module), runnel.WithHost(runnel.Host{FS: runnel.ReadFiles(files), Stdout: os.Stdout}))
	inst.Close()
	// Output:
	// hello
	// Permission
}

// Without WithModules a script can import nothing but host.
func ExampleWithModules() {
	inst := start(`
		import math
		print(math.sqrt(2.0))
	`, runnel.WithModules(math.Module), runnel.WithHost(runnel.Host{Stdout: os.Stdout}))
	inst.Close()
	// Output:
	// 1.4142135623730951
}

// Under a seed tasks take turns as the number decides, every time in the same
// way, and sleeping takes no time.
func ExampleWithSeed() {
	const src = `
		pub fn order() -> str {
			let out = chan<str>(3)
			for name in ["a", "b", "c"] { spawn { sleep(1h); out.send(name) } }
			[0, 1, 2].map(|_| out.recv()!).join(" ")
		}
	`
	for _, seed := range []uint64{1, 1, 2, 2} {
		inst := start(src, runnel.WithSeed(seed))
		fmt.Println(inst.Call(context.Background(), "order"))
		inst.Close()
	}
	// Output:
	// a b c <nil>
	// a b c <nil>
	// a c b <nil>
	// a c b <nil>
}

// Imported files come from where the host says.
func ExampleWithSources() {
	files := fstest.MapFS{
		"lib/geo.rnl": {Data: []byte(`pub fn area(w: float, h: float) -> float { w * h }`)},
	}
	inst := start(`
		import "./lib/geo"
		pub fn double(w: float, h: float) -> float { 2 * geo.area(w, h) }
	`, runnel.WithSources(runnel.FSSources(files)))
	defer inst.Close()
	fmt.Println(inst.Call(context.Background(), "double", 2.0, 3.0))
	// Output:
	// 12 <nil>
}
