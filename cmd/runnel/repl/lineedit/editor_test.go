package lineedit

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// session is an editor at a fake terminal.
type session struct {
	*testing.T
	dev  *fakeDevice
	term *Terminal
	e    *Editor
}

func begin(t *testing.T, width, height int, c Config) *session {
	dev := newFakeDevice(width, height)
	term := newTerminal(dev)
	if c.Prompt == "" {
		c.Prompt, c.More = "> ", ". "
	}
	if c.Incomplete == nil {
		c.Incomplete = func(text string) bool { return strings.Count(text, "{") > strings.Count(text, "}") }
	}
	return &session{t, dev, term, NewEditor(term, c)}
}

// read types keys and gives what the editor reads.
func (s *session) read(keys string) (string, error) {
	s.dev.typed <- keys
	type result struct {
		text string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		text, err := s.e.Read()
		done <- result{text, err}
	}()
	select {
	case r := <-done:
		return r.text, r.err
	case <-time.After(time.Minute):
		s.Fatalf("it still reads: %q", s.dev.logical())
		return "", nil
	}
}

// begins types keys that do not end the text.
func (s *session) begins(keys string) (end func(keys string) string) {
	done := make(chan string, 1)
	s.dev.typed <- keys
	go func() {
		text, _ := s.e.Read()
		done <- text
	}()
	return func(keys string) string {
		s.dev.typed <- keys
		select {
		case text := <-done:
			return text
		case <-time.After(time.Minute):
			s.Fatalf("it still reads: %q", s.dev.logical())
			return ""
		}
	}
}

// shows waits until the terminal shows lines.
func (s *session) shows(lines ...string) {
	s.Helper()
	assert.EventuallyWithT(s, func(c *assert.CollectT) { assert.Equal(c, lines, s.dev.logical()) }, time.Minute, 2*time.Millisecond)
}

const (
	left  = "\x1b[D"
	right = "\x1b[C"
	upKey = "\x1b[A"
	down  = "\x1b[B"
	enter = "\r"
	alt   = "\x1b"
)

func ctrlKey(letter byte) string { return string(rune(letter & 0x1f)) }

func TestKeys(t *testing.T) {
	for _, c := range []struct{ name, keys, want string }{
		{"characters", "héllo 世界", "héllo 世界"},
		{"left and right", "abc" + left + left + "x" + right + "y", "axbyc"},
		{"home and end", "abc\x1b[Hx\x1b[Fy", "xabcy"},
		{"Home and End of other terminals", "abc\x1b[1~x\x1b[4~y\x1bOHz\x1bOF!", "zxabcy!"},
		{"Emacs", "abc" + ctrlKey('A') + "x" + ctrlKey('E') + "y" + ctrlKey('B') + "z" + ctrlKey('F') + "!", "xabczy!"},
		{"backspace", "abc\x7f" + ctrlKey('H') + "d", "ad"},
		{"backspace at the start", "\x7f\x7fa", "a"},
		{"delete", "abc" + left + left + "\x1b[3~", "ac"},
		{"Delete at the end does not leave", "\x1b[3~abc\x1b[3~", "abc"},
		{"Ctrl-D in a text", "abc" + ctrlKey('A') + ctrlKey('D'), "bc"},
		{"Ctrl-Space is no end", "a\x00b", "ab"},
		{"words", "one two.three" + alt + "b" + alt + "b" + "x" + alt + "f" + "y", "one xtwoy.three"},
		{"words with Ctrl and arrows", "one two\x1b[1;5Dx\x1b[1;5Cy", "one xtwoy"},
		{"word back", "one two" + ctrlKey('W') + "x", "one x"},
		{"word back and yank", "one two" + alt + "\x7f" + ctrlKey('A') + ctrlKey('Y'), "twoone "},
		{"word ahead", "one two" + ctrlKey('A') + alt + "d", " two"},
		{"line back", "abc" + left + ctrlKey('U'), "c"},
		{"rest of the line", "abc" + left + ctrlKey('K'), "ab"},
		{"transpose", "abc" + ctrlKey('T'), "acb"},
		{"undo", "abc" + ctrlKey('U') + ctrlKey('_') + "d", "abcd"},
		{"unknown sequences", "a\x1b[99~\x1b[1;2Qb\x1bxc", "abc"},
		{"Esc before a key", "a\x1b\x1b[Db", "ba"},
		{"a broken character", "a\xffb\xc3(", "ab"},
		{"several lines", "a {" + enter + "b" + enter + "}", "a {\nb\n}"},
		{"a line of one's own", "a" + alt + enter + "b", "a\nb"},
		{"up and down in a block", "ab {" + enter + "cd" + upKey + "x" + down + "y}", "abx {\ncdy}"},
		{"ends of lines are joined", "a {" + enter + "}" + upKey + "\x1b[F" + ctrlKey('K'), "a {}"},
		{"backspace joins lines", "a {" + enter + "}" + ctrlKey('A') + "\x7f", "a {}"},
		{"a paste", "a \x1b[200~b {\r\n\tc\r}\x1b[201~ d", "a b {\n\tc\n} d"},
		{"a paste with keys in it", "\x1b[200~a\x03\x1b[Db\x7f\x1b[201~c", "a[Dbc"},
		{"half of a mark in a paste", "\x1b[200~a\x1b[201b\x1b[201~c", "a[201bc"},
		{"marks of characters go with them", "e\u0301a" + left + left + "x", "xe\u0301a"},
		{"a family is one character", "👨‍👩‍👧\x7fa", "a"},
		{"flags", "🇩🇪🇫🇷" + left + "x", "🇩🇪x🇫🇷"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := begin(t, 80, 24, Config{}).read(c.keys + enter)
			require.NoError(t, err)
			assert.Equal(t, c.want, text)
		})
	}
}

