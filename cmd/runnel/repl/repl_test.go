package repl

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/cmd/runnel/repl/lineedit"
	"github.com/runnel-lang/runnel/lang/query"
)

// scripted is a lineEditor that enters texts. One that ends in ^C is given up.
type scripted []string

func (s *scripted) Read() (string, error) {
	if len(*s) == 0 {
		return "", io.EOF
	}
	text := (*s)[0]
	*s = (*s)[1:]
	if given, ok := strings.CutSuffix(text, "^C"); ok {
		return given, lineedit.ErrInterrupt
	}
	return text, nil
}

// page is a console that keeps what is printed.
type page struct {
	mu   sync.Mutex
	text strings.Builder
}

func (p *page) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *page) FreshLine() {
	if s := p.String(); s != "" && !strings.HasSuffix(s, "\n") {
		p.Write([]byte("\n"))
	}
}

func (p *page) Size() (width, height int) { return 80, 24 }

func (p *page) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

func newShell(entries ...string) (*shell, *fake, *page) {
	out := &page{}
	engine := newFake(strings.NewReader(""), out)
	history, _ := lineedit.NewHistory("", 100)
	editor := scripted(entries)
	return &shell{
		engine: engine, editor: &editor, out: out, history: history,
		report: func(w io.Writer, err error) { fmt.Fprintln(w, "error:", err) },
	}, engine, out
}

// printed is what a session prints in which texts are entered.
func printed(entries ...string) string {
	s, _, out := newShell(entries...)
	s.run()
	return out.String()
}

func TestResults(t *testing.T) {
	assert.Equal(t, "= 42  : int\n", printed("value int 42"))
	assert.Equal(t, "", printed("let x = 1", "", "  \n"), "no value, nothing printed")
	assert.Equal(t, "= [\n  1,\n]\n: [int]\n", printed("value [int] [|  1,|]"))
	assert.Equal(t, "half a line\n= 1  : int\n", printed("write half a line", "value int 1"))
	assert.Equal(t, "= �[31mred�  : str\n", printed("value str \x1b[31mred\x07"), "values do not disturb the terminal")
	long := printed("value str " + strings.Repeat("世", maxShown))
	assert.True(t, strings.HasSuffix(long, "… 32769 more bytes\n: str\n"), long[len(long)-40:])
}

// A value that is longer than a line is broken where its elements end.
func TestLongValues(t *testing.T) {
	assert.Equal(t, "= 1234567890\n: "+strings.Repeat("T", 70)+"\n", printed("value "+strings.Repeat("T", 70)+" 1234567890"), "the type does not fit beside it")
	text := "a, b " + strings.Repeat("c", 55)
	assert.Equal(t, "= [Point(x: 0, y: 0), Point(x: 1, y: 1), Point(x: 2, y: 4), Point(x: 3, y: 9),\n"+
		"   Point(x: 4, y: 16),\n   \""+text+"\\\"\", [1, 2]]\n: [any]\n",
		printed(`value [any] [Point(x: 0, y: 0), Point(x: 1, y: 1), Point(x: 2, y: 4), Point(x: 3, y: 9), Point(x: 4, y: 16), "`+text+`\"", [1, 2]]`))
	whole := strings.Repeat("x", 200)
	assert.Equal(t, "= "+whole+"\n: str\n", printed("value str "+whole), "which has no commas")
	assert.Equal(t, "= [\n  1, "+whole+"\n]\n: [str]\n", printed("value [str] [|  1, "+whole+"|]"), "which has lines of its own")
}

func TestErrorsLeaveTheSessionAlive(t *testing.T) {
	assert.Equal(t, "error: it broke\n= 1  : int\n", printed("fail it broke", "value int 1"))
}

func TestWordsThatLeaveOtherSessions(t *testing.T) {
	leaves := "type `:quit` or Ctrl-D to quit\n"
	assert.Equal(t, "error: there is no quit\n"+leaves, printed("quit"))
	assert.Equal(t, "error: there is no exit()\n"+leaves, printed(" exit() "))
	assert.Equal(t, "error: there is no help\ntype `:help` for a list of commands\n", printed("help"))
}

