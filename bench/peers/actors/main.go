// Command actors compares Runnel's actors with those of others: the libraries
// hollywood, protoactor-go, GoAkt and go-actor for Go, a goroutine with a
// channel, and Erlang's gen_server, each on one processor and on two:
//
//	go -C bench/peers run ./actors -rounds 5
//
//	tell    4 senders tell an actor to add, so many messages in all; its mailbox has room for 1024 where it is bounded
//	ask     an actor is asked so many questions, one after the other, each with a reply of its own
//	pairs   8 pairs of actors at once: one serves a ball, the other returns it, so many times in all
//	fan     an actor gives each of 1000 others a task, and again when all are answered, so many tasks in all
//	idle    what actors hold that have received one message and wait for the next, and what starting one takes
//
// Each measurement is a process. It takes the time itself, so start-up is not
// in it, and prints a result, which is checked. A round runs all of them once,
// in random order. Printed are medians; a ratio is taken within a round, then
// the median.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

// patience is how long a program may take.
const patience = 3 * time.Minute

// A workload is run with a size, which has to be a multiple.
type workload struct {
	name      string
	operation string
	size      int
	multiple  int
}

var workloads = []*workload{
	{"tell", "a message", 4_000_000, 4},
	{"ask", "a question and its answer", 300_000, 1},
	{"pairs", "a ball there and back", 1_000_000, 8},
	{"fan", "a task and its answer", 1_000_000, 1000},
	{"idle", "starting an actor", 100_000, 1},
}

var workloadNames = []string{"tell", "ask", "pairs", "fan", "idle"}

func main() {
	rounds := flag.Int("rounds", 5, "`number` of rounds")
	for _, w := range workloads {
		flag.IntVar(&w.size, w.name, w.size, "`size` of the workload; 0 leaves it out")
	}
	only := flag.String("only", "", "only these `peers`, separated by commas")
	asJSON := flag.Bool("json", false, "print what was measured as data")
	flag.Parse()
	chosen := strings.FieldsFunc(*only, func(r rune) bool { return r == ',' })
	if err := compare(chosen, max(*rounds, 1), *asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "actors:", err)
		os.Exit(1)
	}
}

func compare(only []string, rounds int, asJSON bool) error {
	for _, w := range workloads {
		if w.size%w.multiple != 0 {
			return fmt.Errorf("the size of %s is a multiple of %d", w.name, w.multiple)
		}
	}
	bin, err := os.MkdirTemp("", "runnel-actors-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	note("building")
	peers, err := buildPeers(bin, only)
	if err != nil {
		return err
	}
	m := newMeter(peers)
	for _, w := range workloads {
		if w.size == 0 {
			continue
		}
		for round := range rounds {
			note("%s, round %d of %d", w.name, round+1, rounds)
			if err := m.round(w); err != nil {
				return err
			}
		}
		if !asJSON {
			report(os.Stdout, m, w)
		}
	}
	if asJSON {
		return results(m).Write(os.Stdout)
	}
	return nil
}

// note tells about progress, beside the tables on standard output.
func note(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
