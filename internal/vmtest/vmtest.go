// Package vmtest is what tests of all packages may do with an instance and hosts may not.
// Package vm sets the functions; an instance is a *vm.Instance, a call a *vm.Call.
package vmtest

var (
	// FailCharge makes the n-th charge from now on fail as if the memory limit were
	// reached, so that a test can try each; 0 turns that off.
	FailCharge func(instance any, n int64)

	// ChargesLeft returns how many charges remain before the one that fails; 0 if it has
	// failed.
	ChargesLeft func(instance any) int64

	// MemoryCharged returns the bytes paid for so far, or since the last time that
	// the limit was close and what is alive was counted. It is meant for an
	// instance with a limit and one worker.
	MemoryCharged func(call any) int64

	// CheckGlobals checks the values of all top-level variables, and everything reachable
	// from them, against their types. No task may be running.
	CheckGlobals func(instance any) error
)
