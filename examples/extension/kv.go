// Package kv is an extension of Runnel as anybody may write one: stores of keys
// and values that a program's scripts share, offered as module kv.
//
//	rt, err := runnel.New(runnel.WithModules(kv.Module()))
//
// A script uses it as if it were of the language:
//
//	import kv
//	let s = kv.open("users")
//	defer s.close()
//	s.set("ada", "36")
//	print(s.get("ada") ?? "nobody")
package kv

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/runnel-lang/runnel"
)

// What can go wrong, for hosts that ask with errors.Is.
var (
	ErrClosed = errors.New("the store is closed")
	ErrKey    = errors.New("not a key")
)

// MaxKey is how long a key may be.
const MaxKey = 64

// Entry of a store. Scripts get copies.
type Entry struct {
	Key     string `doc:"at most max_key long, without spaces"`
	Value   string
	Version int `doc:"how often the key has been set"`
}

// Store holds values by their keys. It may be used by many at once.
type Store struct {
	name string

	mu       sync.Mutex
	entries  map[string]Entry
	watchers []*watcher
	changed  chan struct{} // closed by the next change, or when the store is
	closed   bool
}

// watcher is somebody who waits for changes.
type watcher struct{ missed []Entry }

// Open makes a store.
func Open(name string) *Store {
	return &Store{name: name, entries: map[string]Entry{}, changed: make(chan struct{})}
}

// ValidKey reports whether a text may be a key.
func ValidKey(key string) bool {
	return key != "" && len(key) <= MaxKey && !strings.ContainsAny(key, " \t\n")
}

// Get returns the value of a key, nil if there is none.
func (s *Store) Get(key string) (*string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, s.failed(ErrClosed)
	}
	if e, ok := s.entries[key]; ok {
		return &e.Value, nil
	}
	return nil, nil
}

// Set gives a key a value, and its new version.
func (s *Store) Set(key, value string) (int, error) {
	if !ValidKey(key) {
		return 0, s.failed(fmt.Errorf("%w: %q", ErrKey, key))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, s.failed(ErrClosed)
	}
	e := Entry{key, value, s.entries[key].Version + 1}
	s.entries[key] = e
	close(s.changed)
	s.changed = make(chan struct{})
	for _, w := range s.watchers {
		w.missed = append(w.missed, e)
	}
	return e.Version, nil
}

// Entries are those whose keys begin with a prefix, by their keys.
func (s *Store) Entries(prefix string) []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list(prefix)
}

func (s *Store) list(prefix string) []Entry {
	var found []Entry
	for _, key := range slices.Sorted(maps.Keys(s.entries)) {
		if strings.HasPrefix(key, prefix) {
			found = append(found, s.entries[key])
		}
	}
	return found
}

// Wait returns the value of a key as soon as it has one.
func (s *Store) Wait(ctx context.Context, key string) (string, error) {
	for {
		s.mu.Lock()
		e, ok := s.entries[key]
		changed, closed := s.changed, s.closed
		s.mu.Unlock()
		switch {
		case ok:
			return e.Value, nil
		case closed:
			return "", s.failed(ErrClosed)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// Watch sends what there is, and then every change, to a channel of the script.
// It goes on until the store is closed, and closes the channel then.
func (s *Store) Watch(ctx context.Context, to *runnel.Chan[Entry]) error {
	defer to.Release()
	s.mu.Lock()
	w := &watcher{s.list("")}
	s.watchers = append(s.watchers, w)
	s.mu.Unlock()
	defer s.forget(w)
	for {
		s.mu.Lock()
		missed, changed, closed := w.missed, s.changed, s.closed
		w.missed = nil
		s.mu.Unlock()
		for _, e := range missed {
			if err := to.Send(ctx, e); err != nil {
				return err // it has been closed, or nobody waits for us any more
			}
		}
		if closed {
			return to.Close()
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *Store) forget(w *watcher) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watchers = slices.DeleteFunc(s.watchers, func(x *watcher) bool { return x == w })
}

// Close ends the store and all who wait for it. Closing it again does nothing.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		close(s.changed)
	}
	return nil
}

func (s *Store) failed(err error) error { return fmt.Errorf("store %s: %w", s.name, err) }

// Module offers all this to scripts. Each runtime may have its own.
func Module() *runnel.Module {
	m := runnel.NewModule("kv", "Stores of keys and values.")
	runnel.Const(m, "max_key", MaxKey, runnel.Doc("How long a key may be."))
	runnel.Const(m, "patience", 5*time.Second, runnel.Doc("How long to wait for others, as a rule."))
	runnel.Type[Entry](m, runnel.Doc("A key, its value, and how often it has been set."))
	runnel.Type[*Store](m,
		runnel.Doc("A store that tasks share. Close it when you are done."),
		runnel.BlockingMethods("Wait", "Watch"),
		runnel.Method("Get", "The value of a key, or none.", "key"),
		runnel.Method("Set", "Gives a key a value. The result is its version: 1 for a new key.", "key", "value"),
		runnel.Method("Entries", "Those whose keys begin with a prefix, by their keys.", "prefix"),
		runnel.Method("Wait", "The value of a key, as soon as it has one.", "key"),
		runnel.Method("Watch", "Sends what there is, and then every change, until the store is closed; then it closes the channel. Spawn it.", "to"),
		runnel.Method("Close", "Ends the store and all who wait for it."),
	)
	runnel.Func(m, "open", Open, runnel.Params("name"), runnel.Doc("Makes a store; the name is for messages."))
	runnel.Func(m, "valid_key", ValidKey, runnel.Params("key"), runnel.Doc("Whether a text may be a key."))
	return m
}
