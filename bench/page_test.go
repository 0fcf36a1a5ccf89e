package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

var (
	someDay     = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	someMachine = "commit abc, a processor, 2 processors"
)

func pageOf(t *testing.T, name string, o options, r figures.Results) string {
	t.Helper()
	s, ok := sectionNamed(name)
	require.True(t, ok)
	text, err := s.page(o, r, someDay, someMachine, "other processes took 0.01 processors")
	require.NoError(t, err)
	return text
}

func TestThePageOfEmbedding(t *testing.T) {
	r := figures.Results{
		{Row: "native Go", Column: "call", Values: []float64{1, 1}},
		{Row: "slow", Column: "call", Values: []float64{41800, 41834}, Note: "runs it all"},
		{Row: "slow", Column: "call bytes", Values: []float64{90192, 90192}},
		{Row: "quick", Column: "call", Values: []float64{120, 122}},
		{Row: "Runnel", Column: "call", Values: []float64{110, 130}},
		{Row: "Runnel", Column: "call bytes", Values: []float64{0, 0}},
		{Row: "Runnel", Column: "fresh", Values: []float64{4200, 4200}},
		{Row: "no call", Column: "back", Values: []float64{1500, 1500}},
		{Row: "Runnel", Column: liveInstances + " bytes", Values: []float64{3880, 3900}},
		{Row: hostRow, Column: "bytes", Values: []float64{8.54e6}},
		{Row: hostRow, Column: "bytes, stripped", Values: []float64{12.1e6}},
	}
	assert.Equal(t, `| | call, ns | call, bytes | back, ns | back, bytes | fresh, µs | fresh, bytes |
|---|---|---|---|---|---|---|
| **Runnel** | 120 | 0 | – | – | 4.2 | – |
| quick | 121 | – | – | – | – | – |
| slow | 41,817 | 90,192 | – | – | – | – |
| no call | – | – | 1,500 | – | – | – |

Not as with the others: call of slow: runs it all.

Ten thousand live instances of one program take 3.9 KB each. A small host with no module is 8.5 MB, 12 stripped.

*Measured 2026-03-04; commit abc, a processor, 2 processors; 2 rounds; greatest less least of the rounds: 0 % of the median in the middle, at most 17 % (call of Runnel); other processes took 0.01 processors.*
`, pageOf(t, "embed", options{rounds: 2}, r))
}

func TestThePageOfActorsTakesTheBetterKindAndLeavesOutWhatIsMissing(t *testing.T) {
	r := figures.Results{
		{Row: "Runnel", Column: "tell, 1", Values: []float64{49}},
		{Row: "Runnel", Column: "tell, 2", Values: []float64{1041}},
		{Row: "Runnel", Column: "bytes, 2", Values: []float64{1437}},
		{Row: "protoactor-go", Column: "tell, 1", Values: []float64{60}},
		{Row: "protoactor-go, bounded mailboxes", Column: "tell, 1", Values: []float64{51}},
		{Row: "Erlang gen_server", Column: "tell, 1"},
	}
	assert.Equal(t, `| | tell | ask | pairs | fan | idle |
|---|---|---|---|---|---|
| **Runnel** | 49 / 1,041 | – | – | – | 1,437 |
| protoactor-go | 51 / – | – | – | – | – |

*Measured 2026-03-04; commit abc, a processor, 2 processors; one round; small sizes (-quick); other processes took 0.01 processors; `+
		`left out, not on this machine: hollywood; hollywood, inbox of 16; GoAkt; go-actor; goroutine and channel; Erlang gen_server.*
`, pageOf(t, "actors", options{rounds: 1, quick: true}, r))
}

func TestThePageOfTasksHasRatiosOfTheSameRound(t *testing.T) {
	r := figures.Results{
		{Row: "native Go, 1", Column: "ring", Values: []float64{1, 10}},
		{Row: "native Go, 2", Column: "ring", Values: []float64{2, 2}},
		{Row: "Runnel, 1", Column: "ring", Values: []float64{0.5, 5}},
		{Row: "Runnel, 2", Column: "ring", Values: []float64{1, 1.1}},
		{Row: "Runnel, 1", Column: "parallel", Values: []float64{4, 4}},
		{Row: "Runnel, 2", Column: "parallel", Values: []float64{2, 2}},
		{Row: "Runnel, 2", Column: "parked chan", Values: []float64{510, 510}},
		{Row: "Runnel, 2", Column: "parked await", Values: []float64{511, 511}},
		{Row: "Runnel, 2", Column: "parked sleep", Values: []float64{610, 610}},
		{Row: "native Go, 2", Column: "parked chan", Values: []float64{2740, 2740}},
	}
	assert.Equal(t, `| | spawnseq | spawnfan | pingpong | ring | skynet | select4 | prodcons | mutex | parallel | sleep |
|---|---|---|---|---|---|---|---|---|---|---|
| **Runnel**, 1 | – | – | – | 0.50 | – | – | – | – | – | – |
| **Runnel**, 2 | – | – | – | 0.53 | – | – | – | – | – | – |

`+"`parallel`"+` is eight times fib(35): two workers do it 2.00 times as fast as one.

1,000,000 parked tasks take 510 bytes each on a channel, 511 on `+"`await`"+` and 610 asleep, resident; goroutines on a channel 2,740.

*Measured 2026-03-04; commit abc, a processor, 2 processors; 2 rounds; greatest less least of the rounds: 0 % of the median in the middle, at most 10 % (ring of Runnel, 2); `+
		`other processes took 0.01 processors; left out, not on this machine: Erlang, 1; Erlang, 2; Node, 1.*
`, pageOf(t, "conc", options{rounds: 2}, r))
}

