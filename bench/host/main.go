// Command host is a small program that embeds Runnel, with no module: how large
// it is when compiled is told in README.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/runnel-lang/runnel"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	rt, err := runnel.New()
	if err != nil {
		return err
	}
	program, err := rt.Compile("f.rnl", "pub fn f(a: int, b: int) -> int { a + b * 2 }")
	if err != nil {
		return err
	}
	instance, err := program.Start(ctx)
	if err != nil {
		return err
	}
	defer instance.Close()
	f, err := runnel.Bind2[int, int, int](instance, "f")
	if err != nil {
		return err
	}
	result, err := f(ctx, 1, 2)
	fmt.Println(result)
	return err
}
