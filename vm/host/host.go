// Package host is what an instance may reach outside of itself: streams, clocks, the
// environment, and file systems with their bounds. It knows nothing of scripts.
package host

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"time"
)

// Host is what an instance may reach outside of itself: each field is a
// capability that the embedding program grants by setting it. The zero Host
// grants nothing, and a script that asks for what it was not granted gets an
// IoError. An instance keeps a copy, so changing it later has no effect.
type Host struct {
	// Stdout and Stderr take what the script prints; nil drops it. Tasks write
	// in parallel: NewOutput makes any writer safe for that.
	Stdout io.Writer
	Stderr io.Writer
	// Stdin is what module io reads; nil is not granted.
	Stdin io.Reader
	// Args are the script's own arguments, without the names of program and script.
	Args []string
	// Env looks an environment variable up; nil is not granted.
	Env func(name string) (value string, ok bool)
	// Now is the wall clock; nil is not granted.
	Now func() time.Time
	// Mono is a clock that never goes back; nil is not granted.
	Mono func() time.Duration
	// Location is the local time zone; nil means UTC.
	Location *time.Location
	// RandSeed gives the seed of the default random generator; with nil it is
	// the same in every run.
	RandSeed func() uint64
	// FS is the file system; nil is not granted.
	FS FileSystem
	// Exit ends the process; nil is not granted. It does not return.
	Exit func(code int)
	// Grants are the capabilities that modules ask for by their Go type: a
	// net.Network of package stdlib/net, a process.Runner of stdlib/process.
	Grants []any
}

// System grants everything the process has: its streams, environment,
// clocks, files, and the right to exit. The caller flushes Stdout (an *Output)
// before the process ends.
func System(args []string) Host {
	stdout := NewOutput(os.Stdout)
	start := time.Now()
	return Host{
		Stdout:   stdout,
		Stderr:   NewUnbufferedOutput(os.Stderr),
		Stdin:    flushingReader{os.Stdin, stdout},
		Args:     args,
		Env:      os.LookupEnv,
		Now:      time.Now,
		Mono:     func() time.Duration { return time.Since(start) },
		Location: time.Local,
		RandSeed: rand.Uint64,
		FS:       SystemFS{},
		Exit: func(code int) {
			stdout.Flush()
			os.Exit(code)
		},
	}
}

// virtualStart is when the virtual clock of a deterministic run begins.
var virtualStart = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// UseClock replaces the granted clocks by one that begins at virtualStart, for runs that
// repeat.
func (h *Host) UseClock(now func() time.Duration) {
	if h.Mono != nil {
		h.Mono = now
	}
	if h.Now != nil {
		h.Now = func() time.Time { return virtualStart.Add(now()) }
	}
}

// ErrNotGranted is what the errors of a capability wrap that refuses something.
var ErrNotGranted = errors.New("the host does not grant it")
