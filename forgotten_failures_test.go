package runnel_test

import (
	"runtime"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/vm"
)

// A failure that is to be told when its handle is gone keeps nothing alive: neither
// one whose handle the script holds for ever, nor one that was awaited.
func TestFailuresToBeToldKeepNoInstance(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		told int
	}{
		"held for ever":   {"let failed = spawn { throw error(\"held\") }\nsleep(5ms)\n", 1},
		"awaited":         {"let failed = spawn { throw error(\"awaited\") }\nsleep(5ms)\ntry { await failed } catch e {}\n", 0},
		"holds its task":  {"struct Holding: Error { text: str, by: [task<()>]\n fn message() -> str { self.text } }\nlet all: [task<()>] = []\nall.push(spawn { throw Holding(\"h\", all) })\nsleep(5ms)\n", 1},
		"nobody holds it": {"spawn { throw error(\"gone\") }\nsleep(5ms)\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			var told []string
			begin := func() weak.Pointer[vm.Instance] {
				rt := runnel.MustNew(runnel.WithUnhandled(func(e *runnel.Error) {
					mu.Lock()
					defer mu.Unlock()
					told = append(told, e.Message)
				}))
				p, err := rt.Compile("s.rnl", c.src)
				require.NoError(t, err)
				inst, err := p.Start(t.Context())
				require.NoError(t, err)
				inst.Close()
				rt.Close()
				return weak.Make(inst.VM())
			}
			inst := begin()
			for end := time.Now().Add(5 * time.Second); inst.Value() != nil; time.Sleep(time.Millisecond) {
				require.True(t, time.Now().Before(end), "a closed instance stays")
				runtime.GC()
			}
			for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
				mu.Lock()
				n := len(told)
				mu.Unlock()
				if n >= c.told {
					break
				}
				runtime.GC()
			}
			mu.Lock()
			defer mu.Unlock()
			assert.Len(t, told, c.told)
		})
	}
}
