package matrix

// Exception is a cell, or all cells of an operation, that is left out.
type Exception struct {
	Op, Position string
	Why          string
}

const failureEndsScope = "a task that fails ends the scope it belongs to, also when somebody awaits it (21.3); a timeout is a scope"

// failing are the operations that await a task's failure.
var failing = []string{
	"await a failure", "await a failure that holds a value", "await a failure inside a task", "await_all of a failure", "await_any of a failure",
}

// Exceptions are all cells that the language does not allow.
func Exceptions() []Exception {
	var all []Exception
	for _, op := range failing {
		all = append(all, Exception{op, "scope", failureEndsScope}, Exception{op, "timeout", failureEndsScope})
	}
	return all
}

func excepted(op, position string) bool {
	for _, e := range Exceptions() {
		if e.Op == op && e.Position == position {
			return true
		}
	}
	return false
}

// Clock tells under which clock an operation can run.
type Clock uint8

const (
	AnyClock Clock = iota
	// WallClock: something only computes until a time is over.
	WallClock
	// VirtualClock: something sleeps for an hour.
	VirtualClock
)

var clocks = map[string]Clock{
	"timeout of a computation": WallClock,
	"sleep in order":           VirtualClock,
}
