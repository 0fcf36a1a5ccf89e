package runnel_test

import (
	"context"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
)

func TestASessionFoldsWhatIsLong(t *testing.T) {
	s, err := runnel.MustNew().NewSession()
	require.NoError(t, err)
	defer s.Close()
	for _, c := range []struct{ entry, begins, ends string }{
		{`(0..10000).to_list()`, "[0, 1, 2, ", ", 39, ... 9,960 more]"},
		{`(0..50).to_list()`, "[0, 1, ", ", 48, 49]"},
		{`[(0..10000).to_list()]`, "[[0, 1, ", ", 11, ... 9,988 more]]"},
		{`[[[(0..10000).to_list()]]]`, "[[[[0, 1, 2, ", "2, ... 9,997 more]]]]"},
		{`{ let m = map<int, int>(); for i in 0..1234567 / 100 { m[i] = i }; m }`, "{0: 0, 1: 1, ", ", 39: 39, ... 12,305 more}"},
		{`{ let m = set<int>(); for i in 0..1000 { m.add(i) }; m }`, "set(0, 1, ", ", 39, ... 960 more)"},
		{`"a".repeat(1000000)`, `"aaa`, `aaa" ... 999,000 more bytes`},
		{`["b", "a".repeat(1000)]`, `["b", "aaa`, `aaa" ... 700 more bytes]`},
		{`"€".repeat(1000)`, `"€€`, `€€" ... 2,001 more bytes`},
		{`bytes("a".repeat(2000))`, `b"aaa`, `aaa" ... 1,000 more bytes`},
		{`(1, "a".repeat(10), [1])`, `(1, "aaaaaaaaaa", [1])`, ""},
		{`[[1]].map(|x| x)`, "[[1]]", ""},
		{`map<str, [int]>()`, "{}", ""},
	} {
		res, err := s.Eval(context.Background(), "entry", c.entry)
		require.NoError(t, err, c.entry)
		assert.Regexp(t, "^"+regexp.QuoteMeta(c.begins), res.Text, c.entry)
		assert.Regexp(t, regexp.QuoteMeta(c.ends)+"$", res.Text, c.entry)
	}
}