func TestEntriesAreNumbered(t *testing.T) {
	s, engine, _ := newShell("a", ":type b", "", "fail c", "d")
	s.run()
	assert.Equal(t, []string{"entry 1", "entry 2", "entry 3"}, engine.names)
}

func TestLeaving(t *testing.T) {
	hint := "press Ctrl-C again, or Ctrl-D, to quit\n"
	assert.Equal(t, hint, printed("^C", "^C", "value int 1"))
	assert.Equal(t, hint+hint, printed("^C", "half^C", "^C", "^C", "value int 1"), "giving up a text is no wish to leave")
	assert.Equal(t, hint+"= 1  : int\n"+hint, printed("^C", "value int 1", "^C", "^C", "value int 2"))
	assert.Equal(t, "", printed(":quit", "value int 1"))
	s, _, _ := newShell("value int 1")
	s.editor = broken{}
	s.run()
	assert.Equal(t, "error: not a terminal\n", s.out.(*page).String())
}

type broken struct{}

func (broken) Read() (string, error) { return "", errors.New("not a terminal") }

func TestCommands(t *testing.T) {
	for text, want := range map[string]string{
		":type 1 + 1":         ": type of 1 + 1\n",
		":ty [\n1]":           ": type of [\n1]\n",
		":doc list.map":       "doc of list.map\n",
		":doc nothing":        "error: there is no `nothing`\n",
		":dis f":              "bytecode of f\n",
		":tasks":              "there are no live tasks\n",
		":actors":             "there are no live actors\n",
		"  :type x  ":         ": type of x\n",
		":type":               "error: `:type` needs an argument: `:type EXPR`\n",
		":tasks now":          "error: `:tasks` takes no argument\n",
		":t":                  "error: `:t` is ambiguous: :type or :tasks or :trace or :time\n",
		":taks":               "error: there is no command `:taks`: did you mean `:tasks`?\n",
		":xyz":                "error: there is no command `:xyz`; :help lists them\n",
		":":                   "error: there is no command `:`; :help lists them\n",
		":load /no/such":      "error: cannot open /no/such: no such file or directory\n",
		":save /no/such":      "error: there is nothing to save yet\n",
		":trace":              "error: `:trace` needs an argument: `:trace on|off|save FILE`\n",
		":trace of":           "error: `:trace on`, `:trace off` or `:trace save FILE`\n",
		":trace off":          "error: no trace is being recorded\n",
		":trace save x":       "error: nothing has been recorded: `:trace on` starts recording\n",
		":tasks\n:type x\ny":  "there are no live tasks\n: type of x\ny\n", // several at once, pasted
		":tasks\nvalue int 1": "there are no live tasks\n= 1  : int\n",
		":reset":              "all declarations are forgotten\n",
	} {
		assert.Equal(t, want, printed(text), text)
	}
	assert.Contains(t, printed(":help"), ":type EXPR               show the type of an expression")
	s, engine, out := newShell(":tasks")
	engine.tasks = []Task{{1, "ticker", "sleeping", "entry 2:1:1"}}
	s.run()
	assert.Equal(t, "TASK  RUNS    STATE     AT\n1     ticker  sleeping  entry 2:1:1\n", out.String())
}

