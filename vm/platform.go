//go:build !(amd64 || arm64 || loong64 || mips64le || ppc64le || riscv64)

package vm

// The interpreter needs 64-bit words in little-endian order: values are a
// pointer word and a number word of eight bytes each, and instructions are read
// byte by byte. The undefined name says so to whoever builds for another machine.
var _ = theInterpreterNeedsA64BitLittleEndianMachine
