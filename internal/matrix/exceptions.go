package matrix

// Exception is a cell, or all cells of an operation, that is left out.
type Exception struct {
	Op, Position string
	Why          string
}

const failureEndsScope = "a task that fails ends the scope it belongs to, also when somebody awaits it (21.3)"

// Exceptions are all cells that the language does not allow.
var Exceptions = []Exception{
	{"await a failure", "scope", failureEndsScope},
	{"await a failure that holds a value", "scope", failureEndsScope},
	{"await a failure inside a task", "scope", failureEndsScope},
	{"await_all of a failure", "scope", failureEndsScope},
	{"await_any of a failure", "scope", failureEndsScope},
}

func excepted(op, position string) bool {
	for _, e := range Exceptions {
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
