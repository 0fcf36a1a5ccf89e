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
	inbox := flag.Int("inbox", 1024, "how many `messages` an inbox has room for before it grows")
	flag.Parse()
	engine := drive.Must(actor.NewEngine(actor.NewEngineConfig()))
	drive.Run(&library{engine, *inbox}, flag.Arg(0), flag.Arg(1))
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

type library struct {
	engine *actor.Engine
	inbox  int
}

func (l *library) start(id int, c *counter) *actor.PID {
	return l.engine.Spawn(func() actor.Receiver { return c }, "counter", actor.WithID(strconv.Itoa(id)), actor.WithInboxSize(l.inbox))
}

func (l *library) Tell(n int) int {
	done := make(chan bool)
	c := &counter{wanted: n, reached: func() { close(done) }}
	pid := l.start(0, c)
	drive.FromSenders(n, func() { l.engine.Send(pid, drive.Add{By: 1}) })
	<-done
	return c.count
}

func (l *library) Ask(n int) (last int) {
	pid := l.start(0, &counter{})
	for range n {
		last = drive.Must(l.engine.Request(pid, drive.AddAsk{By: 1}, drive.Patience).Result()).(int)
	}
	return last
}

func (l *library) Idle(n int) {
	var received sync.WaitGroup
	received.Add(n)
	for i := range n {
		l.engine.Send(l.start(i, &counter{wanted: 1, reached: received.Done}), drive.Add{By: 1})
	}
	received.Wait()
}
