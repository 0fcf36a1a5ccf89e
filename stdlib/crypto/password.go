package crypto

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
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
// does not keep tasks waiting, and hands it to set.
func stretch(c *vm.Call, password string, salt []byte, iterations int64, length int, set func(*vm.Call, []byte)) {
	if iterations < 1 || iterations > maxIterations {
		c.Throw(vm.ErrValue, "crypto: the number of iterations is from 1 to %d, not %d", maxIterations, iterations)
	}
	blocks := (length + sha256.Size - 1) / sha256.Size
	c.Steps(int(iterations) * blocks)
	c.Await(vm.Blocking{Name: "derive a key", Computes: true, Work: func(ctx context.Context) (any, error) {
		return derived(ctx, password, salt, int(iterations), length)
	}, Finish: func(c *vm.Call, key any, err error) {
		if err != nil {
			c.Throw(vm.ErrValue, "crypto: %v", err)
		}
		set(c, key.([]byte))
	}})
}

// derived is PBKDF2 (RFC 8018) with HMAC and SHA-256, that of package
// crypto/pbkdf2, which cannot be cancelled.
func derived(ctx context.Context, password string, salt []byte, iterations, length int) ([]byte, error) {
	const look = 1 << 12 // iterations between two looks at the context: about a millisecond
	mac := hmac.New(sha256.New, []byte(password))
	var key, u []byte
	for block := uint32(1); len(key) < length; block++ {
		mac.Reset()
		mac.Write(salt)
		mac.Write(binary.BigEndian.AppendUint32(nil, block))
		u = mac.Sum(u[:0])
		sum := slices.Clone(u)
		for n := 1; n < iterations; n++ {
			if n%look == 0 && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			mac.Reset()
			mac.Write(u)
			u = mac.Sum(u[:0])
			subtle.XORBytes(sum, sum, u)
		}
		key = append(key, sum...)
	}
	return key[:length], nil
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
		c.Throw(vm.ErrValue, "crypto: the stored value was not made by hash_password")
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
	iterations, err := vm.ParseInt(parts[2], 10)
	decode := base64.RawStdEncoding.Strict().DecodeString
	salt, errSalt := decode(parts[3])
	key, errKey := decode(parts[4])
	ok = err == nil && iterations >= 1 && iterations <= maxIterations && errSalt == nil && errKey == nil && len(key) == keySize
	return salt, iterations, key, ok
}
