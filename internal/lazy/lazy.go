// Package lazy makes what a program may not need when it is first used: so it
// starts sooner, in less memory.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a regular expression that is compiled when it is first asked for.
func Regexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
