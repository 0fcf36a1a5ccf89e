package actor_test

import (
	"testing"

	"github.com/runnel-lang/runnel/internal/testgen/cases"
)

// The process model as scripts see it: each program of spec/tests/process_model
// prints what its comments expect, whatever order its actors take turns in. The
// tests of package reactor show the same to hosts.

func TestTheProcessModelUnderManySchedules(t *testing.T) {
	cases.Each(t, "../../spec/tests/process_model")
}

// finding is a pool that looks for the number of workers with which most is done: each
// half a second it goes on in its direction if that has brought something, and turns
// if not.
const finding = `
import actor
import sync
enum Msg { Run(job: fn(), reply: actor.Reply<()>), Free(worker: actor.Ref<Job>), Probe, Sizes(reply: actor.Reply<[int]>) }
struct Job { let work: fn(), let reply: actor.Reply<()> }
struct Worker { let pool: actor.Ref<Msg>
  fn receive(job: Job, ctx: actor.Context<Job>) {
    let work = job.work
    work()
    job.reply.send(())
    self.pool.tell(Free(ctx.me()))
  }
}
struct Pool {
  let most: int
  size: int = 1, started: int = 0, step: int = 1, done: int = 0, before: int = 0
  let idle: [actor.Ref<Job>] = []
  let waiting: [Job] = []
  let sizes: [int] = []

  fn on_start(ctx: actor.Context<Msg>) { ctx.every(500ms, Msg.Probe) }
  fn receive(msg: Msg, ctx: actor.Context<Msg>) {
    match msg {
      Run(job, reply) => self.waiting.push(Job(job, reply))
      Free(worker) => {
        self.done += 1
        if self.started <= self.size { self.idle.push(worker) } else { self.started -= 1; worker.stop() }
      }
      Probe => self.probe()
      Sizes(reply) => { reply.send(self.sizes.copy()) }
    }
    while self.idle.is_empty() && self.started < self.size {
      self.idle.push(actor.start(Worker(ctx.me())))
      self.started += 1
    }
    while !self.waiting.is_empty() && !self.idle.is_empty() { self.idle.pop()!.tell(self.waiting.remove(0)) }
  }
  fn probe() {
    if self.done < self.before + 12 { self.step = -self.step }
    self.before = self.done
    self.done = 0
    self.size = min(max(self.size + self.step, 1), self.most)
    self.sizes.push(self.size)
  }
}
// The mean number of workers, once it has settled.
fn settled(most: int, job: fn()) -> float {
  let pool = actor.start(Pool(most))
  let clients = (0..2 * most).map(|_| spawn { loop { pool.ask(|r| Msg.Run(job, r)) } })
  sleep(10s)
  let sizes = pool.ask(Msg.Sizes)
  for c in clients { c.cancel() }
  let last = sizes.skip(8)
  assert(last.len() > 10)
  float(last.sum()) / float(last.len())
}
let two = sync.semaphore(2)
let narrow = settled(8, || two.with(|| sleep(20ms)))
let wide = settled(8, || sleep(20ms))
print(narrow >= 1.5 && narrow <= 3.0, wide >= 7.0)
`

// TestScriptHasAPoolThatFindsItsSize: where only two can work at once it settles near
// two workers, and where all can it goes to the most. The clock is virtual.
//
// origin: WP-23
func TestScriptHasAPoolThatFindsItsSize(t *testing.T) {
	printsExplored(t, finding, "true true")
}
