package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/runnel-lang/runnel/lang/syntax"
)

// fake is an engine whose language has a few words, one for each thing that an
// entry can do to a terminal.
type fake struct {
	in  io.Reader
	out io.Writer

	mu      sync.Mutex
	entries []string
	names   []string
	tasks   []Task
	actors  string
	let     chan struct{} // lets a stubborn entry end
	closed  bool
}

func newFake(in io.Reader, out io.Writer) *fake {
	return &fake{in: in, out: out, let: make(chan struct{})}
}

func (f *fake) Eval(ctx context.Context, name, source string) (Result, error) {
	f.mu.Lock()
	f.names = append(f.names, name)
	f.mu.Unlock()
	word, arg, _ := strings.Cut(strings.TrimSpace(source), " ")
	result, err := f.eval(ctx, word, arg)
	if err == nil {
		f.mu.Lock()
		f.entries = append(f.entries, source)
		f.mu.Unlock()
	}
	return result, err
}

// runs waits until an entry runs.
func (f *fake) runs(t *testing.T, name string) {
	t.Helper()
	assert.Eventually(t, func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.names) > 0 && f.names[len(f.names)-1] == name
	}, time.Minute, time.Millisecond, name)
}

func (f *fake) eval(ctx context.Context, word, arg string) (Result, error) {
	switch word {
	case "value": // value TYPE TEXT
		t, v, _ := strings.Cut(arg, " ")
		return Result{Text: strings.ReplaceAll(v, "|", "\n"), Type: t, HasValue: true}, nil
	case "print":
		fmt.Fprintln(f.out, arg)
	case "write":
		fmt.Fprint(f.out, arg)
	case "quit", "exit()", "help":
		return Result{}, errors.New("there is no " + word)
	case "fail":
		return Result{}, errors.New(arg)
	case "loop":
		fmt.Fprintln(f.out, "loops")
		<-ctx.Done()
		return Result{}, ctx.Err()
	case "stubborn":
		<-f.let
	case "later": // later TEXT: a task in the background prints it
		go func() {
			time.Sleep(300 * time.Millisecond)
			fmt.Fprint(f.out, strings.ReplaceAll(arg, "|", "\n"))
		}()
	case "flood":
		go func() {
			for i := range 20_000 {
				fmt.Fprintf(f.out, "line %d of many that a task prints\n", i)
			}
			fmt.Fprintln(f.out, "flooded")
		}()
	case "read":
		fmt.Fprint(f.out, "? ")
		return f.read(ctx)
	}
	return Result{}, nil
}

// read reads a line as module io does: a cancelled read ends.
func (f *fake) read(ctx context.Context) (Result, error) {
	d := f.in.(interface{ SetReadDeadline(time.Time) error })
	defer context.AfterFunc(ctx, func() { d.SetReadDeadline(time.Unix(1, 0)) })()
	defer d.SetReadDeadline(time.Time{})
	buf := make([]byte, 100)
	n, err := f.in.Read(buf)
	return Result{Text: fmt.Sprintf("%q", buf[:n]), Type: "str", HasValue: true}, err
}

func (f *fake) Incomplete(source string) bool { return syntax.Incomplete(source) }

func (f *fake) Complete(source string, offset int) []Completion {
	start := offset
	for start > 0 && 'a' <= source[start-1] && source[start-1] <= 'z' {
		start--
	}
	var list []Completion
	for _, c := range []Completion{{Label: "print", Detail: "fn(any)"}, {Label: "value", Detail: "fn() -> int"}, {Label: "valid", Kind: "keyword"}} {
		if strings.Contains(c.Label, source[start:offset]) {
			c.Start, c.End = start, offset
			list = append(list, c)
		}
	}
	return list
}

func (f *fake) Signature(source string, offset int) (Signature, bool) {
	if !strings.HasSuffix(source[:offset], "call(") {
		return Signature{}, false
	}
	return Signature{Label: "call(n: int) -> int", Start: 5, End: 11}, true
}

func (f *fake) TypeOf(source string) (string, error)      { return "type of " + source, nil }
func (f *fake) Disassemble(source string) (string, error) { return "bytecode of " + source + "\n", nil }

func (f *fake) Doc(name string) (string, error) {
	if name == "nothing" {
		return "", errors.New("there is no `nothing`")
	}
	return "doc of " + name, nil
}

func (f *fake) Tasks() []Task { return f.tasks }

func (f *fake) Actors() (string, error) { return f.actors, nil }

func (f *fake) Trace(w io.Writer) (stop func() error, err error) {
	io.WriteString(w, "[begin,")
	return func() error {
		_, err := io.WriteString(w, "end]")
		return err
	}, nil
}

func (f *fake) Source() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.entries) == 0 {
		return ""
	}
	return strings.Join(f.entries, "\n") + "\n"
}

func (f *fake) Reload(context.Context) (Result, error) {
	return Result{Reloaded: []string{"m.rnl"}}, nil
}

func (f *fake) Reset() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.entries = nil
	return nil
}

func (f *fake) Close() { f.closed = true }
