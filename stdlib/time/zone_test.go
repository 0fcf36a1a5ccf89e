package time_test

import (
	"errors"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/runneltest"
	rtime "github.com/runnel-lang/runnel/stdlib/time"
)

// run returns what a program prints on a host, and the error that ends it.
func run(t *testing.T, src string, host runnel.Host) (string, error) {
	t.Helper()
	o := runneltest.Runner{Name: "test.rnl", Modules: []*runnel.Module{rtime.Module}, Host: host}.Run(t, "import time\n"+src)
	return o.Printed, o.Err
}

func TestZonesAreThoseOfTheDatabase(t *testing.T) {
	out, err := run(t, `
let paris = time.zone("Europe/Paris")
let t = time.date(2024, 7, 1, 12)
print(paris.name(), paris.at(t).iso(), paris.abbreviation(t), paris.is_dst(t), paris.is_dst(time.date(2024, 1, 1)))
print(paris.date(2024, 1, 1).iso(), paris.date(2024, 1, 1).utc().iso())
let skipped = paris.date(2024, 3, 31, 2, 30).utc().iso()
print(skipped == "2024-03-31T00:30:00Z" || skipped == "2024-03-31T01:30:00Z")
print(try { paris.date(2024, 2, 30); "" } catch e: ValueError { e.text })
for name in ["Nowhere/Land", "../etc/passwd"] {
  print(try { time.zone(name).name() } catch e: IoError { "${e.kind} ${e.text.starts_with("cannot find the time zone")}" })
}
`, runnel.Host{Grants: []any{rtime.SystemZones{}}})
	require.NoError(t, err)
	require.Equal(t, `Europe/Paris 2024-07-01T14:00:00+02:00 CEST true false
2024-01-01T00:00:00+01:00 2023-12-31T23:00:00Z
true
time: the day 30 is not in 1..=29
NotFound true
NotFound true
`, out)
}

func TestZonesAreGranted(t *testing.T) {
	_, err := run(t, `time.zone("Europe/Paris")`, runnel.Host{})
	require.ErrorContains(t, err, "does not grant this program access to time zones")
	out, err := run(t, `print(time.local_zone().at(time.date(2024, 3, 5)).hour())`, runnel.Host{Location: time.FixedZone("", 7200)})
	require.NoError(t, err)
	require.Equal(t, "2\n", out)
}

// A slow lookup is waited for by its task only, and a timeout ends the wait.
type slowZones chan struct{}

func (z slowZones) LoadLocation(string) (*time.Location, error) {
	<-z
	return nil, errors.New("late")
}

func TestALookupOfAZoneTimesOut(t *testing.T) {
	zones := make(slowZones)
	defer close(zones)
	out, err := run(t, `print(try { timeout(5ms, || time.zone("x").name()) } catch e: Timeout { "late" })`,
		runnel.Host{Grants: []any{zones}})
	require.NoError(t, err)
	require.Equal(t, "late\n", out)
}

func TestTickersRunWithoutAClock(t *testing.T) {
	out, err := run(t, `let ticks = time.every(1ms).take(3).to_list() // a busy machine misses some
print(ticks.len(), ticks == ticks.to_set().to_list().sort())`, runnel.Host{})
	require.NoError(t, err)
	require.Equal(t, "3 true\n", out)
}
