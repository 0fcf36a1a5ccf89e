package iopool_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/runnel-lang/runnel/iopool"
)

// Work is done on the goroutines of the pool, and its results are handed to functions.
func Example() {
	pool := iopool.New(iopool.Options{MaxWorkers: 4})
	var mu sync.Mutex
	sum := 0
	for n := range 10 {
		square := func(context.Context) (any, error) { return n * n, nil }
		err := pool.Submit(context.Background(), square, func(value any, err error) {
			mu.Lock()
			defer mu.Unlock()
			sum += value.(int)
		})
		if err != nil {
			fmt.Println(err) // the pool is closed, or its queue full
		}
	}
	_ = pool.Close(context.Background()) // waits for all that was submitted
	fmt.Println(sum)
	// Output: 285
}

// Do waits for work, but no longer than its context lasts.
func ExamplePool_Do() {
	pool := iopool.New(iopool.Options{})
	defer pool.Close(context.Background())

	value, err := pool.Do(context.Background(), func(context.Context) (any, error) { return "done", nil })
	fmt.Println(value, err)

	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, err = pool.Do(ctx, func(ctx context.Context) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	fmt.Println(err)

	_, err = pool.Do(context.Background(), func(context.Context) (any, error) { panic("a mistake") })
	var panicked *iopool.PanicError
	fmt.Println(errors.As(err, &panicked), err)
	// Output:
	// done <nil>
	// context deadline exceeded
	// true panic in blocking work: a mistake
}

// What waits in Go's scheduler, for a channel or a connection, takes no place of others.
func ExamplePool_Park() {
	pool := iopool.New(iopool.Options{MaxWorkers: 1})
	message, received := make(chan string), make(chan any)
	wait := func(context.Context) (any, error) { return <-message, nil }
	if err := pool.Park(context.Background(), wait, func(value any, _ error) { received <- value }); err != nil {
		fmt.Println(err)
	}
	value, _ := pool.Do(context.Background(), func(context.Context) (any, error) { return "beside it", nil })
	fmt.Println(value)
	message <- "a message"
	fmt.Println(<-received)
	// Output:
	// beside it
	// a message
}

// Pools that share a limiter do no more at the same time than it admits.
func ExampleLimit() {
	one := iopool.NewLimiter(1)
	var pools [2]*iopool.Pool
	running, most := 0, 0 // nobody else touches them meanwhile
	count := func(context.Context) (any, error) {
		running++
		most = max(most, running)
		time.Sleep(time.Millisecond)
		running--
		return nil, nil
	}
	for i := range pools {
		pools[i] = iopool.New(iopool.Options{})
		for range 5 {
			_ = pools[i].Submit(context.Background(), iopool.Limit(count, one), func(any, error) {})
		}
	}
	for _, pool := range pools {
		_ = pool.Close(context.Background())
	}
	fmt.Println("at most", most)
	// Output: at most 1
}
