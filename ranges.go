package runnel

import (
	"errors"
	"fmt"

	"github.com/runnel-lang/runnel/vm"
)

// inRange tells of the first of the limits and numbers given by options that nobody
// can mean: less than nothing, more than there is room for, or a reactor without workers.
func inRange(c vm.Config, compiling CompileLimits) error {
	const any = 1<<63 - 1
	l := c.Limits
	for _, n := range []struct {
		name       string
		given, max int64
	}{
		{"Limits.Memory", l.Memory, any},
		{"Limits.Steps", l.Steps, any},
		{"Limits.CallSteps", l.CallSteps, any},
		{"Limits.Tasks", l.Tasks, any},
		{"Limits.Time", int64(l.Time), any},
		{"Limits.Stack", int64(l.Stack), vm.MaxStack},
		{"Limits.Blocking", int64(l.Blocking), any},
		{"WithWorkers", int64(c.Workers), vm.MaxWorkers},
		{"WithWeight", int64(c.Weight), maxWeight},
		{"CompileLimits.Time", int64(compiling.Time), any},
		{"CompileLimits.Source", int64(compiling.Source), any},
	} {
		switch {
		case n.given < 0:
			return fmt.Errorf("%s is %d, less than nothing", n.name, n.given)
		case n.given > n.max:
			return fmt.Errorf("%s is %d, more than %d", n.name, n.given, n.max)
		}
	}
	if c.Reactor != nil && c.Reactor.Workers() == 0 {
		return errors.New("the Reactor of WithReactor was not made by NewReactor")
	}
	return nil
}
