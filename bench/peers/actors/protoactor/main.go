// Command protoactor runs a workload of actors on protoactor-go: protoactor WORKLOAD SIZE.
package main

import (
	"log/slog"
	"os"
	"sync"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/runnel-lang/runnel/bench/peers/actors/drive"
)

func main() {
	quiet := actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) })
	drive.Run(&library{actor.NewActorSystem(quiet).Root}, os.Args[1], os.Args[2])
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

type library struct{ root *actor.RootContext }

func (l *library) start(c *counter) *actor.PID {
	return l.root.Spawn(actor.PropsFromProducer(func() actor.Actor { return c }))
}

func (l *library) Tell(n int) int {
	done := make(chan bool)
	c := &counter{wanted: n, reached: func() { close(done) }}
	pid := l.start(c)
	drive.FromSenders(n, func() { l.root.Send(pid, drive.Add{By: 1}) })
	<-done
	return c.count
}

func (l *library) Ask(n int) (last int) {
	pid := l.start(&counter{})
	for range n {
		last = drive.Must(l.root.RequestFuture(pid, drive.AddAsk{By: 1}, drive.Patience).Result()).(int)
	}
	return last
}

func (l *library) Idle(n int) {
	var received sync.WaitGroup
	received.Add(n)
	for range n {
		l.root.Send(l.start(&counter{wanted: 1, reached: received.Done}), drive.Add{By: 1})
	}
	received.Wait()
}
