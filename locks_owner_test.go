package runnel_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	runnel "github.com/runnel-lang/runnel"
)

// lockChanges has tasks use locks alone, hand them to others, wait for them and
// be cancelled at that. Each sum is counted beside by who holds the lock.
const lockChanges = `
struct Counted { lock: mutex<[int]>, beside: [int] }

let all = (0..%d).map(|i| Counted(mutex([0]), [0]))

fn add(c: Counted) {
  lock c.lock as n {
    let seen = n[0]
    if seen %% 7 == 0 { yield_now() }   // holds it while others want it
    n[0] = seen + 1
    c.beside[0] += 1
  }
}

fn work(seed: int) {
  var state = seed * 7919 + 1
  for round in 0..60 {
    state = (state * 1103515245 + 12345) & 0x7fffffff
    let c = all[(state >> 8) %% all.len()]
    for _ in 0..20 { add(c) }
    match (state >> 20) %% 4 {
      0 => { for c in all { add(c) } }
      1 => { try { timeout(50us, || { loop { add(c) } }) } catch e: Timeout {} }
      2 => {
        let _ = c.lock.try_lock(|n| { n[0] += 1; c.beside[0] += 1 })
      }
      _ => { let t = spawn { add(c); sleep(1h) }; yield_now(); t.cancel() }
    }
    if round %% 16 == seed %% 16 { sleep(20us) }   // goes on elsewhere
  }
}

for c in all { add(c) }
scope { for i in 0..8 { spawn { work(i) } } }
for c in all {
  lock c.lock as n { assert(n[0] == c.beside[0], "counted ${n[0]}, but ${c.beside[0]} beside it") }
}
print("done")
`

func TestLocksThatWorkersTakeFromEachOther(t *testing.T) {
	for _, locks := range []int{1, 3, 100} { // more than lose their owner one by one
		for _, workers := range []int{1, 2, 4} {
			t.Run(fmt.Sprint(locks, " locks, ", workers, " workers"), func(t *testing.T) {
				require.Equal(t, "done\n", finished(t, fmt.Sprintf(lockChanges, locks), runnel.WithWorkers(workers)))
			})
		}
	}
}
