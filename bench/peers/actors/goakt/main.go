// Command goakt runs a workload of actors on the library of that name: goakt [-segmented] WORKLOAD SIZE.
package main

import (
	"context"
	"flag"
	"strconv"
	"sync"

	"github.com/tochemey/goakt/v3/actor"
	"github.com/tochemey/goakt/v3/goaktpb"
	"github.com/tochemey/goakt/v3/log"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/runnel-lang/runnel/bench/peers/actors/drive"
)

// Its messages are those of protocol buffers. One that says nothing new is
// made once, as in the benchmarks of the library.
type (
	add    = wrapperspb.Int64Value
	addAsk = wrapperspb.UInt64Value
	count  = wrapperspb.Int64Value
)

// signal is a ball, a task, or the answer to one.
var signal = &emptypb.Empty{}

func main() {
	segmented := flag.Bool("segmented", false, "mailboxes are lists of arrays; by default they are lists of messages")
	flag.Parse()
	system := drive.Must(actor.NewActorSystem("bench", actor.WithLogger(log.DiscardLogger)))
	check(system.Start(context.Background()))
	drive.Run(&library{system: system, segmented: *segmented}, flag.Arg(0), flag.Arg(1))
}

type library struct {
	system    actor.ActorSystem
	segmented bool
	actors    int
}

// start starts an actor that does not end when it gets no message for some minutes, which would take a timer.
func (l *library) start(a actor.Actor) *actor.PID {
	options := []actor.SpawnOption{actor.WithLongLived()}
	if l.segmented {
		options = append(options, actor.WithMailbox(actor.NewUnboundedSegmentedMailbox()))
	}
	l.actors++
	return drive.Must(l.system.Spawn(context.Background(), strconv.Itoa(l.actors), a, options...))
}

func (l *library) Tell(n int) int {
	done := make(chan bool)
	c := &counter{wanted: n, reached: func() { close(done) }}
	pid, ctx, msg := l.start(c), context.Background(), &add{Value: 1}
	drive.FromSenders(n, func() { check(actor.Tell(ctx, pid, msg)) })
	<-done
	return c.count
}

func (l *library) Ask(n int) (last int) {
	pid, ctx, msg := l.start(&counter{}), context.Background(), &addAsk{Value: 1}
	for range n {
		last = int(drive.Must(actor.Ask(ctx, pid, msg, drive.Patience)).(*count).Value)
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
	for i := range returners {
		returned += returners[i].returned
	}
	return returned
}

func (l *library) Fan(n int) int {
	done := make(chan bool)
	h := &hub{rounds: n / drive.Workers, over: func() { close(done) }}
	for range drive.Workers {
		h.workers = append(h.workers, l.start(&worker{}))
	}
	l.start(h)
	<-done
	return h.answers
}

func (l *library) Idle(n int) {
	var received sync.WaitGroup
	received.Add(n)
	reached, ctx, msg := received.Done, context.Background(), &add{Value: 1}
	for range n {
		check(actor.Tell(ctx, l.start(&counter{wanted: 1, reached: reached}), msg))
	}
	received.Wait()
}

// plain is an actor that has nothing to do when it starts and stops.
type plain struct{}

func (plain) PreStart(*actor.Context) error { return nil }
func (plain) PostStop(*actor.Context) error { return nil }

// send does what ctx.Tell does, without a context that cannot be cancelled made for each message.
func send(ctx *actor.ReceiveContext, to *actor.PID, msg proto.Message) {
	check(ctx.Self().Tell(context.Background(), to, msg))
}

// counter says when it has counted to the number wanted.
type counter struct {
	plain
	count, wanted int
	reached       func()
}

func (c *counter) Receive(ctx *actor.ReceiveContext) {
	switch m := ctx.Message().(type) {
	case *add:
		if c.count += int(m.Value); c.count == c.wanted {
			c.reached()
		}
	case *addAsk:
		c.count += int(m.Value)
		ctx.Response(&count{Value: int64(c.count)})
	}
}

// server serves, again when the ball comes back, as often as is left, and then says that it is over.
type server struct {
	plain
	opponent *actor.PID
	left     int
	over     func()
}

func (s *server) Receive(ctx *actor.ReceiveContext) {
	switch ctx.Message().(type) {
	case *goaktpb.PostStart, *emptypb.Empty:
		if s.left == 0 {
			s.over()
			return
		}
		s.left--
		send(ctx, s.opponent, signal)
	}
}

type returner struct {
	plain
	returned int
}

func (r *returner) Receive(ctx *actor.ReceiveContext) {
	if _, ok := ctx.Message().(*emptypb.Empty); ok {
		r.returned++
		send(ctx, ctx.Sender(), signal)
	}
}

// hub gives tasks in so many rounds, the next when all are answered, and then says that it is over.
type hub struct {
	plain
	workers         []*actor.PID
	rounds, answers int
	over            func()
}

func (h *hub) Receive(ctx *actor.ReceiveContext) {
	switch ctx.Message().(type) {
	case *goaktpb.PostStart:
		h.round(ctx)
	case *emptypb.Empty:
		if h.answers++; h.answers%len(h.workers) == 0 {
			h.round(ctx)
		}
	}
}

func (h *hub) round(ctx *actor.ReceiveContext) {
	if h.rounds == 0 {
		h.over()
		return
	}
	h.rounds--
	for _, w := range h.workers {
		send(ctx, w, signal)
	}
}

type worker struct{ plain }

func (*worker) Receive(ctx *actor.ReceiveContext) {
	if _, ok := ctx.Message().(*emptypb.Empty); ok {
		send(ctx, ctx.Sender(), signal)
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
