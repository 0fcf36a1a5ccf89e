package mutate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/progen"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Corpus compiles the programs that mutants are made of: the cases of spec, the
// examples, and some that are generated. Large ones are left out.
func Corpus(root string, generated int) ([][]byte, error) {
	rt, err := runnel.New(runnel.WithModules(all.Modules()...), runnel.WithTests())
	if err != nil {
		return nil, err
	}
	const most = 24 << 10
	var list [][]byte
	add := func(name, src string) {
		if p, err := rt.Compile(name, src); err == nil {
			if data := p.Encode(); len(data) < most {
				list = append(list, data)
			}
		}
	}
	for _, pattern := range []string{"spec/tests/*/*.rnl", "examples/*.rnl", "spec/hostile/*.rnl"} {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			add(filepath.Base(path), string(src))
		}
	}
	for i := range generated {
		add(fmt.Sprintf("generated%d.rnl", i), progen.Program(uint64(i)))
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("there are no programs below %s", root)
	}
	return list, nil
}

// natives of the library.
var natives = sync.OnceValue(func() (list []Native) {
	stdlib.Natives(func(name string, sig bytecode.Signature) { list = append(list, Native{name, sig}) })
	return list
})

// Mutant makes the mutant with a number. The same corpus, seed and number give the
// same mutant.
func Mutant(corpus [][]byte, seed, number uint64) (p *bytecode.Program, changes []string, err error) {
	r := rand.New(rand.NewPCG(seed, number))
	p, err = bytecode.Decode(corpus[r.IntN(len(corpus))])
	if err != nil {
		return nil, nil, err
	}
	return p, Program(p, r, natives()), nil
}

// limits are so small that what a program may do it has soon done.
var limits = runnel.Limits{Memory: 4 << 20, Steps: 20_000, Stack: 2048, Tasks: 500}

// patience is how long a program may wait for what never comes.
const patience = 200 * time.Millisecond

// What has become of a mutant.
const (
	Refused  = "refused"  // by the verifier or when it was linked
	Ran      = "ran"      // to its end or an error
	Internal = "internal" // to an internal error, which names a native or a program as the culprit
)

// Run runs a program, its tests and its benchmarks if the verifier accepts it. No
// error of the script matters; what matters is that the process is there afterwards.
// With seed 0 it runs on two workers, else as the seed tells.
func Run(p *bytecode.Program, seed uint64) (outcome string, err error) {
	opts := []runnel.Option{runnel.WithModules(all.Modules()...), runnel.WithLimits(limits)}
	if seed != 0 {
		opts = append(opts, runnel.WithSeed(seed))
	} else {
		opts = append(opts, runnel.WithWorkers(2))
	}
	rt, err := runnel.New(opts...)
	if err != nil {
		return "", err
	}
	prog, err := rt.Decode(bytecode.Encode(p))
	if err != nil {
		return Refused, err
	}
	outcome = Ran
	run := func(f func(ctx context.Context, in *runnel.Instance) error) {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		in := prog.NewInstance()
		defer in.Close()
		var e *runnel.Error
		if failed := f(ctx, in); errors.As(failed, &e) && e.Kind == "InternalError" {
			outcome, err = Internal, failed
		}
	}
	run(func(ctx context.Context, in *runnel.Instance) error { return in.Run(ctx) })
	for i := range prog.Code.Tests {
		run(func(ctx context.Context, in *runnel.Instance) error { return in.RunTest(ctx, i) })
	}
	for i := range prog.Code.Benches {
		run(func(ctx context.Context, in *runnel.Instance) error { return in.RunBench(ctx, i, 2) })
	}
	return outcome, err
}
