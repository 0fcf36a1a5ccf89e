package vm

import "time"

// EventKind says what happened to a task.
type EventKind uint8

// The kinds of events.
const (
	TaskSpawned  EventKind = iota // Task was started by Other (0: the host)
	TaskRuns                      // Task begins to run on Worker
	TaskStops                     // Task stops running on Worker: Why says what for
	TaskWoken                     // Task was made ready by Other (0: a timer, a job, the host)
	TaskEnded                     // Task has ended: Why is "done", "failed" or "cancelled"
	ValueSent                     // Task handed a value to Other, over a channel
	TaskAwaited                   // Task continues with the result of Other
	MessageTaken                  // Task, an actor, has a message in hand, Name: the one before is done
	JobBegins                     // blocking job Job of Task begins on thread Worker of the pool
	JobEnds                       // and ends
)

// Event is something that happened to a task.
type Event struct {
	Kind   EventKind
	At     time.Duration // the scheduler's clock; virtual in a deterministic run
	Worker int
	Task   uint64
	Other  uint64
	Job    uint64
	Why    string // "sleep", "await", "receive", "send", "select", "lock", "scope", "io", "yield", "preempted", "idle" (of an actor); or how it ended
	Name   string // function of the task, name and number of an actor ("counter#1"), variant of the message, or name of the job
	File   string // where: the spawn, the suspension
	Line   int
}

// Observer is told of every event. Event is called on the workers, concurrently
// unless the run is deterministic, and must neither block nor end its
// goroutine.
type Observer interface {
	Event(e Event)
}

// Stats counts what an instance's tasks have done.
type Stats struct {
	Spawned, Ended, Failed, Cancelled int64
	Alive, MaxAlive                   int64 // MaxAlive only where tasks are limited
	Switches, Preempted               int64
	Sends, Receives, Jobs             int64
	DeadLetters                       int64 // messages that no actor has handled

	// LongestLook is the longest pause of all tasks during a search for unreachable actors and questions.
	LongestLook time.Duration
	// Compiled is how many functions of the program have been compiled to machine code, into MachineCode bytes.
	Compiled, MachineCode int64
	// Exits is how often machine code has asked something of the machine, by reason: an opcode, or why it
	// was left.
	Exits map[string]uint64
}
