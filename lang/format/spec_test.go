package format

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	base := Spec{Fill: ' ', Sign: '-', Prec: -1}
	with := func(change func(s *Spec)) Spec {
		s := base
		change(&s)
		return s
	}
	for text, want := range map[string]Spec{
		"":      base,
		"5":     with(func(s *Spec) { s.Width = 5 }),
		">8.2f": with(func(s *Spec) { s.Align, s.Width, s.Prec, s.Type = '>', 8, 2, 'f' }),
		"<<3":   with(func(s *Spec) { s.Fill, s.Align, s.Width = '<', '<', 3 }),
		"é^3":   with(func(s *Spec) { s.Fill, s.Align, s.Width = 'é', '^', 3 }),
		"0=+#12,.3E": with(func(s *Spec) {
			s.Fill, s.Align, s.Sign, s.Alt, s.Width, s.Group, s.Prec, s.Type = '0', '=', '+', true, 12, ',', 3, 'E'
		}),
		"08x":         with(func(s *Spec) { s.Fill, s.Align, s.Width, s.Type = '0', '=', 8, 'x' }),
		"<08":         with(func(s *Spec) { s.Align, s.Width = '<', 8 }),
		" d":          with(func(s *Spec) { s.Sign, s.Type = ' ', 'd' }),
		".0":          with(func(s *Spec) { s.Prec = 0 }),
		"_b":          with(func(s *Spec) { s.Group, s.Type = '_', 'b' }),
		"?":           with(func(s *Spec) { s.Type = '?' }),
		"=":           with(func(s *Spec) { s.Align = '=' }),
		"==4":         with(func(s *Spec) { s.Fill, s.Align, s.Width = '=', '=', 4 }),
		"0":           with(func(s *Spec) { s.Fill, s.Align = '0', '=' }),
		">\x00.\x00f": with(func(s *Spec) { s.Align, s.WidthHole, s.Prec, s.PrecHole, s.Type = '>', true, 0, true, 'f' }),
		"0\x00":       with(func(s *Spec) { s.Fill, s.Align, s.WidthHole = '0', '=', true }),
		"5.\x00":      with(func(s *Spec) { s.Width, s.Prec, s.PrecHole = 5, 0, true }),
		"10.3":        with(func(s *Spec) { s.Width, s.Prec = 10, 3 }),
	} {
		got, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"x5", "5.", ".f", "99999", "1.9999", "dd", "5 ", "é", "++", ",,", "-é<", "\x005", ".5\x00", "\x00\x00"} {
		_, err := Parse(text)
		require.Error(t, err, text)
	}
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		spec string
		fits [3]bool // Text, Int, Float
	}{
		{"", [3]bool{true, true, true}},
		{">5", [3]bool{true, true, true}},
		{"d", [3]bool{false, true, false}},
		{"#x", [3]bool{false, true, false}},
		{".2f", [3]bool{false, true, true}},
		{".2", [3]bool{true, false, true}},
		{"%", [3]bool{false, true, true}},
		{"s", [3]bool{true, true, true}},
		{"?", [3]bool{true, true, true}},
		{"+", [3]bool{false, true, true}},
		{"+s", [3]bool{false, false, false}},
		{"05", [3]bool{false, true, true}},
		{",", [3]bool{false, true, true}},
		{"#", [3]bool{false, false, false}},
		{"#d", [3]bool{false, false, false}},
	} {
		s, err := Parse(c.spec)
		require.NoError(t, err)
		for k, want := range c.fits {
			err := s.Fits(Kind(k))
			require.Equal(t, want, err == nil, "%q for kind %d: %v", c.spec, k, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{">8.2f", "é^+#012,.3E", "?", "\xff<5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err == nil && (s.Width > MaxWidth || s.Prec > MaxPrec) {
			t.Fatalf("%q: %+v", text, s)
		}
	})
}
