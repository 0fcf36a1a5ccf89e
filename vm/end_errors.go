package vm

// ErrKind says which error struct of the prelude a runtime error becomes. The
// structs are in prelude/core.rnl; each has the single field `text: str`.
type ErrKind uint8

const (
	ErrPlain    ErrKind = iota // error("...")
	ErrIndex                   // index or slice out of range
	ErrKey                     // map index with a missing key
	ErrDivision                // division or remainder by zero
	ErrNone                    // x! on none
	ErrCast                    // x as T
	ErrValue                   // bad input to a conversion or library function
	ErrAssert                  // failed assert
	ErrRace                    // RaceError
	ErrUninit                  // Uninitialised
	ErrModified                // a map or set changed in its own loop
	ErrIO                      // failed input or output
	ErrClosed                  // channel closed
	ErrTimeout
	ErrDeadlock
	ErrTaskCancelled
	ErrCancelled // only catch e: Cancelled sees it
	ErrCannotSuspend
	ErrHost // a native function of the host gave an error
	numScriptErrs

	// Limits, and what else a script cannot catch.
	ErrMemory
	ErrSteps
	ErrStack
	ErrTasks
	ErrDeadline

	// ErrInternal is a defect of a native function or of a compiled program that no
	// compiler has made: nothing that a script can do, and nothing it can catch.
	ErrInternal
)

// Limit reports an error that scripts cannot catch.
func (k ErrKind) Limit() bool { return k > numScriptErrs }

// thrown travels as a Go panic from natives and helpers to the edge of run,
// which turns it into a script error at the saved pc. No Go frame of ours is
// in a state that matters in between.
type thrown struct {
	kind  ErrKind
	io    IOKind // of ErrIO
	text  string
	cause error // in Go, or nil
	val   Value // thrown as it is, if any
}

func (e *thrown) Error() string { return e.text }

func throw(kind ErrKind, format string, args ...any) {
	panic(&thrown{kind: kind, text: message(format, args)})
}

// internal ends the script with an internal error.
func internal(format string, args ...any) {
	throw(ErrInternal, "internal error: "+format, args...)
}
