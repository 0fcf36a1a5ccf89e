// Package host defines what an instance can reach outside itself: streams,
// clocks, the environment, and confined file systems. It knows nothing about
// scripts.
package host

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"time"
)

// Host is what an instance can reach outside itself: each field is a capability
// that the embedding program grants by setting it. The zero Host grants
// nothing; using anything that was not granted is an IoError in the script. An
// instance keeps a copy, so later changes have no effect.
type Host struct {
	// Stdout and Stderr receive what the script prints; nil discards it. Tasks
	// write in parallel: NewOutput makes any writer safe for that.
	Stdout io.Writer
	Stderr io.Writer
	// Stdin is what module io reads; nil means not granted.
	Stdin io.Reader
	// Args are the script's own arguments, without the names of the program and the script.
	Args []string
	// Env looks up an environment variable; nil means not granted.
	Env func(name string) (value string, ok bool)
	// Now is the wall clock; nil means not granted.
	Now func() time.Time
	// Mono is a monotonic clock; nil means not granted.
	Mono func() time.Duration
	// Location is the local time zone; nil means UTC.
	Location *time.Location
	// RandSeed returns the seed of the default random generator; with nil it is the same in every run.
	RandSeed func() uint64
	// FS is the file system; nil means not granted.
	FS FileSystem
	// Exit ends the process and does not return; nil means not granted.
	Exit func(code int)
	// Grants are the capabilities that modules look up by Go type: a
	// net.Network for package stdlib/net, a process.Runner for stdlib/process.
	Grants []any
}

// System grants everything the process has: its streams, environment, clocks,
// files, and the right to exit. The caller must flush Stdout (an *Output)
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

// UseClock replaces the granted clocks with one that starts at virtualStart, for reproducible runs.
func (h *Host) UseClock(now func() time.Duration) {
	if h.Mono != nil {
		h.Mono = now
	}
	if h.Now != nil {
		h.Now = func() time.Time { return virtualStart.Add(now()) }
	}
}

// ErrNotGranted is wrapped by the errors of a capability that refuses something.
var ErrNotGranted = errors.New("the host does not grant it")
