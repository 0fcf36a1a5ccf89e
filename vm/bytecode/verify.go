package bytecode

// Verify is being written.
func Verify(p *Program) error { return nil }
