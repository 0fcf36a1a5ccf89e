// Package process runs state machines written in Go on the workers of a
// reactor, much like Erlang processes: each has an identifier, a mailbox, links
// and monitors.
//
//	n := process.NewNode(reactor.New(reactor.Options{}), process.NodeOptions{})
//	pid, err := n.Spawn(machine, process.SpawnOptions{})
//	err = n.Send(pid, "hello")
//
// A Process never blocks. It yields commands, for which the Node has handlers, and is
// stepped again when they complete.
package process

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/runnel-lang/runnel/reactor"
)

// Process is a state machine that a Node runs. Its methods are called one at a
// time; they do not block, but yield commands and are stepped again with their
// completions.
type Process interface {
	// Init starts the process, within the call that spawns it: when it fails
	// nothing has been spawned. The context is cancelled when the process ends.
	Init(ctx context.Context, method string, input any) error
	// Step handles events and writes what comes next to out. The events belong
	// to the process only until it returns. An error ends the process.
	Step(events []Event, out *StepOutput) error
	// Close is called once, when the process has ended for whatever reason, even if Init failed.
	Close()
}

// EventKind says what happened.
type EventKind uint8

// The kinds of events.
const (
	Completion EventKind = iota // of a yielded command: Tag, Data, Err
	Message                     // From, Data
	Cancelled                   // the process was asked to end: Err is ErrCancelled
	Exit                        // a linked process ended and this one traps exits: From, Data (its result), Err
	Down                        // a monitored process ended: From, Data (its result), Err
)

// Event is something that happened to a process.
type Event struct {
	Kind EventKind
	Tag  uint64
	From ID
	Data any
	Err  error
}

// Command asks a handler for something outside the process.
type Command struct {
	Tag  uint64 // comes back with the completion
	Name string
	Arg  any
}

// Sleep is the command that completes after a time on the scheduler's clock; its Arg is the time.Duration.
const Sleep = "sleep"

// Handler carries out a command. It does not block; it calls reply once, now
// or later, from any goroutine. The context ends with the process.
type Handler func(ctx context.Context, cmd Command, reply Reply)

// Reply completes a command; further calls do nothing.
type Reply func(data any, err error)

// Next is what a process wants after a step.
type Next uint8

// What a process may want next.
const (
	Idle     Next = iota // to be stepped with the next event
	Continue             // to be stepped again, after the others
	Yield                // to be stepped when a command completes, messages waiting till then
	Done                 // to end
	Upgrade              // to be replaced: see StepOutput.Upgrade
)

// String names what the process wants.
func (n Next) String() string {
	return [...]string{"idle", "continue", "yield", "done", "upgrade"}[n]
}

// StepOutput is what a step tells the node.
type StepOutput struct {
	node    *Node
	worker  *reactor.Worker
	running *running

	Commands []Command
	Next     Next
	Result   any

	replacement replacement
	requeued    []Event
}

// replacement of a process that upgrades.
type replacement struct {
	process Process
	method  string
	input   any
}

// Replacement returns the process that the step has asked to be upgraded to.
// Code that wraps processes must wrap this one, too.
func (o *StepOutput) Replacement() *Process { return &o.replacement.process }

// Command yields a command; its completion comes as an event with the tag.
func (o *StepOutput) Command(tag uint64, name string, arg any) {
	o.Commands = append(o.Commands, Command{Tag: tag, Name: name, Arg: arg})
}

// Sleep yields a Sleep command.
func (o *StepOutput) Sleep(tag uint64, d time.Duration) { o.Command(tag, Sleep, d) }

// Done ends the process with a result.
func (o *StepOutput) Done(result any) { o.Next, o.Result = Done, result }

// Upgrade ends this process and starts another one in its place, which keeps
// the ID, the mailbox, pending commands, links and monitors. Close is called
// before Init of the other; if Init fails, the process has failed. Events that
// this step leaves for the other process must be passed to Requeue.
func (o *StepOutput) Upgrade(to Process, method string, input any) {
	o.Next, o.replacement = Upgrade, replacement{to, method, input}
}

// Requeue puts events of this step back, before those that have arrived in the
// meantime: the next step gets them again, whether of this process or of the
// one it is upgraded to.
func (o *StepOutput) Requeue(events ...Event) { o.requeued = append(o.requeued, events...) }

// Self returns the process itself.
func (o *StepOutput) Self() ID { return o.running.pid }

// Parent returns the process that spawned this one, or 0.
func (o *StepOutput) Parent() ID { return o.running.parent }

// Send sends a message and reports whether the process exists.
func (o *StepOutput) Send(to ID, data any) bool {
	return o.node.deliver(o.worker, to, Event{Kind: Message, From: o.running.pid, Data: data}) == nil
}

// Spawn starts a child.
func (o *StepOutput) Spawn(p Process, opts SpawnOptions) (ID, error) {
	opts.Parent = o.running.pid
	a, err := o.node.spawn(o.worker, p, opts, nil)
	if err != nil {
		return 0, err
	}
	o.worker.WakeLast(&a.proc)
	return a.pid, nil
}

// SpawnOptions configures a process.
type SpawnOptions struct {
	Method string
	Input  any
	Parent ID
	// Link and Monitor tie the process to its parent from the start. If the
	// parent has already ended, a linked process ends as if the parent had
	// ended just after the spawn.
	Link, Monitor bool
	// TrapExit makes the end of linked processes an event.
	TrapExit bool
}

// The errors of a node.
var (
	ErrNoProcess    = errors.New("no such process")
	ErrEnding       = errors.New("the process is being terminated")
	ErrProcessLimit = errors.New("too many processes")
	ErrClosed       = errors.New("the node is closed")
	ErrCancelled    = errors.New("the process was cancelled")
	ErrExited       = errors.New("the process has called runtime.Goexit")
	ErrTerminated   = errors.New("the process was terminated")
	ErrNoCommand    = errors.New("the process yields with no command under way")
	ErrWithinStep   = errors.New("a step cannot wait for processes: it spawns them and their ends are events")
)

// UnknownCommandError completes a command without a handler.
type UnknownCommandError struct{ Name string }

func (e *UnknownCommandError) Error() string { return fmt.Sprintf("no handler for command %q", e.Name) }

// LinkError ends a process whose linked process failed.
type LinkError struct {
	ID  ID
	Err error
}

func (e *LinkError) Error() string { return fmt.Sprintf("linked process %v: %v", e.ID, e.Err) }

// Unwrap returns the error of the linked process.
func (e *LinkError) Unwrap() error { return e.Err }

// PanicError is a panic in a process or handler.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }
