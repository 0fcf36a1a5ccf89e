package time

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/runnel-lang/runnel/vm"
)

// errDirective reports an unknown directive of a format.
func errDirective(format string, at int) error {
	return fmt.Errorf("unknown directive %s in the format %s", vm.Quote(format[at:]), vm.Quote(format))
}

// directive is the one that starts with the % at format[i]: its letter, the
// modifier in front of it (':' or '.' or 0) and where the format goes on.
func directive(format string, i int) (letter, modifier byte, next int) {
	i++
	if i < len(format) && (format[i] == ':' || format[i] == '.') {
		modifier = format[i]
		i++
	}
	if i >= len(format) {
		return 0, modifier, i
	}
	return format[i], modifier, i + 1
}

// composite directives stand for a longer format.
var composite = map[byte]string{'F': "%Y-%m-%d", 'T': "%H:%M:%S", 'R': "%H:%M", 'D': "%m/%d/%y"}

// appendFormat writes t by a strftime format. The directives are listed in time.rnl.
func appendFormat(b []byte, t time.Time, format string) ([]byte, error) {
	for i := 0; i < len(format); {
		if format[i] != '%' {
			b = append(b, format[i])
			i++
			continue
		}
		letter, modifier, next := directive(format, i)
		switch {
		case modifier == ':' && letter == 'z':
			b = appendZone(b, t, ":")
		case modifier == '.' && letter == 'f':
			b = t.AppendFormat(b, ".999999999")
		case modifier != 0:
			return nil, errDirective(format, i)
		case composite[letter] != "":
			b, _ = appendFormat(b, t, composite[letter])
		default:
			var ok bool
			if b, ok = appendDirective(b, t, letter); !ok {
				return nil, errDirective(format, i)
			}
		}
		i = next
	}
	return b, nil
}

func appendDirective(b []byte, t time.Time, letter byte) ([]byte, bool) {
	switch letter {
	case 'Y':
		return appendPadded(b, t.Year(), 4), true
	case 'y':
		return appendPadded(b, t.Year()%100, 2), true
	case 'm':
		return appendPadded(b, int(t.Month()), 2), true
	case 'd':
		return appendPadded(b, t.Day(), 2), true
	case 'e':
		return fmt.Appendf(b, "%2d", t.Day()), true
	case 'j':
		return appendPadded(b, t.YearDay(), 3), true
	case 'H':
		return appendPadded(b, t.Hour(), 2), true
	case 'I':
		return appendPadded(b, (t.Hour()+11)%12+1, 2), true
	case 'M':
		return appendPadded(b, t.Minute(), 2), true
	case 'S':
		return appendPadded(b, t.Second(), 2), true
	case 'L':
		return appendPadded(b, t.Nanosecond()/1e6, 3), true
	case 'f':
		return appendPadded(b, t.Nanosecond()/1e3, 6), true
	case 'N':
		return appendPadded(b, t.Nanosecond(), 9), true
	case 'p':
		return t.AppendFormat(b, "PM"), true
	case 'A':
		return append(b, t.Weekday().String()...), true
	case 'a':
		return append(b, t.Weekday().String()[:3]...), true
	case 'B':
		return append(b, t.Month().String()...), true
	case 'b':
		return append(b, t.Month().String()[:3]...), true
	case 'u':
		return strconv.AppendInt(b, int64((t.Weekday()+6)%7+1), 10), true
	case 'w':
		return strconv.AppendInt(b, int64(t.Weekday()), 10), true
	case 'G':
		year, _ := t.ISOWeek()
		return appendPadded(b, year, 4), true
	case 'V':
		_, week := t.ISOWeek()
		return appendPadded(b, week, 2), true
	case 's':
		return strconv.AppendInt(b, t.Unix(), 10), true
	case 'z':
		return appendZone(b, t, ""), true
	case 'Z':
		if _, offset := t.Zone(); offset == 0 {
			return append(b, "UTC"...), true
		}
		return appendZone(b, t, ":"), true
	case 'n':
		return append(b, '\n'), true
	case 't':
		return append(b, '\t'), true
	case '%':
		return append(b, '%'), true
	}
	return b, false
}

func appendPadded(b []byte, n, width int) []byte { return fmt.Appendf(b, "%0*d", width, n) }

func appendZone(b []byte, t time.Time, sep string) []byte {
	_, offset := t.Zone()
	sign := byte('+')
	if offset < 0 {
		sign, offset = '-', -offset
	}
	b = append(b, sign)
	b = appendPadded(b, offset/3600, 2)
	b = append(b, sep...)
	return appendPadded(b, offset/60%60, 2)
}

