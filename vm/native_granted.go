package vm

import "github.com/runnel-lang/runnel/vm/host"

// Host returns the host of the instance.
func (c *Call) Host() *host.Host { return c.w.inst.host }

// NotGranted raises the error of a capability that the host did not grant.
func (c *Call) NotGranted(capability string) {
	panic(&thrown{kind: ErrIO, io: IONotGranted, text: "the host does not grant this program access to " + capability})
}

// Granted returns the host's capability of a type; it throws when there is none,
// naming what it is for: "the network".
func Granted[T any](c *Call, what string) T {
	for _, g := range c.Host().Grants {
		if t, ok := g.(T); ok {
			return t
		}
	}
	c.NotGranted(what)
	panic("unreachable")
}

// FS returns the host's file system; it throws when there is none.
func (c *Call) FS() host.FileSystem {
	if fs := c.Host().FS; fs != nil {
		return fs
	}
	c.NotGranted("files")
	return nil
}
