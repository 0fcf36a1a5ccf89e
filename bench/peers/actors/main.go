// Command actors compares Runnel's actors with those of others: the libraries
// hollywood and protoactor-go for Go, a goroutine with a channel, and Erlang's
// gen_server, each on one processor and on two:
//
//	go -C bench/peers run ./actors -rounds 5
//
//	tell   4 senders tell an actor to add, so many messages in all; its mailbox has room for 1024 where it is bounded
//	ask    an actor is asked so many questions, one after the other, each with a reply of its own
//	idle   what actors hold that have received one message and wait for the next, and what starting one takes
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

func main() {
	rounds := flag.Int("rounds", 5, "`number` of rounds")
	told := flag.Int("n", 4_000_000, "how many `messages` are told")
	asked := flag.Int("asks", 300_000, "how many `questions` are asked")
	idle := flag.Int("idle", 100_000, "how many `actors` are idle at once")
	only := flag.String("only", "", "only these `peers`, separated by commas")
	flag.Parse()
	workloads := []*workload{{name: "tell", size: *told}, {name: "ask", size: *asked}, {name: "idle", size: *idle}}
	chosen := strings.FieldsFunc(*only, func(r rune) bool { return r == ',' })
	if err := compare(workloads, chosen, max(*rounds, 1)); err != nil {
		fmt.Fprintln(os.Stderr, "actors:", err)
		os.Exit(1)
	}
}

func compare(workloads []*workload, only []string, rounds int) error {
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
		for round := range rounds {
			note("%s, round %d of %d", w.name, round+1, rounds)
			if err := m.round(w); err != nil {
				return err
			}
		}
	}
	report(os.Stdout, m, workloads)
	return nil
}

// note tells about progress, beside the tables on standard output.
func note(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
