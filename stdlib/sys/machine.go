package sys

import (
	"os"
	"os/user"
	"runtime"
	"strings"

	"github.com/runnel-lang/runnel/vm"
)

// Machine is what may be known about the process and where it runs.
type Machine interface {
	Environ() []string // "NAME=value"
	Dir() (string, error)
	PID() int
	Hostname() (string, error)
	User() (string, error)
}

// System grants what is known of the process, and its signals.
type System struct{}

// Environ is the environment of the process.
func (System) Environ() []string { return os.Environ() }

// Dir is the directory that the process runs in.
func (System) Dir() (string, error) { return os.Getwd() }

// PID is the number of the process.
func (System) PID() int { return os.Getpid() }

// Hostname is the name of the machine.
func (System) Hostname() (string, error) { return os.Hostname() }

// User is the name of the user that the process belongs to.
func (System) User() (string, error) {
	u, err := user.Current()
	if err != nil {
		return "", err
	}
	return u.Username, nil
}

func init() {
	Module.Native("environ", environ)
	Module.Native("pid", pid)
	Module.Native("cwd", func(c *vm.Call) { text(c, "tell the directory", Machine.Dir) })
	Module.Native("hostname", func(c *vm.Call) { text(c, "tell the name of the machine", Machine.Hostname) })
	Module.Native("user", func(c *vm.Call) { text(c, "tell the user", Machine.User) })
	Module.Native("cpus", func(c *vm.Call) { c.SetInt(int64(runtime.GOMAXPROCS(0))) })
}

func machine(c *vm.Call) Machine { return vm.Granted[Machine](c, "what is known of the process") }

func pid(c *vm.Call) {
	n, from := 0, machine(c)
	c.Foreign(func() { n = from.PID() })
	c.SetInt(int64(n))
}

func text(c *vm.Call, what string, of func(Machine) (string, error)) {
	var s string
	var err error
	from := machine(c)
	if c.Foreign(func() { s, err = of(from) }); err != nil {
		c.ThrowIO("cannot "+what, err)
	}
	c.SetStr(s)
}

func environ(c *vm.Call) {
	var variables []string
	from := machine(c)
	c.Foreign(func() { variables = from.Environ() })
	c.Steps(len(variables))
	m := c.NewMap(c.Ref().Result)
	c.Pin(m.Object())
	for _, v := range variables {
		name, value, ok := strings.Cut(v, "=")
		if !ok || name == "" {
			continue
		}
		key := c.NewStr(name)
		c.Pin(key.Object())
		c.MapSet(m, key.Value(), c.NewStr(value).Value())
		c.Unpin()
	}
	c.SetObject(m.Object())
}
