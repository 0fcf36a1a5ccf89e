package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/bench/internal/figures"
)

func TestAClaimIsJudgedByTheLeastTimes(t *testing.T) {
	for _, c := range []struct {
		name       string
		ours, base []float64
		measured   float64
		says       string
	}{
		{"as claimed", []float64{2, 2.1}, []float64{4, 4.1}, 0.5, "holds"},
		{"worse within the factor", []float64{2.9, 9}, []float64{4, 4}, 0.725, "holds"},
		{"better than claimed", []float64{1}, []float64{4}, 0.25, "holds"},
		{"too slow", []float64{3.1, 3.2}, []float64{4, 4.1}, 0.775, "DOES NOT HOLD"},
		{"too slow beside a reference that is not sure", []float64{3.1, 3.2}, []float64{4, 6, 6}, 0.775,
			"not quiet: not judged (the reference's times are 50 % apart)"},
	} {
		v := judge(0.5, c.ours, c.base)
		assert.InDelta(t, c.measured, v.measured, 1e-9, c.name)
		assert.Equal(t, c.says, v.String(), c.name)
		assert.Equal(t, c.says == "DOES NOT HOLD", v.broken(), c.name)
	}
}

const claimsReadme = `<!-- measured: embed -->
| | call, ns | back, ns |
|---|---|---|
| **Runnel** | 100 | 20 |
| gopher-lua | 200 | 80 |
<!-- end: embed -->
`

func someClaims() []claim {
	return slices.DeleteFunc(allClaims(), func(c claim) bool { return c.section != "embed" || strings.HasPrefix(c.column, "fresh") })
}

func TestWhatDoesNotSeemToHoldIsMeasuredAgain(t *testing.T) {
	var measured [][]string
	verdicts, err := measureClaims(someClaims(), claimsReadme, watch{}, func(name string, columns []string) (figures.Results, error) {
		measured = append(measured, columns)
		slow := 4 / float64(len(measured)) // calls are slow in the first two measurements
		return figures.Results{
			{Row: "Runnel", Column: "call", Values: []float64{50 * slow}}, {Row: "gopher-lua", Column: "call", Values: []float64{100}},
			{Row: "Runnel", Column: "back", Values: []float64{40}}, {Row: "gopher-lua", Column: "back", Values: []float64{120}},
		}, nil
	})
	require.NoError(t, err)
	assert.Equal(t, [][]string{{"call", "back"}, {"call"}, {"call"}}, measured)
	var out strings.Builder
	require.NoError(t, reportClaims(&out, someClaims(), verdicts, watch{}))
	assert.Equal(t, `| claim | README | here | |
|---|---|---|---|
| embed call: Runnel to gopher-lua | 0.50 | 0.67 | holds |
| embed back: Runnel to gopher-lua | 0.25 | 0.33 | holds |
`, out.String())
}

func TestABrokenClaimFailsUnlessOthersKeepTheMachineBusy(t *testing.T) {
	verdicts, err := measureClaims(someClaims(), claimsReadme, watch{}, func(string, []string) (figures.Results, error) {
		return figures.Results{
			{Row: "Runnel", Column: "call", Values: []float64{100}}, {Row: "gopher-lua", Column: "call", Values: []float64{100}},
			{Row: "Runnel", Column: "back", Values: []float64{20}}, {Row: "gopher-lua", Column: "back", Values: []float64{80}},
		}, nil
	})
	require.NoError(t, err)
	var out strings.Builder
	assert.EqualError(t, reportClaims(&out, someClaims(), verdicts, watch{}),
		"what README says does not hold:\nembed call: Runnel to gopher-lua is 1.00, README says 0.50")
	assert.Contains(t, out.String(), "| 0.50 | 1.00 | DOES NOT HOLD |")

	if busySeconds() == 0 {
		t.Skip("this system does not tell how busy it is")
	}
	loud := watch{began: time.Now().Add(-time.Second), busy: 1e-9} // all that this machine has ever done, in a second
	assert.NoError(t, reportClaims(&out, someClaims(), verdicts, loud))
	assert.Contains(t, out.String(), "| 0.50 | 1.00 | not quiet: not judged |\n| embed back: Runnel to gopher-lua | 0.25 | 0.25 | holds |\n\nother processes took ")
}

func TestAClaimWithoutAFigureOrAMeasurementIsAnError(t *testing.T) {
	none := func(string, []string) (figures.Results, error) { return nil, nil }
	_, err := measureClaims(someClaims(), strings.Replace(claimsReadme, "| 100 |", "| – |", 1), watch{}, none)
	assert.EqualError(t, err, "embed call: Runnel to gopher-lua: no figure of Runnel for call, ns")
	_, err = measureClaims(someClaims(), claimsReadme, watch{}, none)
	assert.EqualError(t, err, "embed call: Runnel to gopher-lua: it was not measured")
}

func TestOwnWorkIsNotThatOfOthers(t *testing.T) {
	if busySeconds() == 0 {
		t.Skip("this system does not tell how busy it is")
	}
	w := newWatch()
	for end := time.Now().Add(50 * time.Millisecond); time.Now().Before(end); {
	}
	assert.Greater(t, ownSeconds(), w.own)
	_, known := w.others()
	assert.True(t, known)
	_, known = watch{}.others()
	assert.False(t, known)
}
