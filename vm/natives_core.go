package vm

import (
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/vm/host"
)

func init() {
	registerNative("core.print", func(c *Call) { c.line(c.w.inst.host.Stdout) })
	registerNative("core.eprint", func(c *Call) { c.line(c.w.inst.host.Stderr) })
	registerNative("core.runs_main", func(c *Call) { c.SetBool(!c.w.inst.starting.Load()) })
	registerNative("core.fail_assert", func(c *Call) { c.Throw(ErrAssert, "%s", c.Str(0)) })
	registerNative("core.fail_comparison", func(c *Call) {
		left, right := c.Str(1), c.Str(2)
		c.Steps((len(left) + len(right)) / 64)
		left, right = differing(left, right)
		c.Throw(ErrAssert, "%s\n  left:  %s\n  right: %s", c.Str(0), left, right)
	})
}

// Of texts longer than longOperand, differing leaves around keptAround bytes of
// what they have in common.
const longOperand, keptAround = 100, 30

// differing leaves out what two long texts have in common at both ends.
func differing(a, b string) (string, string) {
	shorter := min(len(a), len(b))
	if max(len(a), len(b)) <= longOperand || a == b {
		return a, b
	}
	start, end := 0, 0
	for start < shorter && a[start] == b[start] {
		start++
	}
	for end < shorter-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	part := func(s string) string {
		from, to := max(0, start-keptAround), min(len(s), len(s)-end+keptAround)
		for from > 0 && !utf8.RuneStart(s[from]) {
			from--
		}
		for to < len(s) && !utf8.RuneStart(s[to]) {
			to++
		}
		text := s[from:to]
		if from > 0 {
			text = "…" + text
		}
		if to < len(s) {
			text += "…"
		}
		return text
	}
	return part(a), part(b)
}

// line writes argument 0 and a newline in one call. Output that nobody takes
// is dropped.
func (c *Call) line(w io.Writer) {
	if w == nil {
		return
	}
	text := c.Str(0)
	c.Steps(len(text) / 64)
	buf := append(append(c.w.scratch[:0], text...), '\n')
	if cap(buf) <= maxScratch {
		c.w.scratch = buf
	}
	if err := c.write(w, buf); err != nil {
		panic(&thrown{kind: ErrIO, text: "cannot write: " + host.ErrorText(err), cause: err})
	}
}

// write writes to a stream of the host.
func (c *Call) write(w io.Writer, p []byte) (err error) {
	if out, ok := w.(*host.Output); ok { // which has a guard of its own
		_, err = out.Write(p)
		return err
	}
	c.Foreign(func() { _, err = w.Write(p) })
	return err
}

// sizeText shows a number of bytes as people write it.
func sizeText(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= u.size && n%u.size == 0 {
			return fmt.Sprintf("%d %s", n/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}
