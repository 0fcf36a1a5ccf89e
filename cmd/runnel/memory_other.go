//go:build !linux

package main

// machineMemory is how much memory this process can hope for, in bytes. It is
// a guess where the system is not asked.
func machineMemory() int64 { return 8 << 30 }
