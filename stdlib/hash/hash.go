// Package hash holds the native functions of module hash.
package hash

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	_ "embed"
	"hash"
	"hash/crc32"
	"hash/fnv"
	"sync"

	"github.com/runnel-lang/runnel/stdlib/internal/data"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed hash.rnl
var source string

// Module is what the import of hash gives.
var Module = vm.NewModule("hash", source)

// algorithms by the names of the variants of the enum Algorithm.
var algorithms = map[string]func() hash.Hash{
	"Md5": md5.New, "Sha1": sha1.New, "Sha224": sha256.New224, "Sha256": sha256.New, "Sha384": sha512.New384, "Sha512": sha512.New,
	"Sha3256": func() hash.Hash { return sha3.New256() },
	"Sha3512": func() hash.Hash { return sha3.New512() },
}

// hasher is the Go value of a hash.Hasher.
type hasher struct {
	mu sync.Mutex
	hash.Hash
}

const hasherSize = 400

func init() {
	Module.Native("named", func(c *vm.Call) {
		c.SetObject(c.NewNative(c.Ref().Result, &hasher{Hash: Algorithm(c, 0)()}, hasherSize))
	})
	Module.Link("add", false, data.Native(func(c *vm.Call) {
		in := data.Arg(c, 1)
		locked(c, func(h hash.Hash) { data.Write(c, h, in) })
	}))
	Module.Native("Hasher.digest", func(c *vm.Call) {
		var sum []byte
		locked(c, func(h hash.Hash) { sum = h.Sum(nil) })
		data.SetBytes(c, sum)
	})
	Module.Native("Hasher.reset", func(c *vm.Call) { locked(c, hash.Hash.Reset) })
	Module.Link("sum", false, data.Native(func(c *vm.Call) {
		h := Algorithm(c, 0)()
		data.Write(c, h, data.Arg(c, 1))
		data.SetBytes(c, h.Sum(nil))
	}))
	Module.Link("checksum32", false, data.Native(func(c *vm.Call) {
		sum := checksum(c.Int(1))
		data.Write(c, &sum, data.Arg(c, 0))
		c.SetInt(int64(sum))
	}))
	Module.Link("fnv64", false, data.Native(func(c *vm.Call) {
		h := fnv.New64a()
		data.Write(c, h, data.Arg(c, 0))
		c.SetInt(int64(h.Sum64()))
	}))
}

// checksum is a CRC-32 that continues from another one.
type checksum uint32

func (s *checksum) Write(p []byte) (int, error) {
	*s = checksum(crc32.Update(uint32(*s), crc32.IEEETable, p))
	return len(p), nil
}

func locked(c *vm.Call, f func(hash.Hash)) {
	h := vm.NativeArg[*hasher](c, 0)
	h.mu.Lock()
	defer h.mu.Unlock()
	f(h.Hash)
}

// Algorithm returns what the argument i, the name of an Algorithm, stands for.
func Algorithm(c *vm.Call, i int) func() hash.Hash {
	name := c.Str(i)
	f := algorithms[name]
	if f == nil {
		c.Throw(vm.ErrValue, "hash: there is no algorithm %s", vm.Quote(name))
	}
	return f
}
