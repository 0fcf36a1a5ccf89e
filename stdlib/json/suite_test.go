package json_test

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/host"
)

// readCases reads a file of testdata: the texts of its cases by name.
func readCases(t *testing.T, file string) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	cases := map[string]string{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		name, rest, _ := strings.Cut(line, " ")
		cases[name] = unpack(t, rest)
	}
	return cases
}

// unpack joins Go strings, each with the number of its repetitions behind it, or one alone.
func unpack(t *testing.T, packed string) string {
	var text strings.Builder
	for packed != "" {
		quoted, err := strconv.QuotedPrefix(packed)
		require.NoError(t, err, packed)
		part, err := strconv.Unquote(quoted)
		require.NoError(t, err)
		number, rest, _ := strings.Cut(strings.TrimPrefix(packed[len(quoted):], " "), " ")
		n := 1
		if number != "" {
			n, err = strconv.Atoi(number)
			require.NoError(t, err)
		}
		text.WriteString(strings.Repeat(part, n))
		packed = rest
	}
	return text.String()
}

// judge decodes each case in all the ways there are, and prints for each way
// whether it was accepted. An error that is no ValueError ends it.
const judge = `
import fs
import json

struct Skip { x: int }

fn says<T>(f: fn() -> T) -> str {
  try { f(); "y" } catch e: ValueError { if e.message().contains(" at ") { "n" } else { "?" } }
}

for name in fs.list("/") {
  let raw = fs.read_bytes("/" + name)
  if !raw.is_utf8() {
    print(name, "no text")
    continue
  }
  let text = str(raw)
  let verdicts = [
    if json.is_valid(text) { "y" } else { "n" },
    says(|| json.parse(text)),
    says(|| json.decode<[any]>(text)),
    says(|| json.decode<map<str, any>>(text)),
    says(|| json.decode<[float]>(text)),
    says(|| json.decode<[str]>(text)),
    says(|| json.decode<Skip>("{\"skipped\": ${text}, \"x\": 1}")),
  ]
  print(name, verdicts.join(""))
}
`

// The places of the verdicts.
const (
	byIsValid = iota
	byParse
	byList
	byMap
	byFloats
	byStrings
	bySkipping
)

// verdicts of cases by their names.
func verdicts(t *testing.T, cases map[string]string) map[string]string {
	t.Helper()
	files := fstest.MapFS{}
	for name, text := range cases {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	var out bytes.Buffer
	host := runnel.Host{Stdout: &out, FS: host.ReadOnlyFS{FS: files}}
	prog, err := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithHost(host)).Compile("judge.rnl", judge)
	require.NoError(t, err)
	in := prog.NewInstance()
	defer in.Close()
	require.NoError(t, in.Run(context.Background()))
	result := map[string]string{}
	for line := range strings.Lines(out.String()) {
		name, verdict, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		result[name] = verdict
	}
	require.Len(t, result, len(cases))
	return result
}

func TestJSONTestSuite(t *testing.T) {
	cases := readCases(t, "JSONTestSuite.txt")
	counts := map[byte]int{}
	for name := range cases {
		counts[name[0]]++
	}
	require.Equal(t, map[byte]int{'y': 95, 'n': 188, 'i': 35}, counts)
	requireVerdicts(t, cases, verdicts(t, cases))
}

func TestMoreCases(t *testing.T) {
	cases := readCases(t, "more.txt")
	requireVerdicts(t, cases, verdicts(t, cases))
}

func requireVerdicts(t *testing.T, cases, verdicts map[string]string) {
	for name, got := range verdicts {
		switch name[0] {
		case 'y':
			requireAccepted(t, name, cases[name], got)
		case 'n':
			require.Contains(t, []string{"no text", "nnnnnnn"}, got, name)
		}
	}
}

// requireAccepted looks at what a type can be decoded from too, as far as the
// name or the first byte tells it.
func requireAccepted(t *testing.T, name, text, got string) {
	t.Helper()
	require.Equal(t, "yy", got[:byList], name)
	if !strings.Contains(name, "_512_") { // one level more is too deep
		require.Equal(t, byte('y'), got[bySkipping], name)
	}
	for first, way := range map[string]int{"[": byList, "{": byMap} {
		require.Equal(t, strings.HasPrefix(strings.TrimSpace(text), first), got[way] == 'y', name)
	}
	if first := text[0]; strings.HasPrefix(name, "y_number_") && first == '[' {
		require.Equal(t, byte('y'), got[byFloats], name)
	}
	if first := text[0]; strings.HasPrefix(name, "y_string_") && first == '[' {
		require.Equal(t, byte('y'), got[byStrings], name)
	}
}

// What the suite leaves open: we refuse what is not UTF-8, a byte order mark and
// numbers beyond a float, and replace halves of surrogates by U+FFFD. Where the
// text is JSON all the same, is_valid says so.
func TestWhatTheSuiteLeavesOpen(t *testing.T) {
	cases := readCases(t, "JSONTestSuite.txt")
	tooBig := []string{"i_number_huge_exp", "i_number_neg_int_huge_exp", "i_number_pos_double_huge_exp", "i_number_real_neg_overflow", "i_number_real_pos_overflow"}
	accepted := []string{
		"i_number_double_huge_neg_exp", "i_number_real_underflow", "i_number_too_big_neg_int", "i_number_too_big_pos_int", "i_number_very_big_negative_int",
		"i_object_key_lone_2nd_surrogate", "i_string_1st_surrogate_but_2nd_missing", "i_string_1st_valid_surrogate_2nd_invalid",
		"i_string_incomplete_surrogate_and_escape_valid", "i_string_incomplete_surrogate_pair", "i_string_incomplete_surrogates_escape_valid",
		"i_string_invalid_lonely_surrogate", "i_string_invalid_surrogate", "i_string_inverted_surrogates_U+1D11E", "i_string_lone_second_surrogate",
		"i_structure_500_nested_arrays",
	}
	for name, got := range verdicts(t, cases) {
		switch {
		case name[0] != 'i' || got == "no text":
		case slices.Contains(tooBig, name):
			require.Equal(t, "yn", got[:byList], name)
		case slices.Contains(accepted, name):
			require.Equal(t, "yy", got[:byList], name)
		default: // a mark, and bytes of UTF-16 that are UTF-8 as well
			require.Contains(t, []string{"i_structure_UTF-8_BOM_empty_object", "i_string_utf16LE_no_BOM", "i_string_utf16BE_no_BOM"}, name)
			require.Equal(t, "nn", got[:byList], name)
		}
	}
}
