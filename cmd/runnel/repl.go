package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/cmd/runnel/repl"
	"github.com/runnel-lang/runnel/cmd/runnel/repl/lineedit"
	"github.com/runnel-lang/runnel/internal/docs"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/stdlib/actor"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

// repl runs the REPL.
func (c *cli) repl(args []string) int {
	if len(args) > 0 {
		return c.usage("repl takes no arguments")
	}
	if !isTerminal(c.stdout) || c.race {
		return c.usage("the REPL needs a terminal, and cannot be combined with --race")
	}
	colors := c.colored(c.stdout)
	term, err := lineedit.Open()
	if err != nil {
		return c.problem(err)
	}
	defer term.Close()
	out := host.NewOutput(term.Output())
	c.stderr, c.color = term.Output(), "never"
	if colors {
		c.color = "always"
	}
	e := &engine{c: c, term: term, out: out}
	if err := e.Reset(); err != nil {
		return c.compileError(err)
	}
	defer e.Close()
	repl.Run(repl.Options{
		Engine: e, Terminal: term, Report: e.report, Color: colors, Version: version,
		Taken: c.signals.interruptTaken,
	})
	return int(e.exit.Load())
}

// engine runs the entries of a session.
type engine struct {
	c       *cli
	term    *lineedit.Terminal
	out     *host.Output
	session *runnel.Session
	tap     atomic.Pointer[runnel.Trace] // what is recorded; nil: nothing
	exit    atomic.Int32                 // the code with which the script ends the session
}

// Event is for the trace that is recorded.
func (e *engine) Event(ev vm.Event) {
	if t := e.tap.Load(); t != nil {
		t.Event(ev)
	}
}

// Reset begins again.
func (e *engine) Reset() error {
	if e.session != nil {
		e.session.Close()
	}
	host := all.Host(nil)
	host.Grants = append([]any{e.c}, host.Grants...)
	host.Stdout, host.Stderr, host.Stdin = e.out, e.term.Output(), e.term.Input()
	exit := host.Exit
	host.Exit = func(code int) {
		e.exit.Store(int32(code))
		e.out.Flush()
		e.term.Close() // which ends the session too, unless exit is faster
		exit(code)
	}
	var err error
	e.session, err = e.c.runtime(host, runnel.WithObserver(e), runnel.WithUnhandled(e.lost)).NewSession()
	return err
}

// lost shows the error of a task that nobody can await any more.
func (e *engine) lost(err *vm.Error) { e.c.uncaught(e.session.Program(), err) }

func (e *engine) Eval(ctx context.Context, name, source string) (repl.Result, error) {
	e.c.reported.Store(false) // what is reported now stands below the entry
	res, err := e.session.Eval(ctx, name, source)
	e.out.Flush()
	if err != nil {
		return repl.Result{}, err
	}
	if len(res.Warnings) > 0 {
		e.c.firstWarnings(res.Files, res.Warnings, "")
	}
	return repl.Result{Text: res.Text, Type: res.Type, HasValue: res.Type != "", Reloaded: res.Reloaded}, nil
}

func (e *engine) Reload(ctx context.Context) (repl.Result, error) {
	res, err := e.session.Reload(ctx)
	e.out.Flush()
	return repl.Result{Reloaded: res.Reloaded}, err
}

// report shows an error of an entry.
func (e *engine) report(_ io.Writer, err error) {
	var wrong *runnel.CompileError
	var thrown *vm.Error
	switch {
	case errors.As(err, &wrong):
		e.c.compileError(err)
	case errors.As(err, &thrown):
		e.c.scriptError(e.session.Program(), err)
	default:
		e.c.problem(err)
	}
}

func (e *engine) Incomplete(source string) bool { return syntax.Incomplete(source) }

func (e *engine) Complete(source string, offset int) (list []repl.Completion) {
	for _, x := range e.session.Complete(source, offset) {
		list = append(list, repl.Completion{Start: x.Start, End: x.End, Label: x.Label, Insert: x.Insert, Kind: x.Kind, Detail: x.Detail})
	}
	return list
}

// hintTime bounds how long a key waits for the hint of what is called.
const hintTime = 50 * time.Millisecond

func (e *engine) Signature(source string, offset int) (repl.Signature, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), hintTime)
	defer cancel()
	sig, ok := e.session.Signature(ctx, source, offset)
	if !ok {
		return repl.Signature{}, false
	}
	s := repl.Signature{Label: sig.Label}
	if i := sig.Active; 0 <= i && i < len(sig.Params) {
		s.Start, s.End = sig.Params[i].Start, sig.Params[i].End
	}
	return s, true
}

func (e *engine) TypeOf(source string) (string, error) { return e.session.TypeOf(source) }

// Doc looks a name up in what was entered, in the library and in what is built in.
func (e *engine) Doc(name string) (string, error) {
	rt := e.c.runtime(host.Host{})
	defer rt.Close()
	var modules []string
	for _, m := range all.Modules() {
		modules = append(modules, m.Name)
	}
	entered := rt.Check("session.rnl", e.session.Source()).Program()
	width, _ := e.term.Size()
	return docs.Text(rt, modules, entered, name, docs.Style{Width: width, Color: e.c.color == "always"})
}

func (e *engine) Disassemble(source string) (string, error) {
	var b bytes.Buffer
	err := e.session.Disassemble(&b, source)
	return b.String(), err
}

func (e *engine) Tasks() (list []repl.Task) {
	for _, t := range e.session.Tasks() {
		row := repl.Task{ID: int(t.ID), Func: t.Func, State: t.State}
		if t.Message != "" {
			row.Func += " (handling " + t.Message + ")"
		}
		if t.At.Line > 0 {
			row.Where = t.At.String()
		}
		list = append(list, row)
	}
	return list
}

// Actors returns the tree of actors, with the beginnings of what they hold.
func (e *engine) Actors() (string, error) {
	const shown = 100
	text, err := actor.TreeText(e.session, shown)
	if errors.Is(err, actor.ErrNoActors) {
		return "", nil
	}
	return text, err
}

// Trace records what tasks do.
func (e *engine) Trace(w io.Writer) (stop func() error, err error) {
	t := runnel.NewTrace(w)
	e.tap.Store(t)
	return func() error {
		e.tap.Store(nil)
		return t.Close()
	}, nil
}

func (e *engine) Source() string { return e.session.Source() }

func (e *engine) Close() {
	e.session.Close()
	e.out.Flush()
}
