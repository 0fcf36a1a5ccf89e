package crypto

import (
	"context"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/runnel-lang/runnel/stdlib/internal/data"
	"github.com/runnel-lang/runnel/vm"
)

const (
	maxIterations = 10_000_000 // a stored text must not be able to ask for hours
	maxKey        = 64
	scheme        = "pbkdf2-sha256"
)

// stretch derives a key from a password on a thread of the IO pool, where it
// does not keep tasks waiting, and hands it to set. A cancelled task does not
// wait for the rest, which is bounded.
func stretch(c *vm.Call, password string, salt []byte, iterations int64, length int, set func(*vm.Call, []byte)) {
	if iterations < 1 || iterations > maxIterations {
		c.Throw(vm.ErrValue, "crypto: the number of iterations is from 1 to %d, not %d", maxIterations, iterations)
	}
	blocks := (length + sha256.Size - 1) / sha256.Size
	c.Steps(int(iterations) * blocks)
	c.Block("derive a key", func(context.Context) (any, error) {
		return pbkdf2.Key(sha256.New, password, salt, int(iterations), length)
	}, func(c *vm.Call, key any, err error) {
		if err != nil {
			c.Throw(vm.ErrValue, "crypto: %v", err)
		}
		set(c, key.([]byte))
	})
}

func deriveKey(c *vm.Call) {
	length := c.Int(3)
	if length < 1 || length > maxKey {
		c.Throw(vm.ErrValue, "crypto: a derived key has 1 to %d bytes, not %d", maxKey, length)
	}
	stretch(c, c.Str(0), data.Arg(c, 1), c.Int(2), int(length), data.SetBytes)
}

// storePassword writes what checkPassword reads: $pbkdf2-sha256$600000$salt$key.
func storePassword(c *vm.Call) {
	salt, iterations := data.Arg(c, 1), c.Int(2)
	encode := base64.RawStdEncoding.EncodeToString
	stretch(c, c.Str(0), salt, iterations, keySize, func(c *vm.Call, key []byte) {
		c.SetStr(fmt.Sprintf("$%s$%d$%s$%s", scheme, iterations, encode(salt), encode(key)))
	})
}

func checkPassword(c *vm.Call) {
	salt, iterations, want, ok := parseStored(c.Str(1))
	if !ok {
		c.Throw(vm.ErrValue, "crypto: what is stored does not come from hash_password")
	}
	stretch(c, c.Str(0), salt, iterations, len(want), func(c *vm.Call, key []byte) {
		c.SetBool(subtle.ConstantTimeCompare(key, want) == 1)
	})
}

// parseStored takes apart what storePassword has written.
func parseStored(text string) (salt []byte, iterations int64, key []byte, ok bool) {
	parts := strings.Split(text, "$")
	if len(parts) != 5 || parts[0] != "" || parts[1] != scheme {
		return nil, 0, nil, false
	}
	iterations, err := strconv.ParseInt(parts[2], 10, 64)
	decode := base64.RawStdEncoding.Strict().DecodeString
	salt, errSalt := decode(parts[3])
	key, errKey := decode(parts[4])
	ok = err == nil && iterations >= 1 && iterations <= maxIterations && errSalt == nil && errKey == nil && len(key) == keySize
	return salt, iterations, key, ok
}
