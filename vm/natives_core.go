package vm

import (
	"fmt"
	"io"
)

func init() {
	registerNative("core.print", func(c *Call) { c.line(c.w.inst.host.Stdout) })
	registerNative("core.eprint", func(c *Call) { c.line(c.w.inst.host.Stderr) })
	registerNative("core.runs_main", func(c *Call) { c.SetBool(!c.w.inst.starting.Load()) })
	registerNative("core.fail_assert", func(c *Call) { c.Throw(ErrAssert, "%s", c.Str(0)) })
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
	if _, err := w.Write(buf); err != nil {
		c.Throw(ErrIO, "cannot write: %v", err)
	}
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
