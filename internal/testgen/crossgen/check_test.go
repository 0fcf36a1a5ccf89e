package crossgen_test

import (
	"fmt"
	"strings"

	"github.com/runnel-lang/runnel/internal/testgen/crossgen"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// manyWorkers is how many run tasks at the same time.
const manyWorkers = 8

var full = vm.Limits{Steps: maxSteps, Memory: maxMemory, Stack: 1 << 16}

// check runs a program in all ways; the error says where they differ.
func check(seed uint64, size int) error {
	p := crossgen.New(catalogue, seed, size)
	if err := checkText(p.Text(), seed); err != nil {
		return err
	}
	if err := checkFiles(p.Text(), p.Files()); err != nil {
		return err
	}
	return checkWrapped(p.Text(), p.Wrapped())
}

// checkFiles compares a program with what it is in several files.
func checkFiles(src string, texts map[string]string) error {
	code, err := compile(src, false)
	if err != nil {
		return err
	}
	other, err := compileFiles(texts, false)
	if err != nil {
		return fmt.Errorf("files: %w", err)
	}
	first, err := run(code, 1, paired, full)
	if err != nil {
		return err
	}
	second, err := run(other, manyWorkers, paired, full)
	if err != nil {
		return fmt.Errorf("files: %w", err)
	}
	if err := internal(second); err != nil {
		return fmt.Errorf("files: %w", err)
	}
	if d := outputs(first, second); d != "" {
		return fmt.Errorf("files: %s", d)
	}
	return nil
}

// checkText runs a program as it is: with one worker and with many, encoded and
// decoded, as general code, and with too little of what it needs.
func checkText(src string, seed uint64) error {
	code, err := compile(src, false)
	if err != nil {
		return err
	}
	first, err := run(code, 1, paired, full)
	if err != nil {
		return fmt.Errorf("run: %w", err)
	}
	if err := internal(first); err != nil {
		return err
	}
	again, err := bytecode.Decode(bytecode.Encode(code))
	if err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	plain, err := compile(src, true)
	if err != nil {
		return fmt.Errorf("plain: %w", err)
	}
	for _, way := range []struct {
		name    string
		code    *bytecode.Program
		workers int
		form    form
	}{
		{"many workers", code, manyWorkers, paired},
		{"decoded", again, 1, paired},
		{"plain", plain, 1, unpaired},
		{"machine code", code, 1, machine},
		{"machine code, many workers", code, manyWorkers, machine},
	} {
		got, err := run(way.code, way.workers, way.form, full)
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		if d := differ(first, got); d != "" {
			return fmt.Errorf("%s: %s", way.name, d)
		}
	}
	return checkLimits(code, first, seed)
}

// checkLimits runs a program with too little: it gives the same, or the limit
// is its error.
func checkLimits(code *bytecode.Program, first *outcome, seed uint64) error {
	for _, l := range []vm.Limits{
		{Steps: int64(1 + seed%5_000), Memory: maxMemory, Stack: 1 << 16},
		{Steps: maxSteps, Memory: int64(20_000 + seed*7919%900_000), Stack: 1 << 16},
		{Steps: maxSteps, Memory: maxMemory, Stack: int(60 + seed%300)},
		{Steps: maxSteps, Memory: maxMemory, Stack: 1 << 16, Tasks: int64(1 + seed%4)},
	} {
		got, err := run(code, 1+int(seed&1)*(manyWorkers-1), []form{paired, machine}[seed%2], l)
		if err != nil {
			return fmt.Errorf("limits %+v: %w", l, err)
		}
		if err := internal(got); err != nil {
			return fmt.Errorf("limits %+v: %w", l, err)
		}
		// An actor that meets a limit fails, and who asks it is told so.
		told := strings.Contains(got.out.String()+got.err+got.heard, "exceeded a limit")
		if d := differ(first, got); !got.limited && !told && d != "" {
			return fmt.Errorf("limits %+v: %s %s\n%s", l, d, got.err, got.heard)
		}
	}
	return nil
}

// checkWrapped compares a program with the one whose values take detours.
func checkWrapped(src, wrapped string) error {
	code, err := compile(src, false)
	if err != nil {
		return err
	}
	other, err := compile(wrapped, false)
	if err != nil && strings.HasPrefix(err.Error(), string(diag.ProgramTooLarge)) {
		return nil // the detours of each type are functions of their own
	}
	if err != nil {
		return fmt.Errorf("wrapped: %w", err)
	}
	first, err := run(code, 1, paired, full)
	if err != nil {
		return err
	}
	second, err := run(other, manyWorkers, paired, full)
	if err != nil {
		return fmt.Errorf("wrapped: %w", err)
	}
	if err := internal(second); err != nil {
		return fmt.Errorf("wrapped: %w", err)
	}
	if d := outputs(first, second); d != "" {
		return fmt.Errorf("wrapped: %s", d)
	}
	return nil
}

// internal finds errors that are the implementation's.
func internal(o *outcome) error {
	if m := ours.FindString(o.err + "\n" + o.heard + "\n" + o.out.String()); m != "" {
		return fmt.Errorf("internal error: %s", m)
	}
	return nil
}
