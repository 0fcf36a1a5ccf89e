package journal_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/journal"
	"github.com/runnel-lang/runnel/vm/host"
)

const first = "00000000000000000000.events"

var rounds = flag.Int("rounds", 3, "how often the power fails at each operation, in how many ways")

// grow opens the journal in d, tells what is in it, adds an event and tells
// again. What is damaged stays as it is.
const grow = `
import journal

fn read(store: journal.Files<str, int>) -> [str] {
  let state = store.load()
  assert(state == none, "no state was saved")
  store.read(0).to_list()
}

let store = journal.files<str, int>("d")
try {
  let found = read(store)
  for text in found { print(text) }
  store.append(found.len(), ["more"])
  store.close()
  found.push("more")
  assert(read(store) == found, "what was read is read again, and what was added")
} catch e: journal.Damaged { print("damaged") } catch e: ValueError { print("damaged") }
store.close()
`

// program is one that can be run again and again, with what it prints.
type program struct {
	*runnel.Program
	out *bytes.Buffer
}

func compile(t testing.TB, files host.FileSystem, src string) program {
	t.Helper()
	out := &bytes.Buffer{}
	host := runnel.Host{Stdout: host.NewUnbufferedOutput(out), FS: files}
	prog, err := runnel.MustNew(runnel.WithModules(journal.Module), runnel.WithHost(host)).Compile("test.rnl", src)
	require.NoError(t, err)
	return program{prog, out}
}

func (p program) run() (string, error) {
	p.out.Reset()
	in := p.NewInstance()
	defer in.Close()
	err := in.Run(context.Background())
	return p.out.String(), err
}

func TestAJournalNeedsTheGrantOfFiles(t *testing.T) {
	_, err := compile(t, nil, "import journal\njournal.files<str, int>(\"d\").load()").run()
	require.ErrorContains(t, err, "grant")
}

// Whatever stands in a file: its whole records are read and no others, and the journal goes on behind them or says
// that it is damaged. The first n bytes are those of a sound journal.
func FuzzRecovery(f *testing.F) {
	f.Add(uint8(200), []byte(nil))
	f.Add(uint8(30), []byte("\x00\x00"))
	f.Add(uint8(47), []byte("12345678 2 1 [\"three\"]\n"))
	d := newDisk(math.MaxInt) // a real one takes its time
	write := compile(f, d, `import journal
		let store = journal.files<str, int>("d")
		store.load()
		store.read(0).to_list()
		for text in ["one", "two", "three"] { store.append(store.next(), [text, text + "!"]) }`)
	_, err := write.run()
	require.NoError(f, err)
	name := path.Join("d", first)
	whole := d.names[name].data
	records := bytes.SplitAfter(whole, []byte("\n"))
	read := compile(f, d, grow)
	f.Fuzz(func(t *testing.T, n uint8, rest []byte) {
		data := append(whole[:min(int(n), len(whole)):min(int(n), len(whole))], rest...)
		d.names, d.changes = map[string]*inode{name: {data: bytes.Clone(data)}}, nil
		out, err := read.run()
		require.NoError(t, err)
		if out == "damaged\n" {
			require.True(t, bytes.Equal(data, d.names[name].data))
			return
		}
		var sure strings.Builder // of records that are whole
		for i, text := range []string{"one", "two", "three"} {
			if bytes.HasPrefix(data, bytes.Join(records[:i+1], nil)) {
				fmt.Fprintf(&sure, "%[1]s\n%[1]s!\n", text)
			}
		}
		require.True(t, strings.HasPrefix(out, sure.String()), "%q gives %q", data, out)
	})
}

// live reads the journal, which must hold the numbers from 0 on, and adds some:
// of each state and batch it tells before and after. A text is larger than a sector.
const live = `
import journal

let store = journal.files<(int, str), int>("d")
let state = store.load()
var n = 0
if let (at, saved) = state {
  assert(at == saved, "a state is that of its number")
  n = at
}
for event in store.read(n) {
  assert(event.0 == n, "${event.0} follows ${n}")
  n += 1
}
print("found", n)
for round in 0..5 {
  let events = (n..n + 1 + round % 3).map(|i| (i, "x".repeat(i * 97 % 700)))
  print("adds", n + events.len())
  store.append(n, events)
  n += events.len()
  print("has", n)
  if round % 2 == 1 { store.save(n, n) }
}
`

// Wherever the power fails or the program is ended, and whatever has reached the disk by then: what append
// has returned for and what was read is there, in its order, nothing else, and the journal goes on.
func TestTheJournalSurvivesALossOfPower(t *testing.T) {
	files := &changing{}
	prog := compile(t, files, live)
	r := rand.New(rand.NewPCG(1, 2))
	whole := newDisk(1 << 30)
	files.FileSystem = whole
	_, err := prog.run()
	require.NoError(t, err)
	all := 1<<30 - whole.ops
	require.Greater(t, all, 30)
	for ops := range all + 1 {
		for range *rounds {
			d, sure, tried := newDisk(ops), 0, 0
			for range 4 { // lives
				files.FileSystem = d
				out, err := prog.run()
				if err != nil {
					require.ErrorContains(t, err, errPower.Error(), "after %d operations", ops)
				}
				most := sure
				for line := range strings.Lines(out) {
					var what string
					var n int
					_, err := fmt.Sscan(line, &what, &n)
					require.NoError(t, err)
					switch what {
					case "found":
						require.GreaterOrEqual(t, n, sure, "after %d operations: an event is lost", ops)
						require.LessOrEqual(t, n, tried, "after %d operations: what was never added is there", ops)
						most = n
					case "adds":
						tried = n
					case "has":
						most = n
					}
				}
				sure = most
				if d.ops = r.IntN(all); r.IntN(2) == 0 { // else only the program was ended
					d = d.afterCrash(r, d.ops)
				}
			}
		}
	}
}

// changing is a file system that is another one in each run.
type changing struct{ host.FileSystem }
