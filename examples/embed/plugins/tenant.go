package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/fs"
	"github.com/runnel-lang/runnel/stdlib/sys"
	"github.com/runnel-lang/runnel/vm"
)

// Tenant is the plugin of somebody. It handles one event at a time.
type Tenant struct {
	Name string

	root *os.Root
	prog *runnel.Program

	mu      sync.Mutex
	inst    *runnel.Instance
	handle  func(context.Context, string) (string, error)
	metrics Metrics
}

// Metrics of a tenant: what it has done since it was made, and what it uses now.
type Metrics struct {
	Events, Failed int
	Tasks, Jobs    int64
	Now            vm.Usage
}

// NewRuntime offers what plugins may import. What that reaches is up to their
// tenants.
func NewRuntime() (*runnel.Runtime, error) {
	return runnel.New(runnel.WithModules(fs.Module, sys.Module))
}

// NewTenant starts a plugin that sees the folder of its name in dir, and nothing
// else of the machine.
func NewTenant(ctx context.Context, rt *runnel.Runtime, name, script, dir string, limits runnel.Limits) (*Tenant, error) {
	prog, err := rt.Compile(name+".rnl", script)
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(dir, name)
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	t := &Tenant{Name: name, root: root, prog: prog.With(
		runnel.WithHost(runnel.Host{FS: runnel.Directory(root)}),
		runnel.WithLimits(limits),
	)}
	if err := t.start(ctx); err != nil {
		root.Close()
		return nil, fmt.Errorf("plugin %s: %w", name, err)
	}
	return t, nil
}

func (t *Tenant) start(ctx context.Context) (err error) {
	if t.inst, err = t.prog.Start(ctx); err != nil {
		return err
	}
	if t.handle, err = runnel.Bind1[string, string](t.inst, "handle"); err != nil {
		t.inst.Close()
	}
	return err
}

// Close ends the plugin and all its tasks.
func (t *Tenant) Close() {
	t.inst.Close()
	t.root.Close()
}

// Handle has the plugin handle an event. After a limit it begins again: what it
// has kept, and its tasks, are gone.
func (t *Tenant) Handle(ctx context.Context, event string) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.metrics.Events++
	answer, err := t.handle(ctx, event)
	if err == nil {
		return answer, nil
	}
	t.metrics.Failed++
	var e *runnel.Error
	if errors.As(err, &e) && e.Limit != 0 {
		t.inst.Close()
		t.metrics.add(t.inst.Stats())
		return "", errors.Join(err, t.start(ctx))
	}
	return "", err
}

// Metrics tells what the plugin has done.
func (t *Tenant) Metrics() Metrics {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.metrics
	m.add(t.inst.Stats())
	m.Now = t.inst.Usage()
	return m
}

// add counts what an instance has done.
func (m *Metrics) add(s vm.Stats) {
	m.Tasks += s.Spawned
	m.Jobs += s.Jobs
}
