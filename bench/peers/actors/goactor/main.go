// Command goactor runs a workload of actors on the library go-actor: goactor WORKLOAD SIZE.
package main

import (
	"os"
	"sync"

	"github.com/vladopajic/go-actor/actor"

	"github.com/runnel-lang/runnel/bench/peers/actors/drive"
)

func main() { drive.Run(library{}, os.Args[1], os.Args[2]) }

// A mailbox is a channel with room for so many messages: the fastest that there
// is, say the benchmarks of the library. By default one is a goroutine with a
// queue between two channels.
func mailbox[T any](room int) actor.Mailbox[T] {
	return actor.NewMailbox[T](actor.OptAsChan(), actor.OptCapacity(room))
}

// start starts an actor that does so with each message in its mailbox, and ends when that is stopped.
func start[T any](m actor.Mailbox[T], receive func(ctx actor.Context, msg T)) {
	m.Start()
	actor.New(actor.NewWorker(func(ctx actor.Context) actor.WorkerStatus {
		msg, ok := <-m.ReceiveC()
		if !ok {
			return actor.WorkerEnd
		}
		receive(ctx, msg)
		return actor.WorkerContinue
	})).Start()
}

func send[T any](ctx actor.Context, m actor.Mailbox[T], msg T) {
	if err := m.Send(ctx, msg); err != nil {
		panic(err)
	}
}

type library struct{}

func (library) Tell(n int) int {
	ctx, done := actor.ContextStarted(), make(chan int)
	m, count := mailbox[drive.Add](drive.Mailbox), 0
	start(m, func(_ actor.Context, msg drive.Add) {
		if count += msg.By; count == n {
			done <- count
		}
	})
	drive.FromSenders(n, func() { send(ctx, m, drive.Add{By: 1}) })
	return <-done
}

// A question brings a channel for its answer, as the practices that the library recommends say.
type question struct {
	add   drive.AddAsk
	reply chan int
}

func (library) Ask(n int) (last int) {
	ctx := actor.ContextStarted()
	m, count := mailbox[question](drive.Mailbox), 0
	start(m, func(_ actor.Context, q question) {
		count += q.add.By
		q.reply <- count
	})
	for range n {
		reply := make(chan int, 1)
		send(ctx, m, question{drive.AddAsk{By: 1}, reply})
		last = <-reply
	}
	return last
}

func (library) Pairs(n int) (returned int) {
	ctx, counts := actor.ContextStarted(), make(chan int)
	for range drive.Pairs {
		server, returner := mailbox[drive.Ball](drive.Mailbox), mailbox[drive.Ball](drive.Mailbox)
		left, count := n/drive.Pairs, 0
		start(returner, func(ctx actor.Context, ball drive.Ball) {
			count++
			send(ctx, server, ball)
		})
		start(server, func(ctx actor.Context, ball drive.Ball) {
			if left == 0 {
				counts <- count
				return
			}
			left--
			send(ctx, returner, ball)
		})
		send(ctx, server, drive.Ball{})
	}
	for range drive.Pairs {
		returned += <-counts
	}
	return returned
}

func (library) Fan(n int) int {
	hub, done := mailbox[drive.Done](drive.Mailbox), make(chan int)
	workers := make([]actor.Mailbox[drive.Task], drive.Workers)
	for i := range workers {
		workers[i] = mailbox[drive.Task](drive.Mailbox)
		start(workers[i], func(ctx actor.Context, _ drive.Task) { send(ctx, hub, drive.Done{}) })
	}
	rounds, answers := n/drive.Workers, 0
	round := func(ctx actor.Context) {
		if rounds == 0 {
			done <- answers
			return
		}
		rounds--
		for _, w := range workers {
			send(ctx, w, drive.Task{})
		}
	}
	start(hub, func(ctx actor.Context, _ drive.Done) {
		if answers++; answers%drive.Workers == 0 {
			round(ctx)
		}
	})
	round(actor.ContextStarted())
	return <-done
}

func (library) Idle(n int) {
	ctx := actor.ContextStarted()
	var received sync.WaitGroup
	received.Add(n)
	for range n {
		m, count := mailbox[drive.Add](16), 0
		start(m, func(_ actor.Context, msg drive.Add) {
			count += msg.By
			received.Done()
		})
		send(ctx, m, drive.Add{By: 1})
	}
	received.Wait()
}