func TestTime(t *testing.T) {
	assert.Regexp(t, `^= 1  : int\ntook [\d.]+.?s\n$`, printed(":time value int 1"))
	assert.Regexp(t, `^timing of entries is on\n= 1  : int\ntook [\d.]+.?s\ntiming of entries is off\n= 1  : int\n$`,
		printed(":time", "value int 1", ":time", "value int 1"))
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a b.rnl")
	assert.Equal(t, "= 1  : int\nerror: no\nsaved 2 lines to "+path+"\n", printed("value int 1", "fail no", "let x", ":save "+path))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "value int 1\nlet x\n", string(data))
	s, engine, _ := newShell(":load "+path, "c")
	s.run()
	assert.Equal(t, []string{path, "entry 1"}, engine.names, "a file is called by its name")

	t.Setenv("HOME", dir)
	assert.Equal(t, "recording\n= 1  : int\nrecording stopped; `:trace save FILE` saves the trace\nsaved to "+dir+"/t.json; open it in ui.perfetto.dev\n",
		printed(":trace on", "value int 1", ":trace off", ":trace save ~/t.json"))
	data, err = os.ReadFile(dir + "/t.json")
	require.NoError(t, err)
	assert.Equal(t, "[begin,end]", string(data))
	assert.Contains(t, printed(":trace on", ":trace on"), "error: a trace is already being recorded\n")
	assert.Contains(t, printed(":trace on", ":trace save "+dir+"/no/x"), "error: cannot open "+dir+"/no/x: no such file")
}

func TestInterrupts(t *testing.T) {
	s, engine, out := newShell("loop", "value int 1", "stubborn", "value int 2")
	interrupts := make(chan os.Signal)
	s.interrupts = interrupts
	over := make(chan struct{})
	go func() { s.run(); close(over) }()
	press := func(shown string) {
		t.Helper()
		interrupts <- os.Interrupt
		assert.Eventually(t, func() bool { return strings.HasSuffix(out.String(), shown) }, time.Minute, time.Millisecond, shown)
	}
	assert.Eventually(t, func() bool { return out.String() == "loops\n" }, time.Minute, time.Millisecond)
	press("loops\n\ncancelled\n= 1  : int\n")
	engine.runs(t, "entry 3")
	press("\n")
	press("\ncancelled, but a `defer` is still running: Ctrl-C again abandons it\n")
	press("\nabandoned: it keeps running, and :tasks shows it\n= 2  : int\n")
	<-over
	close(engine.let)
}

func TestAScriptMayHeedTheFirstInterruptItself(t *testing.T) {
	s, engine, out := newShell("loop")
	interrupts := make(chan os.Signal)
	s.interrupts, s.taken = interrupts, func() bool { return true }
	over := make(chan struct{})
	go func() { s.run(); close(over) }()
	engine.runs(t, "entry 1")
	interrupts <- os.Interrupt
	assert.Eventually(t, func() bool { return out.String() == "loops\n\n" }, time.Minute, time.Millisecond)
	interrupts <- os.Interrupt
	<-over
	assert.Equal(t, "loops\n\n\ncancelled\n", out.String())
}

func TestIncomplete(t *testing.T) {
	s, _, _ := newShell()
	for text, want := range map[string]bool{
		"fn f() {": true, "1 +": true, "1": false, "": false, ":type [": true, ":ty [1": true, ":type [1]": false, ":load [": false, ":nothing {": false,
		"`raw": true, "/* c": true,
	} {
		assert.Equal(t, want, s.incomplete(text), text)
	}
}

func TestCompletion(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "one.rnl"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".hidden"), nil, 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "old"), 0o700))
	t.Chdir(dir)
	s, _, _ := newShell()
	for text, want := range map[string][]string{
		"pr":             {"0-2 print fn(any)"},
		"x + val":        {"4-7 value fn() -> int", "4-7 valid keyword"},
		"v":              {"0-1 value fn() -> int", "0-1 valid keyword"},
		"nt":             {"0-2 print fn(any)"},
		"i":              {"0-1 print fn(any)", "0-1 valid keyword"},
		":type pr":       {"6-8 print fn(any)"},
		":doc pr":        {"5-7 print fn(any)"},
		":ty":            {"0-3 :type  show the type of an expression without running it"},
		":he":            {"0-3 :help show this list"},
		":load o":        {"6-7 old/ ", "6-7 one.rnl "},
		":save ./o":      {"8-9 old/ ", "8-9 one.rnl "},
		":load ":         {"6-6 old/ ", "6-6 one.rnl "},
		":load .":        {"6-7 .hidden "},
		":load no/":      nil,
		":trace o":       {"7-8 on ", "7-8 off "},
		":trace save on": {"12-14 one.rnl "},
		":tasks ":        nil,
		":nothing x":     nil,
	} {
		var got []string
		for _, c := range s.complete(text, len(text)) {
			got = append(got, fmt.Sprintf("%d-%d %s %s", c.Start, c.End, c.Text, c.Detail))
		}
		assert.Equal(t, want, got, text)
	}
}

