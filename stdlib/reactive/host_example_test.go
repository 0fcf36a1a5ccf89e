package reactive_test

import (
	"context"
	"fmt"
	"log"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/reactive"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// bill starts a script with two cells and what is computed from them.
func bill() *runnel.Instance {
	rt, err := runnel.New(runnel.WithModules(reactive.Module))
	check(err)
	prog, err := rt.Compile("bill.rnl", `
		import reactive
		pub let price = reactive.cell(2.5)
		pub let count = reactive.cell(4)
		pub let total = reactive.computed(|| price.get() * float(count.get()))
	`)
	check(err)
	inst, err := prog.Start(context.Background())
	check(err)
	return inst
}

// A host sets cells of a script, and reads what the script computes from them.
func ExampleCell() {
	ctx, inst := context.Background(), bill()
	defer inst.Close()
	price, err := runnel.Get[*reactive.Cell[float64]](inst, "price")
	check(err)
	total, err := runnel.Get[*reactive.Value[float64]](inst, "total")
	check(err)

	check(price.Set(ctx, 3))
	sum, err := total.Get(ctx)
	check(err)
	fmt.Println(sum)
	// Output: 12
}

// A function of the host is called when a wave has changed the value.
func ExampleValue_Subscribe() {
	ctx, inst := context.Background(), bill()
	defer inst.Close()
	count, err := runnel.Get[*reactive.Cell[int]](inst, "count")
	check(err)
	total, err := runnel.Get[*reactive.Value[float64]](inst, "total")
	check(err)

	stop, err := total.Subscribe(ctx, func(sum float64) { fmt.Println("total", sum) })
	check(err)
	check(reactive.Idle(ctx, inst)) // till the subscriber knows
	check(count.Set(ctx, 10))
	check(reactive.Idle(ctx, inst))
	stop()
	// Output:
	// total 10
	// total 25
}

// Several cells change as one: nobody sees the new price with the old count.
func ExampleBatch() {
	ctx, inst := context.Background(), bill()
	defer inst.Close()
	price, err := runnel.Get[*reactive.Cell[float64]](inst, "price")
	check(err)
	count, err := runnel.Get[*reactive.Cell[int]](inst, "count")
	check(err)
	total, err := runnel.Get[*reactive.Value[float64]](inst, "total")
	check(err)

	check(reactive.Batch(ctx, price.To(7), count.To(6)))
	sum, err := total.Get(ctx)
	check(err)
	fmt.Println(sum)
	// Output: 42
}