func TestLeaving(t *testing.T) {
	s := begin(t, 80, 24, Config{})
	_, err := s.read(ctrlKey('D'))
	assert.Equal(t, io.EOF, err)
	text, err := s.read("abc" + ctrlKey('C'))
	assert.Equal(t, "abc", text)
	assert.Equal(t, ErrInterrupt, err)
	assert.False(t, s.dev.raw, "the terminal is as it was")
	close(s.dev.typed)
	_, err = s.e.Read()
	assert.ErrorContains(t, err, "hung up")
}

func TestTheCursorIsWhereTheTextIs(t *testing.T) {
	for _, width := range []int{80, 10, 7, 3, 2} {
		s := begin(t, width, 100, Config{})
		end := s.begins("ab 世界 e\u0301 👍 x{" + enter + "\x1b[200~\tend\x1b[201~" + upKey)
		s.shows("> ab 世|界 e\u0301 👍 x{", ".     end")
		assert.Equal(t, "ab 世界 e\u0301 👍 x{\n\tend!}", end(down+ctrlKey('E')+"!}"+enter))
	}
}

func TestHistory(t *testing.T) {
	h := &History{most: 10}
	s := begin(t, 80, 24, Config{History: h})
	for _, text := range []string{"one", "two {\nb }", "one", "three"} {
		require.NoError(t, h.Add(text))
	}
	for _, c := range []struct{ name, keys, want string }{
		{"the last one", upKey, "three"},
		{"each once", upKey + upKey + upKey + upKey + upKey, "two {\nb }"},
		{"what was begun comes back", "new" + upKey + upKey + down + down, "new"},
		{"a block is passed line by line", upKey + upKey + upKey + upKey + upKey + down + "x" + down, "one"},
		{"a block is edited as a block", ctrlKey('P') + ctrlKey('P') + ctrlKey('P') + upKey + "x", "twox {\nb }"},
		{"search", ctrlKey('R') + "wo", "two {\nb }"},
		{"search on", ctrlKey('R') + "o" + ctrlKey('R') + right + "x", "twox {\nb }"},
		{"search back", ctrlKey('R') + "e" + ctrlKey('R') + ctrlKey('S'), "three"},
		{"search corrected", ctrlKey('R') + "wx\x7f", "two {\nb }"},
		{"search given up", "new" + ctrlKey('R') + "one" + ctrlKey('G') + "er", "newer"},
		{"search in vain", "new" + ctrlKey('R') + "zzz" + ctrlKey('A') + "a", "anew"},
		{"search and edit", ctrlKey('R') + "thr" + alt + "[F" + "!", "three!"},
		{"search and go on from there", ctrlKey('R') + "thr" + ctrlKey('P'), "one"},
	} {
		text, err := s.read(c.keys + enter)
		require.NoError(t, err)
		assert.Equal(t, c.want, text, c.name)
	}
	end := s.begins(ctrlKey('R') + "nothing")
	assert.Eventually(t, func() bool {
		lines := s.dev.logical()
		return lines[len(lines)-1] == "search (nothing found): nothing"
	}, time.Minute, time.Millisecond)
	end(ctrlKey('G') + enter)
}

func TestHistoryFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sub", "history")
	h, err := NewHistory(file, 3)
	require.NoError(t, err)
	for _, text := range []string{"a", "b\n\\n", "c", "a", "a", " ", "d"} {
		require.NoError(t, h.Add(text))
	}
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "a\nb\\n\\\\n\nc\na\nd\n", string(data))
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	h, err = NewHistory(file, 3)
	require.NoError(t, err)
	assert.Equal(t, []string{"c", "a", "d"}, h.entries)

	// A file that has become long is shortened.
	require.NoError(t, h.Add("b\n\\n"))
	require.NoError(t, h.Add("e"))
	h, err = NewHistory(file, 3)
	require.NoError(t, err)
	data, err = os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "d\nb\\n\\\\n\ne\n", string(data))
	require.NoError(t, h.Add("f"))
	assert.Equal(t, []string{"b\n\\n", "e", "f"}, h.entries)

	// One that cannot be used leaves a history that works.
	h, err = NewHistory(filepath.Join(file, "x"), 3)
	require.Error(t, err)
	require.NoError(t, h.Add("a"))
	assert.Equal(t, []string{"a"}, h.entries)
}

func TestCompletion(t *testing.T) {
	names := []Completion{{Text: "print", Detail: "fn(any)"}, {Text: "println"}, {Text: "über", Detail: "int"}}
	s := begin(t, 80, 24, Config{Complete: func(text string, at int) []Completion {
		start := strings.LastIndexAny(text[:at], " (") + 1
		var list []Completion
		for _, c := range names {
			if strings.HasPrefix(c.Text, text[start:at]) {
				c.Start, c.End = start, at
				list = append(list, c)
			}
		}
		return list
	}})
	for keys, want := range map[string]string{
		"f(p\t":         "f(print", // what all have in common
		"ü\tx":          "überx",   // the only one
		"ü + x\x1b[H\t": "  ü + x", // at the start of a line it indents
		"x\t":           "x",       // nothing
		"a {\r\tb }":    "a {\n  b }",
	} {
		text, err := s.read(keys + enter)
		require.NoError(t, err)
		assert.Equal(t, want, text, "%q", keys)
	}
	s = begin(t, 80, 24, Config{Complete: s.e.Complete})
	end := s.begins("print\t")
	s.shows("> print|", "print    fn(any)", "println")
	assert.Equal(t, "printx", end("x"+enter))
	s.shows("> printx", "|")

	s = begin(t, 20, 10, Config{Complete: func(string, int) []Completion {
		var list []Completion
		for _, r := range "abcdefghijklmnopqrstuvwxyz" {
			list = append(list, Completion{Text: string(r)})
		}
		return list
	}})
	end = s.begins("\t")
	s.shows("> |", "a  b  c  d  e  f", "g  h  i  j  k  l", "m  n  o  p  q  r", "Tab shows more")
	s.dev.typed <- "\t"
	s.shows("> |", "s  t  u  v  w  x", "y  z", "Tab shows more")
	end(enter)
}

