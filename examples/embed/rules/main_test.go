package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
)

func TestRun(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out))
	assert.Contains(t, out.String(), "A1 bulk          discount (14 pieces)\n")
	assert.Contains(t, out.String(), "C3 blocked       reject (mallory is blocked)\n")
	assert.Contains(t, out.String(), "! rule pairs for order B2: slow.rnl:6:21: LimitError: the limit of 100000 steps of a call is reached\n")
	assert.Contains(t, out.String(), "! discounts.rnl stays as it was: error[E0210]: `Customer` has no `order`\n")
	before, after, _ := strings.Cut(out.String(), "== one is mended")
	assert.NotContains(t, before, "B2 pairs")
	assert.Contains(t, after, "B2 pairs", "the mended rule")
	assert.Contains(t, after, "A1 loyal", "the former version of the broken file")
}

func files(rules map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, body := range rules {
		fsys[name] = &fstest.MapFile{Data: []byte("import shop\n" + body)}
	}
	return fsys
}

func TestARuleWithAnotherSignatureIsRefused(t *testing.T) {
	e, err := NewEngine(runnel.Limits{})
	require.NoError(t, err)
	defer e.Close()
	errs := e.Reload(t.Context(), files(map[string]string{"a.rnl": `pub fn wrong(n: int) -> bool { n > 1 }`}))
	require.Len(t, errs, 1)
	assert.ErrorContains(t, errs[0], "cannot bind `fn wrong(int) -> bool`")
}

func TestAFileGoesOnAfterARuleThatLoops(t *testing.T) {
	for text, limits := range map[string]runnel.Limits{
		"50000 steps":            {CallSteps: 50_000},
		"the time limit of 20ms": {Time: 20 * time.Millisecond},
	} {
		e, err := NewEngine(limits)
		require.NoError(t, err)
		defer e.Close()
		require.Empty(t, e.Reload(t.Context(), files(map[string]string{"a.rnl": `
			pub fn fine(o: shop.Order) -> shop.Verdict? { shop.Verdict("ok", o.id, 0) }
			pub fn loops(o: shop.Order) -> shop.Verdict? { if o.express { loop {} }; none }
		`})))
		for range 5 {
			verdicts, errs := e.Judge(t.Context(), Order{ID: "1", Express: true})
			require.Len(t, errs, 1)
			assert.ErrorContains(t, errs[0], text)
			assert.Equal(t, []Judgement{{Verdict{"ok", "1", 0}, "fine"}}, verdicts)
		}
	}
}

func TestFilesAreReloadedWhileOrdersAreJudged(t *testing.T) {
	e, err := NewEngine(runnel.Limits{Time: time.Minute})
	require.NoError(t, err)
	defer e.Close()
	version := func(n int) fstest.MapFS {
		return files(map[string]string{"a.rnl": fmt.Sprintf(`pub fn v(o: shop.Order) -> shop.Verdict? { shop.Verdict(o.id, "%d", 0) }`, n)})
	}
	require.Empty(t, e.Reload(t.Context(), version(0)))
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for last := ""; ctx.Err() == nil; {
				verdicts, errs := e.Judge(t.Context(), Order{ID: "x"})
				assert.Empty(t, errs)
				if assert.Len(t, verdicts, 1) {
					assert.GreaterOrEqual(t, verdicts[0].Reason, last)
					last = verdicts[0].Reason
				}
			}
		})
	}
	for n := range 9 {
		require.Empty(t, e.Reload(t.Context(), version(n+1)))
	}
	cancel()
	wg.Wait()
}
