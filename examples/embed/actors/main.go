// Command actors has a script decide over devices of its host. The devices are
// actors written in Go, the house is an actor of the script, and the host tells and
// asks it. With a seed an evening takes no time.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/reactor/process"
	"github.com/runnel-lang/runnel/stdlib/actor"
)

//go:embed scripts/house.rnl
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
	open, err := runnel.Bind0[*actor.Ref](inst, "open")
	if err != nil {
		return err
	}
	house, err := open(ctx)
	if err != nil {
		return err
	}
	defer house.Release()
	for _, wish := range []any{Warm{"kitchen", 20}, Warm{"attic", 17}} {
		if err := house.Tell(ctx, wish); err != nil {
			return err
		}
	}
	rest, err := runnel.Bind1[time.Duration, runnel.None](inst, "rest")
	if err != nil {
		return err
	}
	for range 3 {
		rooms, err := actor.Ask(ctx, house, func(r *actor.Reply[[]string]) any { return Report{r} })
		if err != nil {
			return err
		}
		fmt.Fprintln(out, rooms)
		if _, err := rest(ctx, 20*time.Minute); err != nil {
			return err
		}
	}
	kitchen, err := actor.Find(inst, "kitchen")
	if err != nil {
		return err
	}
	if err := kitchen.Tell(ctx, Set{Degrees: 200}); err != nil {
		return err
	}
	exit, err := kitchen.Join(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s has ended: %v\n", exit.Name, exit.Err)
	return nil
}

// What the host wants of the house: variants of the script's Wish.
type (
	Warm struct {
		Room    string
		Degrees float64
	}
	Report struct{ Reply *actor.Reply[[]string] }
)

// start offers the devices to the script.
func start(ctx context.Context) (*runnel.Instance, error) {
	devices := runnel.NewModule("devices", "What is in the house.")
	actor.Offer(devices, actor.Native{
		Name:     "thermostat",
		Doc:      "Starts the thermostat of a room.",
		New:      func() process.Process { return &thermostat{is: 16, want: 16} },
		Messages: []any{Set{}, Read{}},
	})
	rt, err := runnel.New(runnel.WithModules(devices), runnel.WithSeed(1))
	if err != nil {
		return nil, err
	}
	prog, err := rt.Compile("house.rnl", script)
	if err != nil {
		return nil, err
	}
	return prog.Start(ctx)
}
