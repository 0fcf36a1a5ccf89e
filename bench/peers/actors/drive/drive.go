// Package drive is what the programs share that run an actor library for Go.
package drive

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"
)

// What actors are told and asked, where they take any message.
type (
	// Add adds to the count.
	Add struct{ By int }
	// AddAsk adds to the count and wants it as an answer.
	AddAsk struct{ By int }
	// Ball goes to and fro between two actors.
	Ball struct{}
	// Task is to be answered with Done.
	Task struct{}
	// Done is the answer to a task.
	Done struct{}
)

// Patience is how long to wait for an answer, where there has to be a limit.
const Patience = time.Minute

const (
	// Mailbox is the room of a mailbox that is bounded.
	Mailbox = 1024
	// Pairs is how many pairs play at once.
	Pairs = 8
	// Workers is how many actors get a task at once.
	Workers = 1000
)

// A Library has actors that do the workloads.
type Library interface {
	// Tell has 4 senders tell an actor n messages in all, and gives what the actor counted.
	Tell(n int) int
	// Ask asks an actor n times, one question after the other, and gives the last answer.
	Ask(n int) int
	// Pairs has pairs of actors play, of which one serves a ball and the other one returns it,
	// n times in all. It gives how many were returned.
	Pairs(n int) int
	// Fan has an actor give each of its workers a task, and again when all are answered,
	// n tasks in all. It gives how many answers the actor counted.
	Fan(n int) int
	// Idle starts n actors, which have all received one message when it returns.
	Idle(n int)
}

// Run does what the programs of the other languages do, and prints the same;
// the arguments are a workload and its size.
func Run(l Library, workload, size string) {
	n := Must(strconv.Atoi(size))
	result := n
	start := time.Now()
	switch workload {
	case "tell":
		result = l.Tell(n)
	case "ask":
		result = l.Ask(n)
	case "pairs":
		result = l.Pairs(n)
	case "fan":
		result = l.Fan(n)
	case "idle":
		l.Idle(n)
		fmt.Println("TIME start", time.Since(start).Seconds())
		fmt.Println("IDLE", n)
		bufio.NewReader(os.Stdin).ReadString('\n')
		runtime.KeepAlive(l)
	default:
		panic("there is no workload " + workload)
	}
	fmt.Println("TIME total", time.Since(start).Seconds())
	fmt.Println("RESULT", result)
}

// FromSenders has 4 goroutines send n times in all.
func FromSenders(n int, send func()) {
	const senders = 4
	for range senders {
		go func() {
			for range n / senders {
				send()
			}
		}()
	}
}

// Must returns a value that there has to be.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
