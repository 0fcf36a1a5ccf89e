package process

import (
	"errors"
	"strconv"
	"strings"
	"sync"
)

// ID identifies a process and is never reused: a slot in the low half, the
// slot's generation in the high half. 0 is no process.
type ID uint64

// String returns slot and generation, as "7.1".
func (p ID) String() string {
	return strconv.FormatUint(uint64(uint32(p)), 10) + "." + strconv.FormatUint(uint64(p>>32), 10)
}

// ParseID reads what String wrote.
func ParseID(text string) (ID, error) {
	slot, generation, _ := strings.Cut(text, ".")
	i, err1 := strconv.ParseUint(slot, 10, 32)
	g, err2 := strconv.ParseUint(generation, 10, 32)
	if p := ID(g<<32 | i); err1 == nil && err2 == nil && p.String() == text {
		return p, nil
	}
	return 0, errors.New("not a process identifier: " + strconv.Quote(text))
}

// MarshalText makes an ID a string in JSON.
func (p ID) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText is the reverse of MarshalText.
func (p *ID) UnmarshalText(text []byte) (err error) {
	*p, err = ParseID(string(text))
	return err
}

// Registry assigns IDs. A message or completion for a process that has ended
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

// Add adds a value, which make makes from its ID.
func (r *Registry[T]) Add(make func(ID) T) T {
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
	s.value = make(ID(s.generation)<<32 | ID(i))
	r.n++
	return s.value
}

// Get returns the value for an ID.
func (r *Registry[T]) Get(pid ID) (value T, ok bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if s := r.slot(pid); s != nil {
		return s.value, true
	}
	return value, false
}

// Remove removes an ID. A slot whose generations are used up is not reused.
func (r *Registry[T]) Remove(pid ID) {
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

func (r *Registry[T]) slot(pid ID) *slot[T] {
	i := uint64(uint32(pid))
	if i >= uint64(len(r.slots)) {
		return nil
	}
	if s := &r.slots[i]; s.used && s.generation == uint32(pid>>32) {
		return s
	}
	return nil
}

// Len returns the number of live IDs.
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
