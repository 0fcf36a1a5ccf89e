//go:build !unix

package vm

// noWait is for systems where opening a file may wait for somebody.
const noWait = 0
