// Command rules judges orders by rules that stand in scripts: every public
// function of a file is one. A file that changes is loaded again while orders are
// judged; as long as it does not compile, its rules stay what they were. A rule
// that takes too long is cut off, and harms no other.
package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/runnel-lang/runnel"
)

//go:embed rules
var scripts embed.FS

var orders = []Order{
	{ID: "A1", Items: []Item{{"pen", 12, 1.5}, {"mug", 2, 9}}, Customer: Customer{Name: "ada", Country: "GB", Orders: 41}},
	{ID: "B2", Items: []Item{{"desk", 1, 240}}, Customer: Customer{Name: "bob", Country: "XX"}, Express: true},
	{ID: "C3", Items: []Item{{"pen", 2, 1.5}}, Customer: Customer{Name: "mallory", Country: "GB", Blocked: true}},
}

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	dir, err := os.MkdirTemp("", "rules")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	rules, err := fs.Sub(scripts, "rules")
	if err != nil {
		return err
	}
	if err := os.CopyFS(dir, rules); err != nil {
		return err
	}
	engine, err := NewEngine(runnel.Limits{Memory: 16 << 20, CallSteps: 100_000, Time: time.Second})
	if err != nil {
		return err
	}
	defer engine.Close()

	fmt.Fprintln(out, "== the rules as they are")
	show(out, engine.Reload(ctx, os.DirFS(dir)))
	judge(ctx, out, engine)

	fmt.Fprintln(out, "== one is mended, another broken")
	edit := func(name, old, new string) error {
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, []byte(strings.Replace(string(text), old, new, 1)), 0o644)
	}
	if err := errors.Join(
		edit("slow.rnl", "while left != 0", "while left > 0"),
		edit("discounts.rnl", "o.customer.orders < 20", "o.customer.order < 20"),
	); err != nil {
		return err
	}
	show(out, engine.Reload(ctx, os.DirFS(dir)))
	judge(ctx, out, engine)
	return nil
}

func judge(ctx context.Context, out io.Writer, engine *Engine) {
	for _, order := range orders {
		verdicts, errs := engine.Judge(ctx, order)
		for _, v := range verdicts {
			fmt.Fprintf(out, "%s %-13s %s (%s)\n", order.ID, v.Rule, v.Action, v.Reason)
		}
		show(out, errs)
	}
}

// show tells the first line of each error.
func show(out io.Writer, errs []error) {
	for _, err := range errs {
		text, _, _ := strings.Cut(err.Error(), "\n")
		fmt.Fprintln(out, "!", text)
	}
}
