package main

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/runnel-lang/runnel/internal/testgen/mutate"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

func writeCorpus(path string) (programs int, err error) {
	list, err := mutate.Corpus(*root, *generated)
	if err != nil {
		return 0, err
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(list); err != nil {
		return 0, err
	}
	return len(list), os.WriteFile(path, b.Bytes(), 0o600)
}

func readCorpus(path string) (list [][]byte, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return list, gob.NewDecoder(bytes.NewReader(data)).Decode(&list)
}

// work makes and runs mutants, telling of each before and after.
func work(path string, seed, first, n uint64) error {
	corpus, err := readCorpus(path)
	if err != nil {
		return err
	}
	debug.SetTraceback("single")
	for number := first; number < first+n; number++ {
		fmt.Println("begin", number)
		outcome, err := run(corpus, seed, number)
		switch {
		case outcome == "":
			return err
		case outcome == mutate.Internal:
			text, _, _ := strings.Cut(err.Error(), "\n")
			fmt.Println(outcome, text)
		default:
			fmt.Println(outcome)
		}
		if number%50 == 0 { // a stray pointer ends the process here
			runtime.GC()
		}
	}
	return nil
}

func run(corpus [][]byte, seed, number uint64) (outcome string, err error) {
	p, _, err := mutate.Mutant(corpus, seed, number)
	if err != nil {
		return "", err
	}
	return mutate.Run(p, number%4) // one in four on two workers
}

// keepMutant writes a mutant and what was changed in it to a folder.
func keepMutant(folder, path string, seed, number uint64) error {
	corpus, err := readCorpus(path)
	if err != nil {
		return err
	}
	p, changes, err := mutate.Mutant(corpus, seed, number)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	name := filepath.Join(folder, fmt.Sprintf("%d-%d.rnlc", seed, number))
	fmt.Printf("kept as %s: %s\n", name, strings.Join(changes, ", "))
	return os.WriteFile(name, bytecode.Encode(p), 0o644)
}