func TestHighlighting(t *testing.T) {
	// Each role as a letter below its text.
	letters := palette{query.Comment: "d", query.Wrong: "w", query.Keyword: "k", query.Text: "t", query.Number: "n", query.Constant: "n", query.Type: "T", query.Function: "c", commandWord: ":"}
	for text, want := range map[string]string{
		`let x: int = f(1.5, "a${b}c") // d`: `kkk    TTT   c nnn  tt    tt  dddd`,
		`Point(2ms) catch { none } $`:        `TTTTT nnn  kkkkk   nnnn   w`,
		`"not closed`:                        `ttttttttttt`,
		"`raw":                               `tttt`,
		`:type [1]`:                          `:::::: n`,
		`:load 1.rnl`:                        `::::::`,
		`世 1`:                                `www n`,
	} {
		var got strings.Builder
		for _, s := range letters.highlight(text, -1) {
			got.WriteString(string((s + " ")[0]))
		}
		assert.Equal(t, want, strings.TrimRight(got.String(), " "), text)
	}
	assert.Equal(t, "\x1b[33m1\x1b[0m + x", colored.code("1 + x"))
	assert.Equal(t, "1 + x", palette(nil).code("1 + x"))
	assert.Empty(t, strings.Join(func() (set []string) {
		for _, s := range colored.highlight(strings.Repeat("1 ", maxPainted), 0) {
			if s != "" {
				set = append(set, string(s))
			}
		}
		return
	}(), ""), "a text that is too large is left plain")
}

func TestBracketsThatBelongTogether(t *testing.T) {
	for text, want := range map[string]string{ // ^ is the cursor
		"f(a[1]^)": "[1]", "f^(a[1])": "(a[1])", "(x)^(y)": "(x)", "(^": "", `(")"^)`: `(")")`, "(]^": "", "a^": "", ":type (1)^": "(1)", ":load (1)^": "",
	} {
		at := strings.Index(text, "^")
		source := strings.Replace(text, "^", "", 1)
		first, last := -1, -1
		for i, s := range colored.highlight(source, at) {
			if s == matched {
				if first < 0 {
					first = i
				}
				last = i
			}
		}
		got := ""
		if first >= 0 {
			got = source[first : last+1]
		}
		assert.Equal(t, want, got, text)
	}
}

func TestIndentation(t *testing.T) {
	for text, want := range map[string]int{
		"fn f() {": 2, "fn f() {\n  if x {": 4, "fn f() {\n  x()": 2, "f(a,": 2, "f(a)": 0, `x = "{"`: 0, "x // {": 0,
		"f(|| {": 2, "  }) {": 4, "`raw {": 0, "/* {": 0, ":type [": 2, "match x {\n  A => {\n  }": 2,
	} {
		assert.Equal(t, want, indentation(text), text)
	}
}

func TestHistoryFile(t *testing.T) {
	t.Setenv("RUNNEL_HISTORY", "/x/y")
	assert.Equal(t, "/x/y", historyFile())
	t.Setenv("RUNNEL_HISTORY", "off")
	assert.Empty(t, historyFile())
	t.Setenv("RUNNEL_HISTORY", "")
	assert.Empty(t, historyFile())
	os.Unsetenv("RUNNEL_HISTORY")
	t.Setenv("XDG_STATE_HOME", "/state")
	assert.Equal(t, filepath.Join("/state", "runnel", "history"), historyFile())
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("HOME", "/home/me")
	assert.Equal(t, "/home/me/.local/state/runnel/history", historyFile())
}
