package vm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

func TestConcat(t *testing.T) {
	f, _ := newFixture(Limits{})
	a, b, empty := textOf(vs("ab")), textOf(vs("cé")), textOf(vs(""))
	require.Equal(t, "abcé", concat(f.w, a, b).String())
	require.Same(t, a, concat(f.w, a, empty))
	require.Same(t, b, concat(f.w, empty, b))
	require.Equal(t, uint32(bytecode.IDBytes), concat(f.w, textOf(vb("a")), textOf(vb("b"))).Type)
	require.Equal(t, "abcéab", concatN(f.w, []Value{pv(a), pv(b), pv(empty), pv(a)}).String())
	e := caught(func() { concatN(f.w, []Value{pv(a), {}}) })
	require.Equal(t, ErrRace, e.kind)
}

func TestHashOfATextIsCachedAndNeverZero(t *testing.T) {
	s := textOf(vs("some text"))
	h := s.hash()
	require.NotZero(t, h)
	require.Equal(t, h, s.Aux)
	require.Equal(t, h, textOf(vs("some text")).hash())
	require.NotEqual(t, h, textOf(vs("other text")).hash())
}

func TestOneCharacterTextsAreShared(t *testing.T) {
	f, _ := newFixture(Limits{})
	require.Same(t, charStr(f.w, "x"), charStr(f.w, "x"))
	require.Equal(t, "é", charStr(f.w, "é").String())
}

func TestParseDuration(t *testing.T) {
	f, tt := newFixture(Limits{})
	for text, want := range map[string]int64{"1m30s": 90e9, "-2ms": -2e6, "1.5us": 1500, "0s": 0} {
		got := f.call("str.parse_duration", tt.optInt, vs(text))
		require.NotNil(t, got.p, text)
		require.Equal(t, want, got.Int())
	}
	require.Nil(t, f.call("str.parse_duration", tt.optInt, vs("5 apples")).p)
}

func TestMessagesCutLongTexts(t *testing.T) {
	f, _ := newFixture(Limits{})
	long := f.throws(t, ErrValue, "core.int", bytecode.IDInt, vs(strings.Repeat("é", 1000)))
	require.Less(t, len(long), 100)
	require.Contains(t, long, `é"... is not an int`)
}
