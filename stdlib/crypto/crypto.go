// Package crypto holds the native functions of module crypto, on Go's own.
package crypto

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/subtle"
	_ "embed"
	"encoding/base64"

	"github.com/runnel-lang/runnel/stdlib/hash"
	"github.com/runnel-lang/runnel/stdlib/internal/data"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed crypto.rnl
var source string

// Module is what the import of crypto gives.
var Module = vm.NewModule("crypto", source, hash.Module)

func init() {
	Module.Native("random_bytes", func(c *vm.Call) {
		out, b := data.AllocBytes(c, count(c, 0))
		fill(c, b)
		c.SetObject(out.Object())
	})
	Module.Native("token", func(c *vm.Call) {
		n := count(c, 0)
		c.ChargeObject(n)
		b := make([]byte, n)
		fill(c, b)
		out, text := data.NewStr(c, base64.RawURLEncoding.EncodedLen(n))
		base64.RawURLEncoding.Encode(text, b)
		c.SetObject(out.Object())
	})
	Module.Link("same_data", false, data.Native(func(c *vm.Call) {
		c.SetBool(subtle.ConstantTimeCompare(data.Arg(c, 0), data.Arg(c, 1)) == 1)
	}))
	Module.Link("code_of", false, data.Native(func(c *vm.Call) {
		code := hmac.New(hash.Algorithm(c, 2), data.Arg(c, 1))
		data.Write(c, code, data.Arg(c, 0))
		data.SetBytes(c, code.Sum(nil))
	}))
	Module.Link("seal_data", false, data.Native(seal))
	Module.Native("open", open)
	Module.Native("public_part", func(c *vm.Call) {
		data.SetBytes(c, privateKey(c, 0).Public().(ed25519.PublicKey))
	})
	Module.Link("sign_data", false, data.Native(func(c *vm.Call) {
		data.SetBytes(c, ed25519.Sign(privateKey(c, 1), data.Arg(c, 0)))
	}))
	Module.Link("verify_data", false, data.Native(func(c *vm.Call) {
		message, public := data.Arg(c, 0), data.Arg(c, 1)
		if len(public) != ed25519.PublicKeySize {
			c.Throw(vm.ErrValue, "crypto: a public key has %d bytes, not %d", ed25519.PublicKeySize, len(public))
		}
		c.Steps(signSteps)
		c.SetBool(ed25519.Verify(public, message, data.Arg(c, 2)))
	}))
	Module.Blocking("stored", storePassword)
	Module.Blocking("check_password", checkPassword)
	Module.Blocking("derive_key", deriveKey)
}

// signSteps is what a signature costs beside the pass over what is signed.
const signSteps = 1000

// count returns an argument that says how many bytes are wanted.
func count(c *vm.Call, i int) int {
	n := c.Int(i)
	if n < 0 {
		c.Throw(vm.ErrValue, "crypto: %d bytes are asked for", n)
	}
	return int(n)
}

const keySize = 32

// box returns the cipher of the key in argument i.
func box(c *vm.Call, i int) cipher.AEAD {
	key := data.Arg(c, i)
	if len(key) != keySize {
		c.Throw(vm.ErrValue, "crypto: a key has %d bytes, not %d: new_key and derive_key make one", keySize, len(key))
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return aead
}

func seal(c *vm.Call) {
	plain, aead, context := data.Arg(c, 0), box(c, 1), data.Arg(c, 2)
	out, sealed := data.AllocBytes(c, aead.NonceSize()+len(plain)+aead.Overhead())
	nonce := sealed[:aead.NonceSize()]
	fill(c, nonce)
	aead.Seal(nonce, nonce, plain, context)
	c.SetObject(out.Object())
}

func open(c *vm.Call) {
	aead, sealed, context := box(c, 0), data.Arg(c, 1), data.Arg(c, 2)
	n := len(sealed) - aead.NonceSize() - aead.Overhead()
	if n < 0 {
		c.Throw(vm.ErrValue, "crypto: %d bytes are too few to have been sealed", len(sealed))
	}
	out, plain := data.AllocBytes(c, n)
	nonce, sealed := sealed[:aead.NonceSize()], sealed[aead.NonceSize():]
	if _, err := aead.Open(plain[:0], nonce, sealed, context); err != nil {
		c.Throw(vm.ErrValue, "crypto: the key or the context is wrong, or the data was changed")
	}
	c.SetObject(out.Object())
}

func privateKey(c *vm.Call, i int) ed25519.PrivateKey {
	seed := data.Arg(c, i)
	if len(seed) != ed25519.SeedSize {
		c.Throw(vm.ErrValue, "crypto: a private key has %d bytes, not %d", ed25519.SeedSize, len(seed))
	}
	c.Steps(signSteps)
	return ed25519.NewKeyFromSeed(seed)
}
