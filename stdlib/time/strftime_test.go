package time

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var sample = time.Date(2024, 3, 5, 17, 4, 9, 80_500_000, time.FixedZone("", 5400))

func TestFormatWritesEveryDirective(t *testing.T) {
	for format, want := range map[string]string{
		"%Y-%m-%d":       "2024-03-05",
		"%y %B %b %e %j": "24 March Mar  5 065",
		"%A %a %u %w":    "Tuesday Tue 2 2",
		"%G-W%V":         "2024-W10",
		"%H %I %p %M %S": "17 05 PM 04 09",
		"%L %f %N":       "080 080500 080500000",
		"%S%.f":          "09.0805",
		"%z %:z %Z":      "+0130 +01:30 +01:30",
		"%s":             "1709652849",
		"%F %T %R %D":    "2024-03-05 17:04:09 17:04 03/05/24",
		"%n%t%%":         "\n\t%",
		"":               "",
		"ü":              "ü",
	} {
		got, err := appendFormat(nil, sample, format)
		require.NoError(t, err, format)
		require.Equal(t, want, string(got), format)
	}
}

func TestFormatRefusesUnknownDirectives(t *testing.T) {
	for _, format := range []string{"%Q", "%", "a%", "%:", "%:Y", "%.z"} {
		_, err := appendFormat(nil, sample, format)
		require.Error(t, err, format)
		_, err = parse("x", format)
		require.Error(t, err, format)
	}
}

func TestParseReadsWhatFormatWrites(t *testing.T) {
	for _, format := range []string{
		"%FT%T%.f%:z", "%FT%T.%N%z", "%A, %e %B %Y %I:%M:%S.%f %p %:z", "%s.%N %z", "%Y/%j %T.%N%Z",
		"%D %T.%L%.f%z"[:5] + "%n%T.%N %z",
	} {
		text, err := appendFormat(nil, sample, format)
		require.NoError(t, err)
		got, err := parse(string(text), format)
		require.NoError(t, err, "%s", text)
		require.True(t, sample.Equal(got), "%s gives %s", text, got)
	}
}

func TestParseChecksRanges(t *testing.T) {
	for text, format := range map[string]string{
		"2024-02-30": "%F", "2023-02-29": "%F", "2024-13-01": "%F", "2024-00-01": "%F", "25:00": "%R",
		"12:60": "%R", "13 PM": "%I %p", "0 AM": "%I %p", "2024 366": "%Y %j", "9999-01-01": "%F",
		"2024-1-1x": "%F", "2024": "%F", "x": "%Y", "+99:00": "%z", "Foo": "%b", "2023 367": "%Y %j",
		"99999999999999": "%s",
	} {
		if text == "2024 366" { // a leap year
			_, err := parse(text, format)
			require.NoError(t, err)
			continue
		}
		_, err := parse(text, format)
		require.Error(t, err, text)
	}
}

func TestNoonAndMidnight(t *testing.T) {
	for text, hour := range map[string]int{"12 AM": 0, "1 AM": 1, "12 PM": 12, "11 pm": 23} {
		got, err := parse(text, "%I %p")
		require.NoError(t, err)
		require.Equal(t, hour, got.Hour(), text)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("2024-03-05T17:04:09Z", "%FT%T%:z")
	f.Add("5 Mar 24 12 AM", "%e %b %y %I %p")
	f.Fuzz(func(t *testing.T, text, format string) {
		if got, err := parse(text, format); err == nil {
			_, err := appendFormat(nil, got, format)
			require.NoError(t, err)
		}
	})
}
