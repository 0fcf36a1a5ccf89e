package chrometrace

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// record is any record of the format that is written here.
type record struct {
	Ph, Name, Cat string
	Ts            *float64
	Pid, Tid      int
	ID            *uint64
	ID2           *struct{ Local string }
	Bp            string
	Args          map[string]any
}

// members that a record of each phase has; those in brackets are optional.
var members = map[string]string{
	"M": "ph name pid [tid] args",
	"B": "ph name cat ts pid tid args",
	"E": "ph name cat ts pid tid [args]",
	"b": "ph name cat ts pid id2 [args]",
	"e": "ph name cat ts pid id2 [args]",
	"s": "ph name cat ts pid tid id",
	"f": "ph name cat ts pid tid id bp",
}

// checkMembers fails unless a record has what its phase asks for and no more.
func checkMembers(t *testing.T, raw json.RawMessage) {
	t.Helper()
	var have map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(raw, &have))
	var phase string
	require.NoError(t, json.Unmarshal(have["ph"], &phase))
	require.Contains(t, members, phase, "%s", raw)
	known := strings.Fields(members[phase])
	for _, m := range known {
		if !strings.HasPrefix(m, "[") {
			require.Contains(t, have, m, "%s", raw)
		}
	}
	for m := range have {
		require.True(t, slices.Contains(known, m) || slices.Contains(known, "["+m+"]"), "%s in %s", m, raw)
	}
}

// tracks keeps what is open on each.
type tracks map[string][]string

func (o tracks) begin(track, name string) { o[track] = append(o[track], name) }

func (o tracks) end(t *testing.T, track, name string) {
	t.Helper()
	n := len(o[track])
	require.NotZero(t, n, "nothing is open on %s", track)
	require.Equal(t, o[track][n-1], name, track)
	o[track] = o[track][:n-1]
}

// inOrder reads the records and sorts them by time, as viewers do.
func inOrder(t *testing.T, text string) []record {
	t.Helper()
	var raws []json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(text), &raws), text)
	var records []record
	for _, raw := range raws {
		checkMembers(t, raw)
		var r record
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.DisallowUnknownFields()
		require.NoError(t, dec.Decode(&r), "%s", raw)
		records = append(records, r)
	}
	time := func(r record) float64 {
		if r.Ts == nil {
			return -1
		}
		return *r.Ts
	}
	slices.SortStableFunc(records, func(a, b record) int { return cmp.Compare(time(a), time(b)) })
	return records
}

// check fails unless text is a trace as the format defines it: members and
// their types, names of all tracks, slices that are balanced and nested, and
// arrows between open slices, all in the order of time.
func check(t *testing.T, text string) []record {
	t.Helper()
	records := inOrder(t, text)
	open, named, began := tracks{}, map[string]bool{}, map[uint64]string{}
	heads := map[uint64]bool{}
	for _, r := range records {
		lane := fmt.Sprintf("lane %d/%d", r.Pid, r.Tid)
		require.True(t, r.Ph == "M" || named[fmt.Sprint("lane ", r.Pid, "/", r.Tid)], "%s has no name", lane)
		switch r.Ph {
		case "M":
			named[lane] = named[lane] || strings.HasSuffix(r.Name, "_name")
		case "B":
			require.Empty(t, open[lane], "workers and threads do one thing at a time")
			open.begin(lane, r.Name)
		case "E":
			open.end(t, lane, r.Name)
		case "b":
			require.Less(t, len(open[r.ID2.Local]), 3) // the task, a message, the state
			open.begin(r.ID2.Local, r.Name)
		case "e":
			open.end(t, r.ID2.Local, r.Name)
		case "s":
			require.Len(t, open[lane], 1)
			require.True(t, began[*r.ID] == "" || r.Name == arrowJob.String(), "an arrow has one tail")
			began[*r.ID] = r.Name
		case "f":
			require.Len(t, open[lane], 1)
			require.Equal(t, "e", r.Bp)
			// Viewers join them by nothing but the number.
			require.Equal(t, r.Name, began[*r.ID], "%v", r)
			require.False(t, heads[*r.ID] && r.Name != arrowJob.String(), "an arrow has one head")
			heads[*r.ID] = true
		}
	}
	for track, names := range open {
		require.Empty(t, names, track)
	}
	return records
}
