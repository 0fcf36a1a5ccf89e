package lineedit

import (
	"errors"
	"os"
	"sync/atomic"

	"github.com/chzyer/readline"
)

// device is a terminal as the operating system offers it.
type device interface {
	Read(p []byte) (int, error)
	Write(p []byte) (int, error)
	// Size returns the columns and rows.
	Size() (width, height int)
	// OnResize has a function called when the size changes.
	OnResize(f func())
	// Raw has keys come as they are typed, until restore is called.
	Raw() (restore func(), err error)
	// Suspend stops the process as Ctrl-Z does, until it goes on.
	Suspend()
}

// tty is the terminal that the process was started at.
type tty struct{ raw atomic.Bool }

func openTTY() (*tty, error) {
	if !readline.IsTerminal(readline.GetStdin()) || !readline.IsTerminal(int(os.Stdout.Fd())) {
		return nil, errors.New("standard input and output are not a terminal")
	}
	return &tty{}, nil
}

// Read reads keys in raw mode, which come from elsewhere on Windows, and lines
// otherwise.
func (t *tty) Read(p []byte) (int, error) {
	if t.raw.Load() {
		return readline.Stdin.Read(p)
	}
	return os.Stdin.Read(p)
}

func (t *tty) Write(p []byte) (int, error) { return readline.Stdout.Write(p) }

func (t *tty) Size() (width, height int) {
	width, height, err := readline.GetSize(int(os.Stdout.Fd()))
	if err != nil || width <= 0 || height <= 0 { // some terminals do not tell
		return 80, 24
	}
	return width, height
}

func (t *tty) OnResize(f func()) { readline.DefaultOnWidthChanged(f) }

func (t *tty) Raw() (restore func(), err error) {
	state, err := readline.MakeRaw(readline.GetStdin())
	if err != nil {
		return nil, err
	}
	t.raw.Store(true)
	return func() {
		t.raw.Store(false)
		readline.Restore(readline.GetStdin(), state)
	}, nil
}
