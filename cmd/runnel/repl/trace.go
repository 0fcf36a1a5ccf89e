package repl

import (
	"io"
	"os"
	"strings"

	"github.com/runnel-lang/runnel/internal/whole"
)

// recording is a trace: it is written to a temporary file until the user says
// where it should go.
type recording struct {
	file *os.File
	stop func() error // nil when it is over
}

// traceCommand begins a trace, ends it, or saves it.
func (s *shell) traceCommand(arg string) error {
	word, path, _ := strings.Cut(arg, " ")
	path = strings.TrimSpace(path)
	switch {
	case word == "on" && path == "":
		return s.startTrace()
	case word == "off" && path == "":
		if s.trace.stop == nil {
			return usageError("no trace is being recorded")
		}
		s.hint("recording stopped; `:trace save FILE` saves the trace")
		return s.trace.end()
	case word == "save" && path != "":
		return s.saveTrace(expandHome(path))
	}
	return usageError("`:trace on`, `:trace off` or `:trace save FILE`")
}

func (s *shell) startTrace() error {
	if s.trace.stop != nil {
		return usageError("a trace is already being recorded")
	}
	s.trace.close()
	file, err := os.CreateTemp("", "runnel-trace-*.json")
	if err != nil {
		return fileError(err)
	}
	s.trace.file = file
	if s.trace.stop, err = s.engine.Trace(file); err != nil {
		s.trace.close()
		return err
	}
	s.hint("recording")
	return nil
}

func (s *shell) saveTrace(path string) error {
	r := &s.trace
	if r.file == nil {
		return usageError("nothing has been recorded: `:trace on` starts recording")
	}
	if err := r.end(); err != nil {
		return err
	}
	if err := r.copyTo(path); err != nil {
		return fileError(err)
	}
	r.close()
	s.hint("saved to " + path + "; open it in ui.perfetto.dev")
	return nil
}

func (r *recording) copyTo(path string) error {
	if _, err := r.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return whole.Copy(path, r.file)
}

// end completes a trace.
func (r *recording) end() error {
	if r.stop == nil {
		return nil
	}
	stop := r.stop
	r.stop = nil
	return stop()
}

// close forgets a trace.
func (r *recording) close() {
	if r.file == nil {
		return
	}
	r.end()
	r.file.Close()
	os.Remove(r.file.Name())
	r.file = nil
}
