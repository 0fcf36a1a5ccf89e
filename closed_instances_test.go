package runnel_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/actor"
	"github.com/runnel-lang/runnel/stdlib/reactive"
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
			isCollected(t, inst)
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

func isCollected(t *testing.T, inst weak.Pointer[vm.Instance]) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); inst.Value() != nil; time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(end), "a closed instance stays")
		runtime.GC()
	}
}

// What a host still hears of an instance when it closes it, or holds of it, keeps
// nothing of it alive: not for what the host has let go of.
func TestSubscribersKeepNoClosedInstance(t *testing.T) {
	const src = `
		import actor
		import reactive
		enum Msg { Add(n: int) }
		struct Sum { fn receive(m: Msg, ctx: actor.Context<Msg>) {} }
		pub let cell = reactive.cell(1)
		pub let double = reactive.computed(|| 2 * cell.get())
		let sum = actor.start(Sum())
		pub fn watched() -> actor.Ref<Msg> { sum }
		pub fn adds() -> fn(int) -> int { |n| n + cell.get() }
		let numbers = chan<int>(1)
		pub fn channel() -> chan<int> { numbers }
	`
	for name, use := range map[string]func(t *testing.T, inst *runnel.Instance){
		"a subscription": func(t *testing.T, inst *runnel.Instance) {
			v, err := runnel.Get[*reactive.Value[int]](inst, "double")
			require.NoError(t, err)
			_, err = v.Subscribe(context.Background(), func(int) {})
			require.NoError(t, err)
		},
		"a channel of values": func(t *testing.T, inst *runnel.Instance) {
			v, err := runnel.Get[*reactive.Cell[int]](inst, "cell")
			require.NoError(t, err)
			_, err = v.Values(context.Background())
			require.NoError(t, err)
		},
		"a listener": func(t *testing.T, inst *runnel.Instance) {
			_, err := reactive.OnError(inst, func(reactive.Failure) {})
			require.NoError(t, err)
		},
		"a watched actor": func(t *testing.T, inst *runnel.Instance) {
			f, err := runnel.Bind0[*actor.Ref](inst, "watched")
			require.NoError(t, err)
			ref, err := f(t.Context())
			require.NoError(t, err)
			require.NoError(t, ref.Watch(func(actor.Exit) {}))
			_ = ref.Done()
		},
		"a function": func(t *testing.T, inst *runnel.Instance) {
			f, err := runnel.Bind0[func(int) (int, error)](inst, "adds")
			require.NoError(t, err)
			add, err := f(t.Context())
			require.NoError(t, err)
			_, err = add(1)
			require.NoError(t, err)
		},
		"a channel": func(t *testing.T, inst *runnel.Instance) {
			f, err := runnel.Bind0[*runnel.Chan[int]](inst, "channel")
			require.NoError(t, err)
			_, err = f(t.Context())
			require.NoError(t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			begin := func() weak.Pointer[vm.Instance] {
				rt := runnel.MustNew(runnel.WithModules(actor.Module, reactive.Module))
				p, err := rt.Compile("s.rnl", src)
				require.NoError(t, err)
				inst, err := p.Start(t.Context())
				require.NoError(t, err)
				use(t, inst)
				inst.Close()
				rt.Close()
				return weak.Make(inst.VM())
			}
			isCollected(t, begin())
		})
	}
}