func TestThePageOfReactiveGraphsLeavesOutThoseThatBrokeDown(t *testing.T) {
	r := figures.Results{
		{Row: "Runnel", Column: "kairo/deep", Values: []float64{1, 1}},
		{Row: "Runnel", Column: "kairo/mux", Values: []float64{1, 1}},
		{Row: "Runnel", Column: "cellx/1000", Values: []float64{2, 2}},
		{Row: "preact, jitless", Column: "kairo/deep"},
		{Row: "preact, jitless", Column: "kairo/mux", Values: []float64{2, 2}},
		{Row: "preact, jitless", Column: "cellx/1000", Values: []float64{16, 16}},
	}
	assert.Contains(t, pageOf(t, "reactive", options{rounds: 2}, r), `| | kairo (2) | cellx (1) | dynamic (0) | all |
|---|---|---|---|---|
| preact, jitless | 2.00 | 8.00 | – | 4.00 |
`)
}

func TestThePageOfProcessesIsRelativeToLua(t *testing.T) {
	r := figures.Results{
		{Row: "Runnel", Column: "fib", Values: []float64{1, 3}},
		{Row: "Runnel", Column: "loop", Values: []float64{2, 6}},
		{Row: "Lua 5.4", Column: "fib", Values: []float64{4, 12}},
		{Row: "Lua 5.4", Column: "loop", Values: []float64{2, 3}},
		{Row: "goja", Column: "fib", Values: []float64{40, 120}},
		{Row: "Runnel", Column: "start", Values: []float64{4, 4.1}},
		{Row: "native Go", Column: "start", Values: []float64{0.9, 0.9}},
		{Row: "Runnel", Column: "check", Values: []float64{41, 41}},
	}
	none := strings.Repeat(" – |", 12)
	assert.Equal(t, `| | fib | loop | sieve | nbody | spectral | bintrees | fannkuch | mandelbrot | strings | wordmap | quicksort | closures | methods | json | geometric mean |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
| **Runnel** | 0.25 | 1.50 |`+none+` 0.61 (2) |
| native Go | – | – |`+none+` – (0) |
| Lua 5.4 | 1 | 1 |`+none+` 1.00 (2) |
| goja | 10.0 | – |`+none+` 10.0 (1) |

An empty script takes 4.0 ms, an empty Go program 0.90; `+"`runnel check`"+` of 5,000 lines takes 41 ms.

*Measured 2026-03-04; commit abc, a processor, 2 processors; 2 rounds; greatest less least of the rounds: 0 % of the median in the middle, at most 67 % (loop of Runnel); `+
		`other processes took 0.01 processors; left out, not on this machine: Tengo; gopher-lua; lua-cjson, which the column json is relative to.*
`, pageOf(t, "cpu", options{rounds: 2}, r))
}

func TestThePageOfServers(t *testing.T) {
	r := figures.Results{
		{Row: "Runnel", Column: "requests/s", Values: []float64{97000, 97400}},
		{Row: "Runnel", Column: "p50, ms", Values: []float64{0.6, 0.6}},
		{Row: "Runnel", Column: "p99, ms", Values: []float64{5.3, 5.3}},
		{Row: "Runnel", Column: "open, MiB", Values: []float64{236}},
		{Row: "Go net/http", Column: "requests/s", Values: []float64{97000, 194800}},
	}
	assert.Contains(t, pageOf(t, "io", options{rounds: 2}, r), `| | requests/s | × Go | p50, ms | p99, ms | 10,000 open connections, MiB |
|---|---|---|---|---|---|
| **Runnel** | 97,200 | 0.75 | 0.60 | 5.3 | 236 |
| Go net/http | 145,900 | 1 | – | – | – |

`)
}

func TestASentenceNeedsItsFigure(t *testing.T) {
	s, _ := sectionNamed("cpu")
	_, err := s.page(options{rounds: 1}, nil, someDay, "", "")
	assert.EqualError(t, err, "the start of Runnel was not measured")
}

func TestNumbersOfPages(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 12: "12", 999.6: "1,000", 1437: "1,437", 1234567: "1,234,567"} {
		assert.Equal(t, want, grouped(v))
	}
	for v, want := range map[float64]string{0.844: "0.84", 5.32: "5.3", 41817: "41,817"} {
		assert.Equal(t, want, brief(v))
	}
}