func TestOthersPrintAboveTheText(t *testing.T) {
	s := begin(t, 20, 24, Config{})
	out := s.term.Output()
	io.WriteString(out, "first")
	end := s.begins("ab {" + enter + "cd" + left)
	s.shows("first", "> ab {", ". c|d")
	io.WriteString(out, "one\ntwo\n")
	s.shows("first", "one", "two", "> ab {", ". c|d")
	io.WriteString(out, "par")
	s.shows("first", "one", "two", "par", "> ab {", ". c|d")
	io.WriteString(out, "tial, and so long that it wraps")
	s.shows("first", "one", "two", "partial, and so long that it wraps", "> ab {", ". c|d")
	io.WriteString(out, "\n10%\r")
	s.shows("first", "one", "two", "partial, and so long that it wraps", "10%", "> ab {", ". c|d")
	io.WriteString(out, "\r\x1b[32m20%\x1b[0m")
	s.shows("first", "one", "two", "partial, and so long that it wraps", "20%", "> ab {", ". c|d")
	assert.Equal(t, "ab {\ncd}", end(right+"}"+enter))
	io.WriteString(out, "more\n")
	s.shows("first", "one", "two", "partial, and so long that it wraps", "20%", "> ab {", ". cd}", "more", "|")
	assert.Empty(t, s.dev.strange)
}

func TestAFloodDoesNotHoldUpWhoTypes(t *testing.T) {
	s := begin(t, 80, 24, Config{})
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				io.WriteString(s.term.Output(), "flood\n")
			}
		}
	}()
	for range 20 {
		text, err := s.read("abc" + enter)
		require.NoError(t, err)
		assert.Equal(t, "abc", text)
		s.dev.mu.Lock()
		s.dev.lines, s.dev.row, s.dev.top = s.dev.lines[s.dev.row:], 0, 0
		s.dev.mu.Unlock()
	}
	close(stop)
	<-stopped
}

func TestABlockHigherThanTheTerminal(t *testing.T) {
	s := begin(t, 20, 5, Config{})
	end := s.begins("a{" + enter + "b" + enter + "c" + enter + "d" + enter + "e" + enter + "f" + enter + "g")
	s.shows(". c", ". d", ". e", ". f", ". g|")
	s.dev.typed <- strings.Repeat(upKey, 6)
	s.shows("> a|{", ". b", ". c", ". d", ". e")
	assert.Equal(t, "a{\nb\nc\nd\ne\nf\ng}", end(strings.Repeat(down, 6)+ctrlKey('E')+"}"+enter))
	s.shows("> a{", ". b", ". c", ". d", ". e", ". f", ". g}", "|")
}

func TestTheScriptReadsWhatIsTypedWhileNobodyEdits(t *testing.T) {
	s := begin(t, 80, 24, Config{})
	in := s.term.Input()
	got := make(chan string, 10)
	read := func() {
		buf := make([]byte, 100)
		n, err := in.Read(buf)
		if err != nil {
			got <- err.Error()
			return
		}
		got <- string(buf[:n])
	}
	// What was typed ahead is the script's.
	text, err := s.read("abc" + enter + "for the script" + enter)
	require.NoError(t, err)
	assert.Equal(t, "abc", text)
	read()
	assert.Equal(t, "for the script\n", <-got)
	// A read ends at its deadline, and leaves what it would have got.
	go read()
	time.Sleep(5 * time.Millisecond)
	require.NoError(t, in.SetReadDeadline(time.Unix(1, 0)))
	assert.Equal(t, os.ErrDeadlineExceeded.Error(), <-got)
	require.NoError(t, in.SetReadDeadline(time.Time{}))
	text, err = s.read("def" + enter)
	require.NoError(t, err)
	assert.Equal(t, "def", text)
	// A task that reads in the background waits while the editor has the terminal.
	go read()
	time.Sleep(5 * time.Millisecond)
	end := s.begins("")
	s.shows("> abc", "> def", "> |")
	s.dev.typed <- "ghi"
	assert.Equal(t, "ghij", end("j"+enter))
	assert.Empty(t, got)
	s.dev.typed <- "a line\n"
	assert.Equal(t, "a line\n", <-got)
	require.NoError(t, in.SetReadDeadline(time.Now().Add(5*time.Millisecond)))
	read()
	assert.Equal(t, os.ErrDeadlineExceeded.Error(), <-got)
	// Closing ends all.
	require.NoError(t, in.SetReadDeadline(time.Time{}))
	go read()
	s.term.Close()
	assert.Equal(t, "EOF", <-got)
	_, err = s.e.Read()
	assert.Equal(t, io.EOF, err)
}

func TestClosingWhileTheUserEdits(t *testing.T) {
	s := begin(t, 80, 24, Config{})
	end := s.begins("abc")
	s.shows("> abc|")
	s.term.Close()
	assert.Equal(t, "abc", end("d"))
	assert.False(t, s.dev.raw)
	s.shows("> abc", "|")
}

