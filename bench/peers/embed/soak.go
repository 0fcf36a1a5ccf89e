package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/runnel-lang/runnel"
)

// soak compiles and runs a program so many times, and calls a function as often.
func soak(times int) error {
	ctx := context.Background()
	rt := runnelRuntime()
	err := watch("compile, start, call, close", times, func(i int) error {
		program, err := rt.Compile("f.rnl", runnelSource)
		if err != nil {
			return err
		}
		inst, err := program.Start(ctx)
		if err != nil {
			return err
		}
		defer inst.Close()
		return callOnce(ctx, inst, i)
	})
	if err != nil {
		return err
	}
	inst, err := must(rt.Compile("f.rnl", runnelSource)).Start(ctx)
	if err != nil {
		return err
	}
	defer inst.Close()
	f, err := runnel.Bind2[int, int, int](inst, "f")
	if err != nil {
		return err
	}
	return watch("call f", times, func(i int) error { return callAndCheck(ctx, f, i) })
}

func callOnce(ctx context.Context, inst *runnel.Instance, i int) error {
	f, err := runnel.Bind2[int, int, int](inst, "f")
	if err != nil {
		return err
	}
	return callAndCheck(ctx, f, i)
}

func callAndCheck(ctx context.Context, f function, i int) error {
	got, err := f(ctx, i, i)
	if err == nil && got != 3*i {
		err = fmt.Errorf("f(%d, %d) gave %d", i, i, got)
	}
	return err
}

// slack is what the heap may differ by between two looks at it.
const slack = 2 << 20

// watch does something so many times and looks at the heap after each tenth.
// What lives on it, and the goroutines, must not be more than after the first.
func watch(what string, times int, do func(i int) error) error {
	fmt.Printf("| %s, times | HeapInuse | live after a collection | goroutines |\n|---|---|---|---|\n", what)
	var first runtime.MemStats
	var goroutines int
	for tenth := range 10 {
		for i := range times / 10 {
			if err := do(i); err != nil {
				return err
			}
		}
		var busy, idle runtime.MemStats
		runtime.ReadMemStats(&busy)
		runtime.GC()
		runtime.ReadMemStats(&idle)
		fmt.Printf("| %d | %d KB | %d KB | %d |\n", (tenth+1)*(times/10), busy.HeapInuse>>10, idle.HeapAlloc>>10, runtime.NumGoroutine())
		if tenth == 0 {
			first, goroutines = idle, runtime.NumGoroutine()
		}
		if idle.HeapAlloc > first.HeapAlloc+slack || runtime.NumGoroutine() > goroutines+10 {
			return fmt.Errorf("%s: the heap or the number of goroutines grows", what)
		}
	}
	fmt.Println()
	return nil
}
