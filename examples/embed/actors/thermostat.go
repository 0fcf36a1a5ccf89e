package main

import (
	"context"
	"errors"
	"time"

	"github.com/runnel-lang/runnel/reactor/process"
	"github.com/runnel-lang/runnel/stdlib/actor"
)

// What a thermostat can be told. In scripts it is the enum devices.Thermostat.
type (
	Set  struct{ Degrees float64 }
	Read struct{ Reply *actor.Reply[float64] }
)

// thermostat warms or cools its room by half a degree in ten minutes.
type thermostat struct {
	is, want float64
	ticking  bool
}

const pace = 10 * time.Minute

func (t *thermostat) Init(context.Context, string, any) error { return nil }
func (t *thermostat) Close()                                  {}

// Step does what is to be done for some events. It does not wait: a Sleep comes
// back as an event too.
func (t *thermostat) Step(events []process.Event, out *process.StepOutput) error {
	for _, e := range events {
		switch m := e.Data.(type) {
		case Set:
			if m.Degrees > 30 {
				return errors.New("this is no oven")
			}
			t.want = m.Degrees
		case Read:
			_ = m.Reply.Send(t.is) // who asked may have gone
		}
		if e.Kind == process.Completion {
			t.ticking = false
			t.is += max(-0.5, min(0.5, t.want-t.is))
		}
	}
	if t.is != t.want && !t.ticking {
		t.ticking = true
		out.Sleep(1, pace)
	}
	return nil
}
