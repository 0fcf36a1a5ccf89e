// Command protoactor runs a workload of actors on protoactor-go: protoactor [-bounded] WORKLOAD SIZE.
package main

import (
	"flag"
	"log/slog"
	"sync"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/runnel-lang/runnel/bench/peers/actors/drive"
)

func main() {
	bounded := flag.Bool("bounded", false, "mailboxes have a bound, and no lock; by default they have a lock, and no bound")
	flag.Parse()
	var options []actor.PropsOption
	if *bounded {
		options = append(options, actor.WithMailbox(actor.Bounded(drive.Mailbox)))
	}
	quiet := actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) })
	drive.Run(&library{actor.NewActorSystem(quiet).Root, options}, flag.Arg(0), flag.Arg(1))
}

// noLimit has a question wait as long as it takes, without a timer.
const noLimit = -1

type library struct {
	root    *actor.RootContext
	options []actor.PropsOption
}

func (l *library) start(make actor.Producer) *actor.PID {
	return l.root.Spawn(actor.PropsFromProducer(make, l.options...))
}

func (l *library) Tell(n int) int {
	done := make(chan bool)
	c := &counter{wanted: n, reached: func() { close(done) }}
	pid := l.start(func() actor.Actor { return c })
	drive.FromSenders(n, func() { l.root.Send(pid, drive.Add{By: 1}) })
	<-done
	return c.count
}

func (l *library) Ask(n int) (last int) {
	pid := l.start(func() actor.Actor { return &counter{} })
	for range n {
		last = drive.Must(l.root.RequestFuture(pid, drive.AddAsk{By: 1}, noLimit).Result()).(int)
	}
	return last
}

func (l *library) Pairs(n int) (returned int) {
	var over sync.WaitGroup
	over.Add(drive.Pairs)
	var returners [drive.Pairs]returner
	for i := range returners {
		opponent := l.start(func() actor.Actor { return &returners[i] })
		l.start(func() actor.Actor { return &server{opponent: opponent, left: n / drive.Pairs, over: over.Done} })
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
		h.workers = append(h.workers, l.start(func() actor.Actor { return worker{} }))
	}
	l.start(func() actor.Actor { return h })
	<-done
	return h.answers
}

func (l *library) Idle(n int) {
	var received sync.WaitGroup
	received.Add(n)
	reached := received.Done
	props := actor.PropsFromProducer(func() actor.Actor { return &counter{wanted: 1, reached: reached} }, l.options...)
	for range n {
		l.root.Send(l.root.Spawn(props), drive.Add{By: 1})
	}
	received.Wait()
}

// counter says when it has counted to the number wanted.
type counter struct {
	count, wanted int
	reached       func()
}

func (c *counter) Receive(ctx actor.Context) {
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

// ball says who served it. A message that is sent with its sender would be wrapped each time.
type ball struct{ by *actor.PID }

// server serves, again when the ball comes back, as often as is left, and then says that it is over.
type server struct {
	opponent *actor.PID
	left     int
	over     func()
	ball     *ball
}

func (s *server) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		s.ball = &ball{ctx.Self()}
		s.serve(ctx)
	case drive.Ball:
		s.serve(ctx)
	}
}

func (s *server) serve(ctx actor.Context) {
	if s.left == 0 {
		s.over()
		return
	}
	s.left--
	ctx.Send(s.opponent, s.ball)
}

type returner struct{ returned int }

func (r *returner) Receive(ctx actor.Context) {
	if b, ok := ctx.Message().(*ball); ok {
		r.returned++
		ctx.Send(b.by, drive.Ball{})
	}
}

// task says who wants it done.
type task struct{ of *actor.PID }

// hub gives tasks in so many rounds, the next when all are answered, and then says that it is over.
type hub struct {
	workers         []*actor.PID
	rounds, answers int
	over            func()
	task            *task
}

func (h *hub) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		h.task = &task{ctx.Self()}
		h.round(ctx)
	case drive.Done:
		if h.answers++; h.answers%len(h.workers) == 0 {
			h.round(ctx)
		}
	}
}

func (h *hub) round(ctx actor.Context) {
	if h.rounds == 0 {
		h.over()
		return
	}
	h.rounds--
	for _, w := range h.workers {
		ctx.Send(w, h.task)
	}
}

type worker struct{}

func (worker) Receive(ctx actor.Context) {
	if t, ok := ctx.Message().(*task); ok {
		ctx.Send(t.of, drive.Done{})
	}
}
