package repl

import (
	"context"
	"io"
)

// Engine runs entries one after the other in a program that stays alive. What it
// prints goes to the terminal, and is there when a method returns.
type Engine interface {
	// Eval runs an entry, which errors call by a name. What it declares stays
	// for later ones; so do the tasks that it has spawned. When the context ends
	// the entry's own task is cancelled, not the others. An entry that does not
	// end even then is abandoned: others come while it goes on. The error of a
	// cancelled entry is context.Canceled; others are shown by Options.Report.
	Eval(ctx context.Context, name, source string) (Result, error)
	// Incomplete tells that more must follow.
	Incomplete(source string) bool
	// Complete returns what may stand at a byte offset of an entry.
	Complete(source string, offset int) []Completion
	// Signature returns the head of what is called around a byte offset of an entry.
	Signature(source string, offset int) (Signature, bool)
	// TypeOf returns the type of an expression, without running it.
	TypeOf(source string) (string, error)
	// Doc returns the documentation of a name, such as `list.map`.
	Doc(name string) (string, error)
	// Disassemble returns the bytecode of a function or of an expression.
	Disassemble(source string) (string, error)
	// Tasks lists the live tasks.
	Tasks() []Task
	// Actors tells of the actors that live, a line for each; "" where there are none.
	Actors() (string, error)
	// Trace writes what tasks do to w, until stop is called.
	Trace(w io.Writer) (stop func() error, err error)
	// Source returns the entries that did not fail, as a script; what was declared
	// again is there once.
	Source() string
	// Reload imports again what has changed of the imported files.
	Reload(ctx context.Context) (Result, error)
	// Reset forgets all that was declared and cancels all tasks.
	Reset() error
	// Close cancels all tasks.
	Close()
}

// Result is what an entry gives: the value of its last expression, as text, and
// its type.
type Result struct {
	Text, Type string
	HasValue   bool // false for declarations, statements and the unit value
	// Reloaded are files that were imported again as they are now.
	Reloaded []string
}

// Completion is a name that may stand in place of the bytes [Start, End).
type Completion struct {
	Start, End int
	Label      string // the name
	Insert     string // what is written: `push(`; the name when it is empty
	Kind       string // function, module, keyword, ...
	Detail     string // its type
}

// Signature is the head of what is called: `add(n: int) -> int`.
type Signature struct {
	Label      string
	Start, End int // the parameter that is being written, in Label; both 0 for none
}

// Task is one of the live tasks.
type Task struct {
	ID    int
	Func  string // what it runs
	State string // running, waiting for a channel, ...
	Where string // entry 3:1:7
}
