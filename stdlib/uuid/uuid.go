// Package uuid holds the native functions of module uuid.
package uuid

import (
	_ "embed"
	"encoding/binary"
	"sync"

	"github.com/google/uuid"

	"github.com/runnel-lang/runnel/stdlib/crypto"
	"github.com/runnel-lang/runnel/stdlib/internal/data"
	"github.com/runnel-lang/runnel/stdlib/time"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed uuid.rnl
var source string

// Module is what the import of uuid gives.
var Module = vm.NewModule("uuid", source, crypto.Module, time.Module)

func init() {
	Module.Native("random", func(c *vm.Call) {
		set(c, withVersion(uuidOf(c, 0), 4))
	})
	Module.Native("clock", func(c *vm.Call) {
		c.SetObject(c.NewNative(c.Ref().Result, new(clock), clockSize))
	})
	Module.Native("timed", func(c *vm.Call) {
		set(c, vm.NativeArg[*clock](c, 0).next(c.Int(1), uuidOf(c, 2)))
	})
	Module.Native("v5", func(c *vm.Call) {
		set(c, uuid.NewSHA1(parse(c, 0), data.Arg(c, 1)))
	})
	Module.Native("parse", func(c *vm.Call) { set(c, parse(c, 0)) })
	Module.Native("is_valid", func(c *vm.Call) { c.SetBool(uuid.Validate(c.Str(0)) == nil) })
	Module.Native("to_bytes", func(c *vm.Call) {
		id := parse(c, 0)
		data.SetBytes(c, id[:])
	})
	Module.Native("from_bytes", func(c *vm.Call) { set(c, uuidOf(c, 0)) })
	Module.Native("version", func(c *vm.Call) { c.SetInt(int64(parse(c, 0).Version())) })
}

func set(c *vm.Call, id uuid.UUID) { c.SetStr(id.String()) }

// parse reads an argument. What it is checked by is stricter than Parse, which
// takes whatever stands in place of the braces.
func parse(c *vm.Call, i int) uuid.UUID {
	text := c.Str(i)
	id, err := uuid.Parse(text)
	if err != nil || uuid.Validate(text) != nil {
		c.Throw(vm.ErrValue, "uuid: %s is not a UUID", vm.Quote(text))
	}
	return id
}

func uuidOf(c *vm.Call, i int) uuid.UUID {
	id, err := uuid.FromBytes(data.Arg(c, i))
	if err != nil {
		c.Throw(vm.ErrValue, "uuid: a UUID has 16 bytes, not %d", len(c.Str(i)))
	}
	return id
}

func withVersion(id uuid.UUID, version byte) uuid.UUID {
	id[6] = id[6]&0x0f | version<<4
	id[8] = id[8]&0x3f | 0x80
	return id
}

// clock keeps the UUIDs of version 7 in order, also within a millisecond and
// when the clock is set back.
type clock struct {
	mu   sync.Mutex
	last uint64
}

const clockSize = 16

// next puts the time in front of random bits: 48 bits of milliseconds, and 12 of
// their fraction behind the version.
func (k *clock) next(ns int64, id uuid.UUID) uuid.UUID {
	const ms = 1_000_000
	ns = max(ns, 0)
	now := uint64(ns/ms)<<12 | uint64(ns%ms)<<12/ms
	k.mu.Lock()
	now = max(now, k.last+1)
	k.last = now
	k.mu.Unlock()
	binary.BigEndian.PutUint64(id[:8], now>>12<<16|now&0xfff)
	return withVersion(id, 7)
}
