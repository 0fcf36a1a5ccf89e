package repl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/runnel-lang/runnel/cmd/runnel/repl/lineedit"
)

// patience is how long tasks have to end when the process is asked to end.
const patience = 2 * time.Second

// heedSignals returns the interrupts of the user. When the process is asked to end
// it leaves the terminal as it was.
func heedSignals(t *lineedit.Terminal, e Engine) (interrupts <-chan os.Signal, stop func()) {
	presses, ends := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(presses, os.Interrupt)
	signal.Notify(ends, syscall.SIGTERM, syscall.SIGHUP)
	over := make(chan struct{})
	go func() {
		select {
		case s := <-ends:
			t.Close()
			closing := make(chan struct{})
			go func() { e.Close(); close(closing) }()
			select {
			case <-closing:
			case <-time.After(patience):
			}
			code := 1
			if number, ok := s.(syscall.Signal); ok {
				code = 128 + int(number)
			}
			os.Exit(code)
		case <-over:
		}
	}()
	return presses, func() {
		signal.Stop(presses)
		signal.Stop(ends)
		close(over)
	}
}

// outcome is how an entry ended.
type outcome struct {
	result Result
	err    error
	took   time.Duration
}

// evalEntry runs what the user has entered.
func (s *shell) evalEntry(source string) {
	s.entries++
	s.eval(fmt.Sprintf("entry %d", s.entries), source, s.timing)
}

// meantCommand tells of a command where an entry that failed is what other
// sessions are left or asked for help by.
func (s *shell) meantCommand(source string) {
	switch strings.TrimSuffix(strings.TrimSpace(source), "()") {
	case "exit", "quit":
		s.hint("type `:quit` or Ctrl-D to quit")
	case "help":
		s.hint("type `:help` for a list of commands")
	}
}

// eval runs an entry and shows what it gives.
func (s *shell) eval(name, source string, timing bool) {
	o, ended := s.foreground(func(ctx context.Context) (Result, error) { return s.engine.Eval(ctx, name, source) })
	if !ended {
		s.hint("abandoned: it keeps running, and :tasks shows it")
		return
	}
	s.out.FreshLine()
	s.tellReloaded(o.result)
	switch {
	case errors.Is(o.err, context.Canceled):
		s.hint("cancelled")
	case o.err != nil:
		s.report(s.out, o.err)
		s.meantCommand(source)
	case o.result.HasValue:
		s.show(o.result)
	}
	if timing {
		s.hint("took " + roundedTime(o.took))
	}
}

// foreground runs f while the terminal is the script's. The first interrupt
// cancels it, unless the script heeds that itself; when it does not end the next
// one says so, and the one after that abandons it.
func (s *shell) foreground(f func(context.Context) (Result, error)) (o outcome, ended bool) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.drainInterrupts()
	done := make(chan outcome, 1)
	begin := time.Now()
	go func() {
		result, err := f(ctx)
		done <- outcome{result, err, time.Since(begin)}
	}()
	for presses, excused := 0, false; ; {
		select {
		case o := <-done:
			return o, true
		case <-s.interrupts:
			fmt.Fprintln(s.out) // the terminal has shown ^C
			if !excused && s.taken != nil && s.taken() {
				excused = true
				continue
			}
			switch presses++; presses {
			case 1:
				cancel()
			case 2:
				s.hint("cancelled, but a `defer` is still running: Ctrl-C again abandons it")
			default:
				return outcome{}, false
			}
		}
	}
}

// drainInterrupts forgets those that came when nothing ran.
func (s *shell) drainInterrupts() {
	for {
		select {
		case <-s.interrupts:
		default:
			return
		}
	}
}

// roundedTime keeps three or four digits.
func roundedTime(d time.Duration) string {
	unit := time.Nanosecond
	for unit*10000 < d {
		unit *= 10
	}
	return d.Round(unit).String()
}
