// Command game has a script decide what the creatures of a world do: the host
// calls it once a frame, and its tasks sleep and wait from frame to frame. With a
// seed every run is the same, and six seconds take no time.
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
	"github.com/runnel-lang/runnel/stdlib/rand"
)

//go:embed scripts/ai.rnl
var script string

func main() {
	if err := run(context.Background(), os.Stdout, 7); err != nil {
		log.Fatal(err)
	}
}

// frameTime is that of 60 frames a second.
const frameTime = time.Second / 60

func run(ctx context.Context, out io.Writer, seed uint64) error {
	world := &World{}
	inst, err := start(ctx, world, seed)
	if err != nil {
		return err
	}
	defer inst.Close()
	frame, err := runnel.Bind2[int, time.Duration, runnel.None](inst, "frame")
	if err != nil {
		return err
	}
	world.Create("sheep", "dolly", 5, 5)
	world.Create("sheep", "shaun", 8, 2)
	began := time.Now()
	const frames = 6 * 60
	for n := range frames {
		if n == 90 {
			for _, command := range []string{"open", "jump"} {
				if err := inst.Send(ctx, command); err != nil {
					return err
				}
			}
		}
		if _, err := frame(ctx, n, frameTime); err != nil {
			return err
		}
		for m := range inst.Outputs(ctx) {
			if m == n { // the script emits the number of the frame at its end
				break
			}
			fmt.Fprintf(out, "%5.2fs %v\n", float64(n)/60, m)
		}
	}
	log.Printf("%v a frame", time.Since(began)/frames) // not to out: it is never the same
	for _, e := range world.Entities() {
		fmt.Fprintln(out, e)
	}
	return nil
}

// start offers the world to the script.
func start(ctx context.Context, world *World, seed uint64) (*runnel.Instance, error) {
	game := runnel.NewModule("game", "The world and what is in it.")
	runnel.Type[*Entity](game,
		runnel.Doc("A creature."),
		runnel.Methods("Kind", "Name", "X", "Y", "Alive", "Distance", "Hurt", "Towards"))
	runnel.Func(game, "entities", world.Entities, runnel.Doc("All that live."))
	runnel.Func(game, "create", world.Create, runnel.Params("kind", "name", "x", "y"))
	rt, err := runnel.New(
		runnel.WithModules(game, rand.Module),
		runnel.WithHost(runnel.Host{RandSeed: func() uint64 { return seed }}),
		runnel.WithSeed(seed),
	)
	if err != nil {
		return nil, err
	}
	prog, err := rt.Compile("ai.rnl", script)
	if err != nil {
		return nil, err
	}
	return prog.Start(ctx)
}