// civil is what a text says of a point in time.
type civil struct {
	year, month, day, hour, minute, second, nano, yearDay int
	offset                                                int // seconds east of UTC
	pm, hour12                                            bool
	unix                                                  int64
	isUnix                                                bool
}

// parse reads a text by a strftime format.
func parse(text, format string) (time.Time, error) {
	c := civil{year: 1970, month: 1, day: 1}
	rest, err := c.read(text, format)
	if err == nil && rest != "" {
		err = fmt.Errorf("%s is left over", vm.Quote(rest))
	}
	var t time.Time
	if err == nil {
		t, err = c.time()
	}
	if err != nil {
		if !strings.Contains(format, "%") {
			err = fmt.Errorf("%w; a format has directives such as %%Y-%%m-%%d %%H:%%M:%%S", err)
		}
		return t, fmt.Errorf("%s does not fit the format %s: %w", vm.Quote(text), vm.Quote(format), err)
	}
	return t, nil
}

func (c *civil) read(text, format string) (rest string, err error) {
	for i := 0; i < len(format); {
		if format[i] != '%' {
			if text == "" || text[0] != format[i] {
				return "", fmt.Errorf("%q is missing", format[i:i+1])
			}
			text = text[1:]
			i++
			continue
		}
		letter, modifier, next := directive(format, i)
		switch {
		case modifier == ':' && letter == 'z':
			text, err = c.readZone(text)
		case modifier == '.' && letter == 'f':
			if strings.HasPrefix(text, ".") {
				text, err = c.readFraction(text[1:], 9)
			}
		case modifier != 0:
			err = errDirective(format, i)
		case composite[letter] != "":
			text, err = c.read(text, composite[letter])
		default:
			text, err = c.readDirective(text, letter)
			if err == errUnknown {
				err = errDirective(format, i)
			}
		}
		if err != nil {
			return "", err
		}
		i = next
	}
	return text, nil
}

var errUnknown = errors.New("unknown directive")

func (c *civil) readDirective(text string, letter byte) (rest string, err error) {
	switch letter {
	case 'Y':
		return readInt(text, 4, "year", &c.year)
	case 'y':
		rest, err = readInt(text, 2, "year", &c.year)
		if c.year < 69 { // as POSIX has it
			c.year += 100
		}
		c.year += 1900
		return rest, err
	case 'm':
		return readInt(text, 2, "month", &c.month)
	case 'd':
		return readInt(text, 2, "day", &c.day)
	case 'e':
		return readInt(strings.TrimPrefix(text, " "), 2, "day", &c.day)
	case 'j':
		return readInt(text, 3, "day of the year", &c.yearDay)
	case 'H':
		return readInt(text, 2, "hour", &c.hour)
	case 'I':
		c.hour12 = true
		return readInt(text, 2, "hour", &c.hour)
	case 'M':
		return readInt(text, 2, "minute", &c.minute)
	case 'S':
		return readInt(text, 2, "second", &c.second)
	case 'L':
		return c.readFraction(text, 3)
	case 'f':
		return c.readFraction(text, 6)
	case 'N':
		return c.readFraction(text, 9)
	case 'p':
		if len(text) < 2 || !strings.EqualFold(text[:2], "am") && !strings.EqualFold(text[:2], "pm") {
			return "", errors.New("AM or PM is missing")
		}
		c.pm = text[0] == 'p' || text[0] == 'P'
		return text[2:], nil
	case 'A', 'a': // says nothing new, but must be a weekday
		var day int
		return readName(text, 7, letter == 'a', func(i int) string { return time.Weekday(i).String() }, &day)
	case 'B', 'b':
		rest, err = readName(text, 12, letter == 'b', func(i int) string { return time.Month(i + 1).String() }, &c.month)
		c.month++
		return rest, err
	case 's':
		return c.readUnix(text)
	case 'z':
		return c.readZone(text)
	case 'Z':
		if rest, ok := strings.CutPrefix(text, "UTC"); ok {
			return rest, nil
		}
		return c.readZone(text)
	case 'n', 't':
		return strings.TrimLeft(text, " \t\r\n"), nil
	case '%':
		if rest, ok := strings.CutPrefix(text, "%"); ok {
			return rest, nil
		}
		return "", errors.New("% is missing")
	}
	return "", errUnknown
}

