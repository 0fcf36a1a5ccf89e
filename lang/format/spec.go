// Package format parses the format specs of interpolated values, "${x:>8.2f}".
// The checker uses it to reject a bad spec, the runtime to apply a good one.
package format

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Spec is a parsed format spec: [[fill]align][sign][#][0][width][,|_][.prec][type].
type Spec struct {
	Fill  rune // what the padding is made of; a space when not written
	Align byte // '<', '>', '^', '=' (padding behind the sign), or 0 for the value's usual side
	Sign  byte // '+', ' ', or '-' for a sign on negative numbers alone
	Alt   bool // #: 0x, 0b, 0o before the digits
	Width int  // least number of characters, 0 for none
	Group byte // ',' or '_' between groups of digits, 0 for none
	Prec  int  // decimals, or the most characters of a text; -1 when not written
	Type  byte // d x X b o e E f g % s ?, or 0 for the value's usual form

	WidthHole, PrecHole bool // they are known when the program runs
}

// Hole stands in the text of a spec for a number that is known when the program runs.
const Hole = '\x00'

// FillHoles returns the numbers that stand for the holes, in their order.
func (s Spec) FillHoles(next func() int64) (Spec, error) {
	var err error
	if s.WidthHole {
		s.Width, err = within(next(), MaxWidth, "width")
	}
	if s.PrecHole && err == nil {
		s.Prec, err = within(next(), MaxPrec, "precision")
	}
	return s, err
}

func within(n int64, limit int, what string) (int, error) {
	if n < 0 || n > int64(limit) {
		return 0, fmt.Errorf("a %s of %d in a format spec: it is from 0 to %d", what, n, limit)
	}
	return int(n), nil
}

// Limits of width and precision.
const (
	MaxWidth = 10_000
	MaxPrec  = 1_000
)

const types = "dxXboeEfg%s?"

// Parse parses a spec. The empty one is the default.
func Parse(text string) (Spec, error) {
	s := Spec{Fill: ' ', Sign: '-', Prec: -1}
	rest := text
	if fill, size := utf8.DecodeRuneInString(rest); size > 0 && len(rest) > size && isAlign(rest[size]) {
		s.Fill, s.Align = fill, rest[size]
		rest = rest[size+1:]
	} else if rest != "" && isAlign(rest[0]) {
		s.Align = rest[0]
		rest = rest[1:]
	}
	if rest != "" && strings.IndexByte("+- ", rest[0]) >= 0 {
		s.Sign = rest[0]
		rest = rest[1:]
	}
	rest, s.Alt = cut(rest, "#")
	if zero := false; s.Align == 0 {
		if rest, zero = cut(rest, "0"); zero {
			s.Fill, s.Align = '0', '='
		}
	}
	var err error
	if rest, s.WidthHole = cut(rest, string(Hole)); s.WidthHole {
		// Its number comes later.
	} else if s.Width, rest, err = number(rest, 0, MaxWidth, "width"); err != nil {
		return s, err
	}
	if rest != "" && (rest[0] == ',' || rest[0] == '_') {
		s.Group = rest[0]
		rest = rest[1:]
	}
	if after, ok := cut(rest, "."+string(Hole)); ok {
		rest, s.Prec, s.PrecHole = after, 0, true
	} else if strings.HasPrefix(rest, ".") {
		if s.Prec, rest, err = number(rest[1:], -1, MaxPrec, "precision"); err != nil {
			return s, err
		}
		if s.Prec < 0 {
			return s, fmt.Errorf("a number is missing behind the `.` of format spec `%s`", shown(text))
		}
	}
	if rest != "" && strings.IndexByte(types, rest[0]) >= 0 {
		s.Type = rest[0]
		rest = rest[1:]
	}
	if rest != "" {
		return s, fmt.Errorf("`%s` is not expected in format spec `%s`: a spec is [[fill]align][sign][#][0][width][,|_][.precision][type], with one type of %s",
			shown(rest), shown(text), strings.Join(strings.Split(types, ""), " "))
	}
	return s, nil
}

func shown(text string) string { return strings.ReplaceAll(text, string(Hole), "{}") }

func isAlign(c byte) bool { return strings.IndexByte("<>^=", c) >= 0 }

func cut(s, prefix string) (string, bool) { return strings.CutPrefix(s, prefix) }

// number reads decimal digits; without any it gives none.
func number(s string, none, limit int, what string) (int, string, error) {
	n, i := 0, 0
	for ; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
		if n = n*10 + int(s[i]-'0'); n > limit {
			return 0, s, fmt.Errorf("a %s above %d in a format spec", what, limit)
		}
	}
	if i == 0 {
		return none, s, nil
	}
	return n, s[i:], nil
}

// Kind is what a value counts as for a spec.
type Kind uint8

const (
	Text  Kind = iota // str and everything that has no number form
	Int               // int
	Float             // float
)

// Fits reports whether a spec can be applied to a kind of value.
func (s Spec) Fits(k Kind) error {
	name := [...]string{"a text", "an int", "a float"}[k]
	switch {
	case s.Type == 's' || s.Type == '?':
	case k == Text && s.Type != 0:
		return fmt.Errorf("format type `%c` is for numbers, not for %s", s.Type, name)
	case k == Float && strings.IndexByte("dxXbo", s.Type) >= 0:
		return fmt.Errorf("format type `%c` is for ints, not for %s (convert it with int)", s.Type, name)
	case k == Int && s.Prec >= 0 && strings.IndexByte("eEfg%", s.Type) < 0:
		return fmt.Errorf("a precision is for floats and texts, not for %s", name)
	}
	asText := k == Text || s.Type == 's' || s.Type == '?'
	switch {
	case asText && s.Sign != '-':
		return fmt.Errorf("a sign is for numbers, not for %s", name)
	case asText && s.Align == '=':
		return fmt.Errorf("padding behind a sign is for numbers, not for %s", name)
	case asText && s.Group != 0:
		return fmt.Errorf("`%c` groups the digits of numbers, not %s", s.Group, name)
	case s.Alt && strings.IndexByte("xXbo", s.Type) < 0:
		return fmt.Errorf("`#` goes with the format types x X b o")
	}
	return nil
}
