package process

import (
	"errors"
	"strconv"
	"strings"
	"sync"
)

// PID identifies a process and is never reused: a slot in the low half, the
// slot's generation in the high half. 0 is no process.
type PID uint64

// String returns slot and generation, as "7.1".
func (p PID) String() string {
	return strconv.FormatUint(uint64(uint32(p)), 10) + "." + strconv.FormatUint(uint64(p>>32), 10)
}

// ParsePID reads what String wrote.
func ParsePID(text string) (PID, error) {
	slot, generation, _ := strings.Cut(text, ".")
	i, err1 := strconv.ParseUint(slot, 10, 32)
	g, err2 := strconv.ParseUint(generation, 10, 32)
	if p := PID(g<<32 | i); err1 == nil && err2 == nil && p.String() == text {
		return p, nil
	}
	return 0, errors.New("not a process identifier: " + strconv.Quote(text))
}

// MarshalText makes a PID a string in JSON.
func (p PID) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText is the reverse of MarshalText.
func (p *PID) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePID(string(text))
	return err
}

// Registry assigns PIDs. A message or completion for a process that has ended
// finds nothing, even if its slot has been reused.
type Registry[T any] struct {
	mu    sync.RWMutex
	slots []slot[T]
	free  []uint32
	n     int
}

type slot[T any] struct {
	generation uint32
	used       bool
	value      T
}

// Add adds a value, which make makes from its PID.
func (r *Registry[T]) Add(make func(PID) T) T {
	r.mu.Lock()
	defer r.mu.Unlock()
	var i uint32
	if n := len(r.free); n > 0 {
		i, r.free = r.free[n-1], r.free[:n-1]
	} else {
		i = uint32(len(r.slots))
		r.slots = append(r.slots, slot[T]{})
	}
	s := &r.slots[i]
	s.generation++
	s.used = true
	s.value = make(PID(s.generation)<<32 | PID(i))
	r.n++
	return s.value
}

// Get returns the value for a PID.
func (r *Registry[T]) Get(pid PID) (value T, ok bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if s := r.slot(pid); s != nil {
		return s.value, true
	}
	return value, false
}

// Remove removes a PID. A slot whose generations are used up is not reused.
func (r *Registry[T]) Remove(pid PID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.slot(pid)
	if s == nil {
		return
	}
	var none T
	s.value, s.used = none, false
	r.n--
	if s.generation != ^uint32(0) {
		r.free = append(r.free, uint32(pid))
	}
}

func (r *Registry[T]) slot(pid PID) *slot[T] {
	i := uint64(uint32(pid))
	if i >= uint64(len(r.slots)) {
		return nil
	}
	if s := &r.slots[i]; s.used && s.generation == uint32(pid>>32) {
		return s
	}
	return nil
}

// Len returns the number of live PIDs.
func (r *Registry[T]) Len() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.n
}

// All returns the values in the order of their slots.
func (r *Registry[T]) All() []T {
	r.mu.RLock()
	defer r.mu.RUnlock()
	all := make([]T, 0, r.n)
	for i := range r.slots {
		if r.slots[i].used {
			all = append(all, r.slots[i].value)
		}
	}
	return all
}