func TestPlain(t *testing.T) {
	s := begin(t, 80, 24, Config{})
	p := NewPlain(s.term, s.e.Config)
	s.dev.typed <- "a {\nb }\n"
	text, err := p.Read()
	require.NoError(t, err)
	assert.Equal(t, "a {\nb }", text)
	s.dev.typed <- "c"
	type read struct {
		text string
		err  error
	}
	got := make(chan read)
	go func() {
		text, err := p.Read()
		got <- read{text, err}
	}()
	s.shows("> . > |")
	self, err := os.FindProcess(os.Getpid())
	require.NoError(t, err)
	require.NoError(t, self.Signal(os.Interrupt))
	assert.Equal(t, read{"c", ErrInterrupt}, <-got)
}

// FuzzEditor types anything; what is on the screen is the text that is edited,
// with the cursor at its place.
func FuzzEditor(f *testing.F) {
	f.Add("abc\x1b[D世界\x1b[A {\r}\x7f", uint8(10), "x\ny")
	f.Add("e\u0301\x12e\x1b\x1b[200~a\nb\x1b[201~\t\x0b\x14\x1f", uint8(3), "long line that wraps")
	f.Fuzz(func(t *testing.T, keys string, width uint8, printed string) {
		s := begin(t, int(width)+2, 10_000, Config{
			History: &History{entries: []string{"old {\n}", "older"}, most: 10},
			Complete: func(text string, at int) []Completion {
				return []Completion{{Start: at, End: at, Text: "x"}, {Start: 0, End: at, Text: "xy"}}
			},
			Indent: func(text string) int { return len(text) % 5 },
			Closes: func(r rune) bool { return r == '}' },
		})
		printed = strings.ReplaceAll(cleaned(printed), "\t", " ") // what a script prints is its own affair
		next := strings.NewReader(keys)
		s.e.keys = decoder{next.ReadByte, func(time.Duration) bool { return next.Len() > 0 }}
		s.e.visit = s.e.History.visit()
		require.NoError(t, s.term.edit(s.e.view))
		for {
			k, pasted, err := s.e.keys.key()
			if err != nil {
				break
			}
			if done := s.e.take(k, pasted, nil); done {
				return
			}
			io.WriteString(s.term.Output(), printed)
			require.LessOrEqual(t, s.e.buf.at, len(s.e.buf.text))
			require.False(t, joins(s.e.buf.text, s.e.buf.at), "between parts of a character")
		}
		s.e.offered, s.e.search = offer{}, nil
		s.term.mu.Lock()
		s.term.flush()
		s.term.screen.draw(s.term.current())
		s.term.mu.Unlock()
		require.Empty(t, s.dev.strange)
		var want strings.Builder
		want.WriteString("> ")
		col := 2
		for i, r := range s.e.buf.text {
			if i == s.e.buf.at {
				want.WriteByte('|')
			}
			switch {
			case r == '\n':
				want.WriteString("\n. ")
				col = 2
			case r == '\t':
				n := tabWidth - (col-2)%tabWidth
				want.WriteString(strings.Repeat(" ", n))
				col += n
			case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' || r == utf8.RuneError:
				want.WriteRune(utf8.RuneError)
				col++
			default:
				if w := textWidth(string(r)); w > 0 {
					col += w
				} else if i == 0 || s.e.buf.text[i-1] == '\n' {
					want.WriteRune('◌')
					col++
				}
				want.WriteRune(r)
			}
		}
		if s.e.buf.at == len(s.e.buf.text) {
			want.WriteByte('|')
		}
		if strings.ContainsRune(string(s.e.buf.text), '\t') && int(width) < 100 {
			return // where a tab stop is depends on where the line wraps
		}
		lines := strings.Split(want.String(), "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		shown := s.dev.logical()
		for len(shown) > 0 && shown[len(shown)-1] == "" { // rows below that have been erased
			shown = shown[:len(shown)-1]
		}
		require.GreaterOrEqual(t, len(shown), len(lines))
		require.Equal(t, lines, shown[len(shown)-len(lines):])
	})
}
