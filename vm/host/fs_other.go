//go:build !unix

package host

// noWait is for systems where opening a file may wait for somebody.
const noWait = 0
