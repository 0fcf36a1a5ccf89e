// Command reactive feeds prices to a script from many goroutines. The script says
// what follows from them; the host hears of it when it has changed.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"log"
	"os"
	"sync"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/reactive"
)

//go:embed scripts/portfolio.rnl
var script string

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	inst, err := start(ctx)
	if err != nil {
		return err
	}
	defer inst.Close()
	advice, err := runnel.Get[*reactive.Value[string]](inst, "advice")
	if err != nil {
		return err
	}
	// Each tick changes what the shares are worth; this is called when the advice
	// is another one.
	stop, err := advice.Subscribe(ctx, func(text string) { fmt.Fprintln(out, text) })
	if err != nil {
		return err
	}
	defer stop()
	for _, day := range days {
		if err := trade(ctx, inst, day); err != nil {
			return err
		}
		if err := reactive.Idle(ctx, inst); err != nil { // the advice of the day has been printed
			return err
		}
	}
	return report(ctx, inst, out)
}

// days are the prices of each share, one tick after the other.
var days = []map[string][]float64{
	{"ADA": {20, 21, 22}, "BEL": {50, 49}, "COP": {8, 9, 8.5, 8}},
	{"ADA": {23, 25, 30}, "BEL": {55, 60, 61}, "COP": {10, 18, 20}},
	{"ADA": {29, 28}, "BEL": {61, 60}, "COP": {19, 12, 7}},
}

// trade has the shares of a day traded at the same time.
func trade(ctx context.Context, inst *runnel.Instance, day map[string][]float64) error {
	quote, err := runnel.Bind1[string, *reactive.Cell[float64]](inst, "quote")
	if err != nil {
		return err
	}
	var feeds sync.WaitGroup
	failed := make(chan error, len(day))
	for symbol, prices := range day {
		price, err := quote(ctx, symbol)
		if err != nil {
			return err
		}
		feeds.Go(func() {
			for _, p := range prices {
				if err := price.Set(ctx, p); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	feeds.Wait()
	close(failed)
	return <-failed
}

// Position is a struct of the script.
type Position struct {
	Symbol       string
	Price, Worth float64
}

func report(ctx context.Context, inst *runnel.Instance, out io.Writer) error {
	positions, err := runnel.Get[*reactive.Value[[]Position]](inst, "positions")
	if err != nil {
		return err
	}
	all, err := positions.Get(ctx)
	if err != nil {
		return err
	}
	for _, p := range all {
		fmt.Fprintf(out, "%s at %.2f: %.2f\n", p.Symbol, p.Price, p.Worth)
	}
	return nil
}

func start(ctx context.Context) (*runnel.Instance, error) {
	rt, err := runnel.New(runnel.WithModules(reactive.Module))
	if err != nil {
		return nil, err
	}
	prog, err := rt.Compile("portfolio.rnl", script)
	if err != nil {
		return nil, err
	}
	return prog.Start(ctx)
}
