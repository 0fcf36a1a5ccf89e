package vm

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/vm/host"
)

// What a message quotes of what it was given is short, however long that is: messages
// are read by people, and are paid for by nobody.
const (
	mostQuoted  = 40      // bytes of a text
	mostName    = 500     // of a name: a path, an address
	mostMessage = 2 << 10 // of a message
)

// Quote returns a text for a message, as a literal, shortened if it is long.
func Quote(text string) string { return quoteUpTo(text, mostQuoted) }

// QuoteName is Quote for names, of which it shows more.
func QuoteName(name string) string { return quoteUpTo(name, mostName) }

// Brief returns a text for a message, unquoted and shortened if it is long.
func Brief(text string) string { return cut(text, mostQuoted) }

func quoteUpTo(text string, most int) string {
	if len(text) <= most {
		return string(appendQuoted(nil, text))
	}
	return string(appendQuoted(nil, text[:charsUpTo(text, most)])) + "..."
}

// cut returns what a text begins with.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return text[:charsUpTo(text, most)] + "..."
}

// charsUpTo is the length of the whole characters that a longer text begins with.
func charsUpTo(text string, most int) int {
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return most
}

// message is fmt.Sprintf that shows little of what is long.
func message(format string, args []any) string {
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			if len(arg) > mostName {
				args[i] = cut(arg, mostName)
			}
		case []byte:
			if len(arg) > mostName {
				args[i] = arg[:mostName]
			}
		case error:
			if text := host.ErrorText(arg); len(text) > mostMessage {
				args[i] = errors.New(cut(text, mostMessage))
			}
		}
	}
	return cut(fmt.Sprintf(format, args...), mostMessage)
}