func digits(text string, limit int) int {
	n := 0
	for n < len(text) && n < limit && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

func readInt(text string, limit int, what string, out *int) (rest string, err error) {
	n := digits(text, limit)
	if n == 0 {
		return "", fmt.Errorf("the %s is missing", what)
	}
	*out, err = strconv.Atoi(text[:n])
	return text[n:], err
}

func readName(text string, n int, short bool, name func(int) string, out *int) (rest string, err error) {
	for i := range n {
		want := name(i)
		if short {
			want = want[:3]
		}
		if len(text) >= len(want) && strings.EqualFold(text[:len(want)], want) {
			*out = i
			return text[len(want):], nil
		}
	}
	return "", errors.New("the name of a month or weekday is missing")
}

// readFraction reads the digits of a second's fraction; digits past the ninth
// are dropped where the limit allows for them.
func (c *civil) readFraction(text string, limit int) (rest string, err error) {
	n := digits(text, limit)
	if n == 0 {
		return "", errors.New("the fraction is missing")
	}
	c.nano = 0
	for i := range 9 {
		c.nano *= 10
		if i < n {
			c.nano += int(text[i] - '0')
		}
	}
	return text[n:], nil
}

func (c *civil) readUnix(text string) (rest string, err error) {
	n := 0
	if strings.HasPrefix(text, "-") {
		n = 1
	}
	n += digits(text[n:], 19)
	if c.unix, err = vm.ParseInt(text[:n], 10); err != nil {
		return "", errors.New("the seconds since 1970 are missing")
	}
	c.isUnix = true
	return text[n:], nil
}

// readZone reads Z, +hh, +hhmm or +hh:mm.
func (c *civil) readZone(text string) (rest string, err error) {
	if rest, ok := strings.CutPrefix(text, "Z"); ok {
		return rest, nil
	}
	if text == "" || text[0] != '+' && text[0] != '-' || digits(text[1:], 2) != 2 {
		return "", errors.New("the time zone is missing")
	}
	var hours, minutes int
	rest, _ = readInt(text[1:], 2, "", &hours)
	if min := strings.TrimPrefix(rest, ":"); digits(min, 2) == 2 {
		rest, _ = readInt(min, 2, "", &minutes)
	}
	if hours > 23 || minutes > 59 {
		return "", errors.New("the time zone is out of range")
	}
	c.offset = hours*3600 + minutes*60
	if text[0] == '-' {
		c.offset = -c.offset
	}
	return rest, nil
}

func (c *civil) time() (time.Time, error) {
	if c.isUnix {
		return inRange(time.Unix(c.unix, int64(c.nano)).In(zone(c.offset)))
	}
	if c.hour12 {
		if c.hour < 1 || c.hour > 12 {
			return time.Time{}, errors.New("the hour is out of range")
		}
		c.hour %= 12
		if c.pm {
			c.hour += 12
		}
	}
	if c.yearDay > 0 {
		t := time.Date(c.year, 1, c.yearDay, 0, 0, 0, 0, time.UTC)
		if t.Year() != c.year {
			return t, errors.New("the day of the year is out of range")
		}
		c.month, c.day = int(t.Month()), t.Day()
	}
	return date(c.year, c.month, c.day, c.hour, c.minute, c.second, c.nano, c.offset)
}

// date makes a time from its parts, each of which must be in its range.
func date(year, month, day, hour, minute, second, nano, offset int) (time.Time, error) {
	check := func(n, lo, hi int, what string) error {
		if n < lo || n > hi {
			return fmt.Errorf("the %s %d is not in %d..=%d", what, n, lo, hi)
		}
		return nil
	}
	if err := errors.Join(check(month, 1, 12, "month"), check(hour, 0, 23, "hour"),
		check(minute, 0, 59, "minute"), check(second, 0, 59, "second"), check(nano, 0, 999_999_999, "nanosecond"),
		check(offset, -86399, 86399, "offset")); err != nil {
		return time.Time{}, err
	}
	last := time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	if err := check(day, 1, last, "day"); err != nil {
		return time.Time{}, err
	}
	return inRange(time.Date(year, time.Month(month), day, hour, minute, second, nano, zone(offset)))
}

// inRange refuses what the nanoseconds of an int64 cannot tell.
func inRange(t time.Time) (time.Time, error) {
	if t.Year() < 1677 || t.Year() > 2262 || !time.Unix(0, t.UnixNano()).Equal(t) {
		return t, errors.New("the year is not in 1677..=2262")
	}
	return t, nil
}

func zone(offset int) *time.Location {
	if offset == 0 {
		return time.UTC
	}
	return time.FixedZone("", offset)
}
