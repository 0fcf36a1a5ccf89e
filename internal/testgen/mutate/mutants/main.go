// Command mutants makes changed programs by the thousand and runs those that the
// verifier accepts, in processes of their own: a crash or a hang of one is seen, and
// the program that caused it is kept.
//
//	go run ./internal/testgen/mutate/mutants -n 1000000 -seed 1 -processes 2 -keep found
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sync"
	"time"
)

var (
	count     = flag.Uint64("n", 20_000, "how many mutants to make")
	from      = flag.Uint64("from", 0, "number of the first one")
	seed      = flag.Uint64("seed", 1, "what the mutants are made from")
	budget    = flag.Duration("for", 0, "stop after this time")
	processes = flag.Int("processes", 1, "how many run at a time")
	batch     = flag.Uint64("batch", 2_000, "how many mutants one process takes")
	generated = flag.Int("generated", 200, "how many of the programs are generated")
	root      = flag.String("root", ".", "folder of the repository")
	keep      = flag.String("keep", "", "folder for the programs that crash or hang")
	hang      = flag.Duration("hang", 20*time.Second, "how long one may take")
	worker    = flag.String("worker", "", "corpus of a worker process (started by this command)")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	if *worker != "" {
		if err := work(*worker, *seed, *from, *count); err != nil {
			log.Fatal(err)
		}
		return
	}
	d, err := newDriver()
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(d.dir)
	failed := d.run()
	if failed > 0 {
		os.RemoveAll(d.dir)
		os.Exit(1)
	}
}

// driver shares the numbers among processes and counts what becomes of them.
type driver struct {
	dir    string // for the corpus
	corpus string
	begun  time.Time
	mu     sync.Mutex
	next   uint64
	counts map[string]int
	bad    int
}

func newDriver() (*driver, error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	d := &driver{dir: dir, corpus: filepath.Join(dir, "corpus"), begun: time.Now(), next: *from, counts: map[string]int{}}
	programs, err := writeCorpus(d.corpus)
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	fmt.Printf("%d programs, compiled in %v\n", programs, time.Since(d.begun).Round(time.Millisecond))
	d.begun = time.Now()
	return d, nil
}

// run has all mutants made and gives how many crashed or hung.
func (d *driver) run() int {
	var wg sync.WaitGroup
	for range max(1, *processes) {
		wg.Go(func() {
			for first, n := d.take(); n > 0; first, n = d.take() {
				d.batch(first, n)
			}
		})
	}
	wg.Wait()
	d.report()
	return d.bad
}

// take returns the numbers of the next batch.
func (d *driver) take() (first, n uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if *budget > 0 && time.Since(d.begun) >= *budget {
		return 0, 0
	}
	first = d.next
	n = min(*batch, *from+*count-first)
	d.next += n
	return first, n
}

// batch runs mutants until all have run, going on behind those that end a process.
func (d *driver) batch(first, n uint64) {
	end := first + n
	for first < end {
		last, cause := d.process(first, end-first)
		if cause == "" {
			break
		}
		d.blame(first, last, cause)
		first = last + 1
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.next / *batch % 10 == 0 {
		d.report()
	}
}

func (d *driver) report() {
	made := 0
	for _, what := range []string{"refused", "ran", "internal", "crash", "hang"} {
		made += d.counts[what]
	}
	fmt.Printf("%d mutants: %d refused, %d ran to an end, %d to an internal error; %d crashes, %d hangs; %.0f a second\n",
		made, d.counts["refused"], d.counts["ran"], d.counts["internal"], d.counts["crash"], d.counts["hang"],
		float64(made)/time.Since(d.begun).Seconds())
}

// blame tells of a mutant that ended a process, and keeps it.
func (d *driver) blame(first, last uint64, cause string) {
	alone := true
	if _, again := d.process(last, 1); again == "" {
		alone = false // those before it have their share: running them again shows it
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.bad++
	kind := "crash"
	if cause == hung {
		kind = "hang"
	}
	d.counts[kind]++
	fmt.Printf("%s of mutant %d (alone: %v; its process began at %d):\n%s\n", kind, last, alone, first, cause)
	if *keep != "" {
		if err := keepMutant(*keep, d.corpus, *seed, last); err != nil {
			fmt.Println(err)
		}
	}
}
