package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/sys"
)

// Config of the service.
type Config struct {
	Name     string
	Server   Server
	Backends []Backend
	Level    Level
	Limits   map[string]int
	Admin    *string // nil where there is none
}

// Server is how the service is reached.
type Server struct {
	Listen  string
	TLS     bool
	Timeout time.Duration
}

// Backend that the service uses.
type Backend struct {
	Name    string
	Address string
	Weight  float64
}

// Level of the log.
type Level string

// Load computes a configuration. The script can compute and include files of
// fsys, and see the variables of env; it has no other way out, and not forever.
func Load(ctx context.Context, fsys fs.FS, name string, env map[string]string) (*Config, error) {
	rt, err := runnel.New(
		runnel.WithModules(sys.Module),
		runnel.WithSources(runnel.FSSources(fsys)),
		runnel.WithHost(runnel.Host{Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}),
		runnel.WithLimits(runnel.Limits{Memory: 32 << 20, Steps: 10_000_000, Time: 5 * time.Second}),
	)
	if err != nil {
		return nil, err
	}
	defer rt.Close()
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	prog, err := rt.Compile(name, string(text))
	if err != nil {
		return nil, err
	}
	inst, err := prog.Start(ctx)
	if err != nil {
		return nil, describe(err)
	}
	var c Config
	return &c, errors.Join(
		read(inst, "name", &c.Name),
		read(inst, "server", &c.Server),
		read(inst, "backends", &c.Backends),
		read(inst, "level", &c.Level),
		read(inst, "limits", &c.Limits),
		read(inst, "admin", &c.Admin),
	)
}

// read sets a value to what the script has under a name.
func read[T any](inst *runnel.Instance, name string, to *T) (err error) {
	*to, err = runnel.Get[T](inst, name)
	return err
}

// describe tells an error with the calls that have led to it, since the mistake
// is often not where it is noticed.
func describe(err error) error {
	var e *runnel.Error
	if !errors.As(err, &e) {
		return err
	}
	text := e.Message
	for _, f := range e.Trace {
		text += fmt.Sprintf("\n  at %s:%d:%d", f.File, f.Line, f.Col)
	}
	return errors.New(text)
}
