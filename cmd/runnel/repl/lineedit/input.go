package lineedit

import (
	"bytes"
	"io"
	"os"
	"sync"
	"time"
)

// input shares what is typed between an editor and a script: who has the
// terminal takes it, the others wait. The terminal is read when somebody wants
// to, so that it is free for a program that the script starts. What a reader that
// gave up had asked for is there for the next one, whoever it is.
type input struct {
	source io.Reader

	mu          sync.Mutex
	changed     *sync.Cond
	data        []byte // read and not taken
	err         error  // that followed the data, told once
	reading     bool
	editing     bool // the terminal is the editor's
	interrupted bool // the editor is to give up
	closed      bool

	deadline time.Time // of the script's reads
	timer    *time.Timer
}

func newInput(source io.Reader) *input {
	in := &input{source: source}
	in.changed = sync.NewCond(&in.mu)
	return in
}

// wait waits, with the lock held, until there is something to take and ready
// says that the caller may, or until stop gives an error.
func (in *input) wait(ready func() bool, stop func() error) error {
	for {
		switch err := stop(); {
		case err != nil:
			return err
		case in.closed:
			return io.EOF
		case !ready():
		case len(in.data) > 0:
			return nil
		case in.err != nil:
			err, in.err = in.err, nil
			return err
		case !in.reading:
			in.reading = true
			go in.read()
		}
		in.changed.Wait()
	}
}

func (in *input) read() {
	buf := make([]byte, 4<<10)
	n, err := in.source.Read(buf)
	in.mu.Lock()
	in.data = append(in.data, buf[:n]...)
	in.err, in.reading = err, false
	in.changed.Broadcast()
	in.mu.Unlock()
}

// key takes a byte for the editor, which has the terminal.
func (in *input) key() (byte, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	err := in.wait(func() bool { return true }, func() error {
		if in.interrupted {
			in.interrupted = false
			return ErrInterrupt
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	b := in.data[0]
	in.data = in.data[1:]
	return b, nil
}

// follows reports whether a byte comes within a time.
func (in *input) follows(within time.Duration) bool {
	late := false
	timer := time.AfterFunc(within, func() {
		in.mu.Lock()
		late = true
		in.changed.Broadcast()
		in.mu.Unlock()
	})
	defer timer.Stop()
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.wait(func() bool { return true }, func() error {
		if late && len(in.data) == 0 {
			return os.ErrDeadlineExceeded
		}
		return nil
	}) == nil
}

// waiting reports whether more has been typed than was taken.
func (in *input) waiting() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return len(in.data) > 0
}

// edit gives the terminal to the editor, or back to the script. Line ends that
// were typed ahead are those of the terminal's other mode.
func (in *input) edit(on bool) {
	in.mu.Lock()
	in.editing, in.interrupted = on, false
	if !on {
		in.data = bytes.ReplaceAll(in.data, []byte("\r"), []byte("\n"))
	}
	in.changed.Broadcast()
	in.mu.Unlock()
}

// interrupt has the editor give up.
func (in *input) interrupt() {
	in.mu.Lock()
	in.interrupted = true
	in.changed.Broadcast()
	in.mu.Unlock()
}

// Read is for the script: it waits while the editor has the terminal.
func (in *input) Read(p []byte) (int, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	err := in.wait(func() bool { return !in.editing }, func() error {
		if !in.deadline.IsZero() && !time.Now().Before(in.deadline) {
			return os.ErrDeadlineExceeded
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	n := copy(p, in.data)
	in.data = in.data[n:]
	return n, nil
}

// SetReadDeadline has reads of the script end at a time: those of a task that is
// cancelled do.
func (in *input) SetReadDeadline(t time.Time) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.timer != nil {
		in.timer.Stop()
		in.timer = nil
	}
	in.deadline = t
	if d := time.Until(t); !t.IsZero() && d > 0 {
		in.timer = time.AfterFunc(d, in.wake)
	}
	in.changed.Broadcast()
	return nil
}

// wake has those who wait look again.
func (in *input) wake() {
	in.mu.Lock()
	in.changed.Broadcast()
	in.mu.Unlock()
}

func (in *input) close() {
	in.mu.Lock()
	in.closed = true
	in.changed.Broadcast()
	in.mu.Unlock()
}
