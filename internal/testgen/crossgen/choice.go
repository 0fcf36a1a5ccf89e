package crossgen

import "strings"

// left are rows that programs do not use, or by what their names begin with:
// what they give depends on the time, on the machine or on chance, they wait
// for what never comes, or take long on purpose.
var left = []string{
	"time.now", "time.mono", "time.since", "time.measure", "time.after", "time.every", "time.ticks", "time.Ticker", "time.stopwatch", "time.Stopwatch",
	"time.local_zone", "sleep", "timeout", "race", "await_any", "scope_deadline",
	"uuid.v4", "uuid.v7", "crypto.random_bytes", "crypto.token", "crypto.new_key", "crypto.hash_password", "crypto.check_password", "crypto.seal",
	"crypto.new_signing_key", "crypto.derive_key",
	"testing.check", "testing.sample", "testing.eventually", "iter.cycle", "iter.repeat", "iter.counter", "iter.generate", "iter.successors",
	"sys.exit", "testing.snapshot", "nest", "deeper", "Doer", "Job",
	"task.done", "task.cancel",
	// What waits for another task.
	"sync.Barrier.wait", "sync.Latch.wait", "sync.Semaphore.acquire", "chan.recv", "chan.send", "iter.of_chan", "sync.Semaphore.with", "sync.Once",
	// An actor has a number, which differs where tasks take turns otherwise.
	"actor.",
	"reactive.",
}

// kept are exceptions to what is left.
var kept = []string{
	"reactive.cell", "reactive.Cell", "reactive.computed", "reactive.Computed", "reactive.untracked",
}

func excluded(name string) bool { return begins(name, left) && !begins(name, kept) }

func begins(name string, list []string) bool {
	for _, l := range list {
		if rest, ok := strings.CutPrefix(name, l); ok && (rest == "" || rest[0] == '.' || strings.HasSuffix(l, ".")) {
			return true
		}
	}
	return false
}

// loud reports whether tasks at the same time must not use a row: their order
// would be seen.
func loud(name string) bool {
	return begins(name, []string{"rand", "log", "io", "set_limit", "sync", "reactive", "testing", "args", "Box.set", "task_local", "TaskLocal"})
}
