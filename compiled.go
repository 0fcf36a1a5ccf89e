package runnel

import (
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// IsCompiled reports whether data is a compiled program rather than source text.
func IsCompiled(data []byte) bool {
	return len(data) >= len(bytecode.Magic) && string(data[:len(bytecode.Magic)]) == bytecode.Magic
}

// Encode returns the compiled form of a program, without its source text.
func (p *Program) Encode() []byte { return bytecode.Encode(p.Code) }

// Decode prepares a compiled program for running. The data need not be trusted:
// it is verified, so running it is as safe as running source text.
func (rt *Runtime) Decode(data []byte) (*Program, error) {
	code, err := bytecode.Decode(data)
	if err != nil {
		return nil, err
	}
	if err := bytecode.Verify(code, rt.signatures); err != nil {
		return nil, err
	}
	return rt.Load(code)
}

func (rt *Runtime) signatures(name string) []bytecode.Signature {
	if sigs := rt.modules.Signatures(name); sigs != nil {
		return sigs
	}
	return stdlib.Signatures(name)
}
