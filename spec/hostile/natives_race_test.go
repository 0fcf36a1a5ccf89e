//go:build !race

package hostile_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/vmtest"
	"github.com/runnel-lang/runnel/stdlib/all"
)

// Scripts race here on purpose, so the tests are left out of builds with the race
// detector.

// racing changes what uses read, while they read it.
const racing = `
struct Stop { on: bool = false }
let stop = Stop()
let shared = buffer()
for _ in 0..4000 { shared.write("ab") }
strs.extend(["é"].repeat(1500))
spawn {
  while !stop.on {
    for i in 0..2000 { strs[i] = "€"; shared.set(4000, 0xc3); shared.set(4000, 0x61) }
    for i in 0..2000 { strs[i] = "é" }
    for i in 0..40 { ints.push(i); counts["né " + str(i)] = i; let _ = numbers.add(1000 + i); words[i % 3] = "é" }
    strs.push("a longer text")
    for i in 0..40 { ints[i] = 7; let _ = ints.pop(); let _ = counts.remove("né " + str(i)); let _ = numbers.remove(1000 + i); words[i % 3] = "" }
    let _ = strs.pop()
  }
}
sleep(5ms)
let _kept: [any] = []
for _ in 0..ROUNDS {
  try { _kept.push($) } catch e { }
}
stop.on = true
`

var readsShared = regexp.MustCompile(`\b(ints|strs|words|counts|numbers|shared)\b`)

// A native that reads what another task changes gives a value of its type, whose
// texts are UTF-8, or throws.
func TestNativesOnWhatOthersChange(t *testing.T) {
	list := append(uses(t), usesIn(t, "shared", `
buffer.to_str :: shared.to_str()
buffer.to_bytes :: shared.to_bytes().to_str()
buffer.slice :: str(shared.slice(0, 100))
op.text of a buffer :: str(shared)
op.text of a list :: "${strs} ${words} ${counts}"
op.format of a width :: "${shared:>500}"
list.join :: strs.join("é")
list.join :: words.join("")
list.to_bytes :: ints.to_bytes()
list.sort :: kept(|| { let l = strs.copy(); l.sort(); l })
json.encode :: json.encode((strs, counts, ints))
yaml.encode :: yaml.encode((strs, counts))
toml.encode :: toml.encode(counts)
csv.text_of :: csv.encode([strs, words])
list.sort :: kept(|| { strs.sort(); 1 })
list.reverse :: kept(|| { strs.reverse(); 1 })
http.encode_form :: url.encode_query([("a", strs.join(","))])
template.entries :: template.parse("{% for k, v in m %}{{ k }}{{ v }}{% end %}{{ l }}").render({"m": counts, "l": strs})
`)...)
	tried := 0
	for _, u := range list {
		if u.do || !readsShared.MatchString(u.setup+u.expr) || strings.HasPrefix(u.name, "actor.") || strings.Contains(u.expr, "spawn") {
			continue
		}
		rounds := "40"
		if strings.HasPrefix(u.name, "buffer.") || u.name == "list.join" {
			rounds = "1000"
		}
		src := strings.ReplaceAll(u.program(racing, racing), "ROUNDS", rounds)
		prog, err := runnel.MustNew(runnel.WithHost(grantedHost(t)), runnel.WithWorkers(2), runnel.WithLimits(runnel.Limits{Memory: 512 << 20, Time: 20 * time.Second}), runnel.WithModules(all.Modules()...)).Compile(u.name+".rnl", strings.Replace(src, "import probe\n", "", 1))
		if err != nil {
			t.Errorf("%s: %s: %v", u.name, u.expr, err)
			continue
		}
		tried++
		in := prog.NewInstance()
		err = in.Run(t.Context())
		var e *runnel.Error
		if errors.As(err, &e) && e.Kind != "RaceError" && e.Kind != "IndexError" {
			t.Errorf("%s: %s: %v", u.name, u.expr, err)
		}
		// A place that has not been written is what a race may leave: to read it throws.
		if err := vmtest.CheckGlobals(in.VM()); err != nil && !strings.Contains(err.Error(), "{0x0, ") {
			t.Errorf("%s: %s: %v", u.name, u.expr, err)
		}
		in.Close()
	}
	require.Greater(t, tried, 60)
}
