package syntax

import (
	"context"

	"github.com/runnel-lang/runnel/lang/diag"
)

// Incomplete reports whether src is the beginning of a program that breaks off:
// a bracket, a raw string, a text block or a comment is still open, or an operand is missing
// at the end. An interactive reader then asks for another line.
func Incomplete(src string) bool {
	var fs diag.FileSet
	f := fs.Add("", src)
	if f == nil {
		return false
	}
	p := newParser(context.Background(), f)
	p.typed = true
	p.sourceFile()
	return p.incomplete
}
