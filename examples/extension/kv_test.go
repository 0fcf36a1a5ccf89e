package kv_test

import (
	"bytes"
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	kv "github.com/runnel-lang/runnel/examples/extension"
	"github.com/runnel-lang/runnel/runneltest"
)

// start starts a script that imports kv, and gives what it prints.
func start(t *testing.T, src string, opts ...runnel.Option) (*runnel.Instance, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	script := runneltest.Runner{Modules: []*runnel.Module{kv.Module()}, Host: runnel.Host{Stdout: &out}, Options: opts}
	return script.Start(t, "import kv\n"+src), &out
}

func TestAScriptUsesAStore(t *testing.T) {
	_, out := start(t, `
		let s = kv.open("users")
		print(s.get("ada"))
		print(s.set("ada", "36"), s.set(key: "ada", value: "37"), s.set("bob", "7"))
		print(s.get("ada") ?? "nobody")
		for e in s.entries("a") { print(e.key, e.value, e.version) }
		print(kv.valid_key("a b"), kv.valid_key("a".repeat(kv.max_key)), kv.patience)
	`)
	assert.Equal(t, "none\n1 2 1\n37\nada 37 2\nfalse true 5s\n", out.String())
}

func TestMisuseDoesNotCompile(t *testing.T) {
	rt := runnel.MustNew(runnel.WithModules(kv.Module()))
	for src, text := range map[string]string{
		`kv.open(1)`:                        "argument `name` of `open` must be `str`, but this is `int`",
		`kv.open("a").set("k", 1)`:          "argument `value` of `set` must be `str`, but this is `int`",
		`kv.open("a").set("k")`:             "missing argument `value` of `set`",
		`let n: int = kv.open("a").get("")`: "must be `int`, but this is `str?`",
		`kv.open("a").put("k", "v")`:        "`Store` has no `put`",
		`kv.open("a").watch(chan<str>())`:   "must be `chan<Entry>`, but this is `chan<str>`",
		`kv.Store()`:                        "Store",
	} {
		_, err := rt.Compile("script.rnl", "import kv\n"+src)
		var bad *runnel.CompileError
		if assert.ErrorAs(t, err, &bad, src) {
			assert.Contains(t, bad.Error(), text, src)
		}
	}
}

func TestErrorsHaveTheirCauses(t *testing.T) {
	inst, out := start(t, `
		let s = kv.open("users")
		try { s.set("a b", "") } catch e: HostError { print(e.message()) }
		pub fn spaces() { s.set("a b", "") }
		pub fn closed() { let s = kv.open("gone"); s.close(); s.close(); s.set("a", "") }
	`)
	assert.Equal(t, "store users: not a key: \"a b\"\n", out.String())
	_, err := inst.Call(t.Context(), "spaces")
	assert.ErrorIs(t, err, kv.ErrKey)
	_, err = inst.Call(t.Context(), "closed")
	assert.ErrorIs(t, err, kv.ErrClosed)
	assert.ErrorContains(t, err, "store gone: the store is closed")
	var e *runnel.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, 6, e.Trace[0].Line)
}

func TestWaitingIsCancelled(t *testing.T) {
	inst, out := start(t, `
		let s = kv.open("slow")
		print(try { timeout(5ms, || s.wait("x")) } catch e: Timeout { "too late" })
		let t = spawn { s.wait("x") }
		sleep(1ms)
		t.cancel()
		print(try { await t } catch e: TaskCancelled { "cancelled" })
		pub fn wait() -> str { s.wait("x") }
		pub fn give(v: str) { s.set("x", v) }
	`)
	assert.Equal(t, "too late\ncancelled\n", out.String())
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	_, err := inst.Call(ctx, "wait")
	require.ErrorIs(t, err, context.DeadlineExceeded)

	waiting, err := inst.Spawn(t.Context(), "wait")
	require.NoError(t, err)
	_, err = inst.Call(t.Context(), "give", "at last")
	require.NoError(t, err)
	got, err := waiting.Wait(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "at last", got)
}

func TestAScriptWatchesAStore(t *testing.T) {
	inst, _ := start(t, `
		pub fn watch(n: int) -> [str] {
			let s = kv.open("news")
			s.set("k1", "old")
			let changes = chan<kv.Entry>()
			let watching = spawn s.watch(changes)
			let seen = [changes.recv()!.value]      // what there was
			spawn {
				for i in 0..n { s.set("k${i % 2}", "${i}") }
				s.close()
			}
			for e in changes { seen.push("${e.key}=${e.value}v${e.version}") }
			await watching
			seen
		}
	`, runnel.WithWorkers(4))
	for range 20 {
		got, err := inst.Call(t.Context(), "watch", 5)
		require.NoError(t, err)
		assert.Equal(t, []any{"old", "k0=0v1", "k1=1v2", "k0=2v2", "k1=3v3", "k0=4v3"}, got)
	}
}

func TestWatchingEndsWithTheInstance(t *testing.T) {
	store := kv.Open("news")
	inst, _ := start(t, `pub fn watch(s: kv.Store) { s.watch(chan<kv.Entry>(1)) }`)
	watching, err := inst.Spawn(t.Context(), "watch", store)
	require.NoError(t, err)
	for i := range 3 { // more than there is room for
		_, err = store.Set("k", string(rune('a'+i)))
		require.NoError(t, err)
	}
	inst.Close()
	_, err = watching.Wait(t.Context())
	assert.Error(t, err)
}

// The host and its scripts may share a store: a handle is a pointer.
func TestTheHostSharesAStore(t *testing.T) {
	inst, _ := start(t, `pub fn count(s: kv.Store, n: int) { for i in 0..n { s.set("k${i}", "v") } }`, runnel.WithWorkers(4))
	count, err := runnel.Bind2[*kv.Store, int, runnel.None](inst, "count")
	require.NoError(t, err)
	store := kv.Open("shared")
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			_, err := count(t.Context(), store, 20)
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	entries := store.Entries("")
	require.Len(t, entries, 20)
	for _, e := range entries {
		assert.Equal(t, 16, e.Version)
	}
}

// A panic of an extension harms nobody; here it is one of a store that nobody
// has made.
func TestAPanicIsAnErrorOfTheScript(t *testing.T) {
	inst, _ := start(t, `
		pub fn wait(s: kv.Store) -> str { s.wait("x") }
		pub fn set(s: kv.Store) -> str { try { "${s.set("x", "")}" } catch e: HostError { e.message() } }
		pub fn fine() -> int { kv.open("a").set("k", "v") }
	`)
	broken := new(kv.Store) // its map is nil
	got, err := inst.Call(t.Context(), "set", broken)
	require.NoError(t, err)
	assert.Equal(t, "panic: assignment to entry in nil map", got)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	_, err = inst.Call(ctx, "wait", broken)
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	got, err = inst.Call(t.Context(), "fine")
	require.NoError(t, err)
	assert.Equal(t, 1, got)
}
