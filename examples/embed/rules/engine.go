package main

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"github.com/runnel-lang/runnel"
)

// Order is what rules judge. They see the fields in snake case.
type Order struct {
	ID       string
	Items    []Item
	Customer Customer
	Express  bool
}

// Item of an order.
type Item struct {
	SKU      string
	Quantity int
	Price    float64
}

// Customer who orders.
type Customer struct {
	Name    string
	Country string
	Orders  int `doc:"how many there were before"`
	Blocked bool
}

// Verdict of a rule.
type Verdict struct {
	Action string
	Reason string
	Amount float64
}

// Judgement is a verdict and the rule it comes from.
type Judgement struct {
	Verdict
	Rule string
}

// Engine holds the rules of many files.
type Engine struct {
	rt *runnel.Runtime

	loading sync.Mutex        // held while files are loaded
	tried   map[string]string // text of each file when it was last loaded

	mu    sync.RWMutex // read while an order is judged
	files map[string]*file
}

// file is one whose rules judge.
type file struct {
	inst  *runnel.Instance
	rules []rule
}

type rule struct {
	name  string
	judge func(context.Context, Order) (*Verdict, error)
}

// NewEngine makes one without rules. The limits are those of each file.
func NewEngine(limits runnel.Limits) (*Engine, error) {
	shop := runnel.NewModule("shop", "What rules judge, and what they say.")
	runnel.Type[Item](shop)
	runnel.Type[Customer](shop)
	runnel.Type[Order](shop, runnel.Doc("An order that has just come in."))
	runnel.Type[Verdict](shop)
	rt, err := runnel.New(runnel.WithModules(shop), runnel.WithLimits(limits))
	if err != nil {
		return nil, err
	}
	return &Engine{rt: rt, tried: map[string]string{}, files: map[string]*file{}}, nil
}

// Close ends all rules.
func (e *Engine) Close() { e.rt.Close() }

// Reload loads the files that are new or have changed. Of one with a mistake the
// former rules go on.
func (e *Engine) Reload(ctx context.Context, fsys fs.FS) (errs []error) {
	e.loading.Lock()
	defer e.loading.Unlock()
	names, err := fs.Glob(fsys, "*.rnl")
	if err != nil {
		return []error{err}
	}
	for _, name := range names {
		if err := e.load(ctx, fsys, name); err != nil {
			errs = append(errs, fmt.Errorf("%s stays as it was: %w", name, err))
		}
	}
	return errs
}

func (e *Engine) load(ctx context.Context, fsys fs.FS, name string) error {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	if tried, ok := e.tried[name]; ok && tried == string(text) {
		return nil
	}
	e.tried[name] = string(text)
	prog, err := e.rt.Compile(name, string(text))
	if err != nil {
		return err
	}
	return e.put(ctx, name, prog)
}

// put starts a program and has its rules judge from now on.
func (e *Engine) put(ctx context.Context, name string, prog *runnel.Program) error {
	inst, err := prog.Start(ctx)
	if err != nil {
		return err
	}
	loaded := &file{inst: inst}
	for _, f := range prog.Functions() {
		judge, err := runnel.Bind1[Order, *Verdict](inst, f.Name)
		if err != nil {
			inst.Close()
			return err
		}
		loaded.rules = append(loaded.rules, rule{f.Name, judge})
	}
	e.mu.Lock()
	old := e.files[name]
	e.files[name] = loaded
	e.mu.Unlock()
	if old != nil {
		old.inst.Close()
	}
	return nil
}

// Judge asks every rule. One that fails is an error and no more.
func (e *Engine) Judge(ctx context.Context, order Order) (verdicts []Judgement, errs []error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	for _, name := range slices.Sorted(maps.Keys(e.files)) {
		for _, r := range e.files[name].rules {
			v, err := r.judge(ctx, order)
			switch {
			case err != nil:
				errs = append(errs, fmt.Errorf("rule %s for order %s: %w", r.name, order.ID, err))
			case v != nil:
				verdicts = append(verdicts, Judgement{*v, r.name})
			}
		}
	}
	return verdicts, errs
}
