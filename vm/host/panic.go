package host

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
)

// Panic is a panic in a native function of the host: the cause of the
// script's HostError.
type Panic struct {
	Value any
	Stack []byte
}

// mostPanicText is how much of a panic's text is shown.
const mostPanicText = 4 << 10

// Error shows a value that is a string, a number or an error; of others it
// shows only the type, because they may contain themselves or be arbitrarily
// large.
func (e *Panic) Error() string {
	text := ""
	switch v := reflect.ValueOf(e.Value); {
	case e.Unwrap() != nil:
		text = ErrorText(e.Unwrap())
	case v.Kind() == reflect.String:
		text = v.String()
	case v.IsValid() && v.Kind() <= reflect.Complex128:
		text = fmt.Sprint(v)
	default:
		text = fmt.Sprintf("(%T)", e.Value)
	}
	if len(text) > mostPanicText {
		text = strings.ToValidUTF8(text[:mostPanicText], "") + "..."
	}
	return "panic: " + text
}

// Unwrap returns the value of the panic if it is an error.
func (e *Panic) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// ErrorText returns the text of an error of the host, even if its Error method panics.
func ErrorText(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("%T, which cannot say what it is", err)
		}
	}()
	return err.Error()
}

// Guarded calls code of a host; a panic in it becomes the error, a *Panic.
func Guarded(f func() error) (err error) {
	defer func() {
		if e := recover(); e != nil {
			err = &Panic{e, debug.Stack()}
		}
	}()
	return f()
}
