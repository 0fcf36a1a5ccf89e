package json

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The cases are those of JSONTestSuite, by what every parser must accept or
// refuse, and the ones it leaves open that we settle.
var accepted = []string{
	`[]`, `{}`, `[1]`, ` [ 1 , 2 ] `, "\t\r\n[\n]", `"x"`, `1`, `-0`, `0`, `0.5`, `-1.5e+10`, `1E400`, `1e-400`,
	`[0e1]`, `[0e+1]`, `[123456789012345678901234567890]`, `true`, `false`, `null`, `""`, `"\u0000"`,
	`"\"\\\/\b\f\n\r\t"`, `"\ud83d\ude00"`, `"\ud800"`, `"\ude00\ud800"`, `"\uD834\u0041"`, `{"a":1,"a":2}`, `{"":0}`,
	`{"a":{"b":[{}]}}`, "\"\u2028\u2029\"", "\"\x7f\"", `"é世😀"`, `[[[[]]]]`, `[null, 1, "1", {}]`, `[-0.0]`, `[1,2]` + "\n",
}

var refused = []string{
	``, ` `, `[`, `]`, `{`, `}`, `[1`, `[1,`, `[1,]`, `[,1]`, `[1 2]`, `[1,,2]`, `[1]]`, `[]x`, `{"a"}`, `{"a":}`, `{"a":1,}`,
	`{,}`, `{a:1}`, `{'a':1}`, `{1:1}`, `{"a" 1}`, `{"a":1 "b":2}`, `{"a":1}}`, `"`, `"a`, `"\`, `"\"`, `"\x"`, `"\u12"`,
	`"\u12G4"`, `"\u"`, `"\U0041"`, "\"a\nb\"", "\"\t\"", "\"\x00\"", `01`, `-01`, `+1`, `.5`, `1.`, `1.e1`, `1e`, `1e+`, `-`, `--1`,
	`0x10`, `1_000`, `NaN`, `Infinity`, `-Infinity`, `nul`, `nulL`, `TRUE`, `tru`, `truex`, `// c` + "\n1", `[1/**/]`, `1 2`,
	"\ufeff[]", "\u00a01", "[\f]", "[\v1]", `'a'`, `[1:2]`, `{"a"::1}`, `[*]`, `[-]`, `[1e1.5]`, `[0.1.2]`, `😀`, "\xff",
}

func TestAcceptsJSON(t *testing.T) {
	for _, text := range accepted {
		require.True(t, valid(text, nil), "%s", text)
	}
}

func TestRefusesWhatIsNoJSON(t *testing.T) {
	for _, text := range refused {
		require.False(t, valid(text, nil), "%s", text)
	}
}

func TestNestingIsBounded(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	require.True(t, valid(nested(maxDepth), nil))
	require.False(t, valid(nested(maxDepth+1), nil))
	require.False(t, valid(strings.Repeat("[", 1_000_000), nil))
	require.False(t, valid(strings.Repeat(`{"a":`, 1_000_000), nil))
}

func TestEscapesAreReplaced(t *testing.T) {
	for text, want := range map[string]string{
		`a\"\\\/\b\f\n\r\tz"`:    "a\"\\/\b\f\n\r\tz",
		`\u0041\u00e9\u4e16"`:    "Aé世",
		`\ud83d\ude00"`:          "😀",
		`\ud800"`:                "\ufffd",
		`\ud800\u0041"`:          "\ufffdA",
		`\ude00x"`:               "\ufffdx",
		`\ud800\ud83d\ude00"`:    "\ufffd😀",
		`\ufffd"`:                "\ufffd",
		`\ud800\n"`:              "\ufffd\n",
		`plain" and what follow`: "plain",
	} {
		got, end, err := escapedString(nil, text, 0)
		require.Nil(t, err, text)
		require.Equal(t, want, string(got), text)
		require.Equal(t, byte('"'), text[end-1])
	}
}

func TestPlaceTellsLineColumnAndPath(t *testing.T) {
	text := `{"items": [1, {"price": 2, "a key": [true, "x,y", {"deep": 1}]}],
  "é": null}`
	for _, c := range []struct{ at, want string }{
		{`{"items`, "1:1"},
		{`[1`, "1:11 (items)"},
		{`1,`, "1:12 (items[0])"},
		{`{"price`, "1:15 (items[1])"},
		{`2,`, "1:25 (items[1].price)"},
		{`true`, `1:38 (items[1]["a key"][0])`},
		{`"x,y"`, `1:44 (items[1]["a key"][1])`},
		{`1}]`, `1:60 (items[1]["a key"][2].deep)`},
		{`null`, `2:8 (["é"])`},
	} {
		require.Equal(t, c.want, place(text, strings.Index(text, c.at)), c.at)
	}
	require.Equal(t, "1:1", place("", 0))
	require.Equal(t, "2:13", place(text, len(text)+5))
}

func TestIntsAreReadUpToTheirBounds(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "-0": 0, "-1": -1, "999999999999999999": 999999999999999999,
		"9223372036854775807": math.MaxInt64, "-9223372036854775808": math.MinInt64,
	} {
		got, ok := parseInt(text)
		require.True(t, ok, text)
		require.Equal(t, want, got)
	}
	for _, text := range []string{"9223372036854775808", "-9223372036854775809", "100000000000000000000"} {
		_, ok := parseInt(text)
		require.False(t, ok, text)
	}
}

func TestFloatsReadBackAsTheyWere(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0.0", 1: "1.0", -2.5: "-2.5", 1e6: "1000000.0", 1e20: "100000000000000000000.0", 1e21: "1e+21",
		1e-6: "0.000001", 1e-7: "1e-07", 0.1: "0.1", math.MaxFloat64: "1.7976931348623157e+308", 5e-324: "5e-324",
		123456789.125: "123456789.125",
	} {
		got := string(AppendFloat(nil, f))
		require.Equal(t, want, got)
		_, whole, err := number(got, 0)
		require.Nil(t, err)
		back, ok := parseFloat(got, whole)
		require.True(t, ok)
		require.Equal(t, f, back)
	}
	negative := string(AppendFloat(nil, math.Copysign(0, -1)))
	require.Equal(t, "-0.0", negative)
	for text, want := range map[string]float64{"0": 0, "12": 12, "999999999999999": 999999999999999, "1e3": 1000, "-7": -7} {
		_, whole, _ := number(text, 0)
		got, ok := parseFloat(text, whole)
		require.True(t, ok)
		require.Equal(t, want, got)
	}
	_, ok := parseFloat("1e400", false)
	require.False(t, ok)
}

// FuzzValid compares with Go's parser. They differ on purpose in two points: Go
// nests deeper, and Go lets invalid UTF-8 pass only by replacing it, which both
// do not look at.
func FuzzValid(f *testing.F) {
	for _, text := range accepted {
		f.Add(text)
	}
	for _, text := range refused {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := valid(text, nil)
		if strings.Count(text, "[")+strings.Count(text, "{") <= maxDepth {
			require.Equal(t, json.Valid([]byte(text)), got, strconv.Quote(text))
		}
		for _, pos := range []int{0, len(text) / 2, len(text)} {
			require.NotEmpty(t, place(text, pos))
		}
	})
}
