// Command hollywood runs a workload of actors on the library of that name: hollywood [-inbox n] WORKLOAD SIZE.
package main

import (
	"flag"
	"strconv"
	"sync"

	"github.com/anthdm/hollywood/actor"

	"github.com/runnel-lang/runnel/bench/peers/actors/drive"
)

func main() {
	inbox := flag.Int("inbox", drive.Mailbox, "how many `messages` an inbox has room for before it grows")
	flag.Parse()
	engine := drive.Must(actor.NewEngine(actor.NewEngineConfig()))
	drive.Run(&library{engine: engine, inbox: *inbox}, flag.Arg(0), flag.Arg(1))
}

type library struct {
	engine *actor.Engine
	inbox  int
	actors int
}

// start starts an actor. One without an ID would be given a random one.
func (l *library) start(r actor.Receiver) *actor.PID {
	l.actors++
	id := actor.WithID(strconv.Itoa(l.actors))
	return l.engine.Spawn(func() actor.Receiver { return r }, "actor", id, actor.WithInboxSize(l.inbox))
}

func (l *library) Tell(n int) int {
	done := make(chan bool)
	c := &counter{wanted: n, reached: func() { close(done) }}
	pid := l.start(c)
	drive.FromSenders(n, func() { l.engine.Send(pid, drive.Add{By: 1}) })
	<-done
	return c.count
}

func (l *library) Ask(n int) (last int) {
	pid := l.start(&counter{})
	for range n {
		last = drive.Must(l.engine.Request(pid, drive.AddAsk{By: 1}, drive.Patience).Result()).(int)
	}
	return last
}

func (l *library) Pairs(n int) (returned int) {
	var over sync.WaitGroup
	over.Add(drive.Pairs)
	var returners [drive.Pairs]returner
	for i := range returners {
		l.start(&server{opponent: l.start(&returners[i]), left: n / drive.Pairs, over: over.Done})
	}
	over.Wait()
	for _, r := range returners {
		returned += r.returned
	}
	return returned
}

func (l *library) Fan(n int) int {
	done := make(chan bool)
	h := &hub{rounds: n / drive.Workers, over: func() { close(done) }}
	for range drive.Workers {
		h.workers = append(h.workers, l.start(worker{}))
	}
	l.start(h)
	<-done
	return h.answers
}

func (l *library) Idle(n int) {
	var received sync.WaitGroup
	received.Add(n)
	reached := received.Done
	for range n {
		l.engine.Send(l.start(&counter{wanted: 1, reached: reached}), drive.Add{By: 1})
	}
	received.Wait()
}

// counter says when it has counted to the number wanted.
type counter struct {
	count, wanted int
	reached       func()
}

func (c *counter) Receive(ctx *actor.Context) {
	switch m := ctx.Message().(type) {
	case drive.Add:
		if c.count += m.By; c.count == c.wanted {
			c.reached()
		}
	case drive.AddAsk:
		c.count += m.By
		ctx.Respond(c.count)
	}
}

// server serves, again when the ball comes back, as often as is left, and then says that it is over.
type server struct {
	opponent *actor.PID
	left     int
	over     func()
}

func (s *server) Receive(ctx *actor.Context) {
	switch ctx.Message().(type) {
	case actor.Started, drive.Ball:
		if s.left == 0 {
			s.over()
			return
		}
		s.left--
		ctx.Send(s.opponent, drive.Ball{})
	}
}

type returner struct{ returned int }

func (r *returner) Receive(ctx *actor.Context) {
	if _, ok := ctx.Message().(drive.Ball); ok {
		r.returned++
		ctx.Respond(drive.Ball{})
	}
}

// hub gives tasks in so many rounds, the next when all are answered, and then says that it is over.
type hub struct {
	workers         []*actor.PID
	rounds, answers int
	over            func()
}

func (h *hub) Receive(ctx *actor.Context) {
	switch ctx.Message().(type) {
	case actor.Started:
		h.round(ctx)
	case drive.Done:
		if h.answers++; h.answers%len(h.workers) == 0 {
			h.round(ctx)
		}
	}
}

func (h *hub) round(ctx *actor.Context) {
	if h.rounds == 0 {
		h.over()
		return
	}
	h.rounds--
	for _, w := range h.workers {
		ctx.Send(w, drive.Task{})
	}
}

type worker struct{}

func (worker) Receive(ctx *actor.Context) {
	if _, ok := ctx.Message().(drive.Task); ok {
		ctx.Respond(drive.Done{})
	}
}
