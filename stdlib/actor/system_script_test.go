package actor_test

// modelScript is a deterministic system at random: who it is made of and what they
// do follows from a seed, by the same dice as in refSystem, which tells what has to
// come of it.
const modelScript = `
import actor

struct Msg { fuel: int, tag: int
  fn text() -> str { "${self.fuel}.${self.tag}" }
}
type H = actor.Handle<Msg>
type Ctx = actor.SystemContext<Msg>
type Action = actor.Action<Msg>
type Command = actor.Command<Msg>
type Type = actor.ActorType<Msg, int>
type Filter = actor.ActorType<Command, actor.Handle<Command>>

struct Dice { state: int
  fn roll(n: int) -> int {
    self.state = self.state * 6364136223846793005 + 1442695040888963407
    ((self.state >> 33) & 0x3fffffff) % n
  }
}
fn dice(seed: int, a: int, b: int, c: int) -> Dice {
  let d = Dice(seed)
  for x in [a, b, c] {
    d.state = (d.state ^ x) * 2862933555777941757
    d.roll(2)
  }
  d
}

fn show(a: Action) -> str {
  match a {
    Send(to, msg) => "Send ${to.id} ${msg.text()}"
    Spawn(new) => "Spawn ${new.handle.id} ${new.type_name}"
    Kill(target) => "Kill ${target.id}"
    Fail(target, e) => "Fail ${target.id} ${e.message()}"
    Terminate => "Terminate"
  }
}
fn show_command(c: Command) -> str { "${c.from?.id ?? 0}> ${show(c.action)}" }

/// What a system has in common: its dice, its log, and how handlers reach it.
struct World {
  let seed: int
  let tasks: bool                       // whether there are async actors
  log: [str] = []
  kept: [Action] = []                   // Spawns for another time
  system: actor.System<Msg>? = none
  let lives: mutex<[(int, [str])]> = mutex<[(int, [str])]>([])   // what async actors have taken

  fn say(text: str) { self.log.push(text) }

  // A type of actors; which one depends on the dice.
  fn pick(d: Dice) -> Type {
    if self.tasks && d.roll(2) == 0 { return self.task_type() }
    self.node_type("Node")
  }

  fn node_type(name: str) -> Type {
    actor.sync_type(name, |config, me: H| {
      self.say("make ${me.id} ${config}")
      if dice(self.seed, me.id, 0, 1).roll(16) == 0 { throw error("not made") }
      Node(self, me.id)
    })
  }

  fn task_type() -> Type {
    actor.async_type("Task", |_, ctx: actor.AsyncContext<Msg>| work(self, ctx))
  }

  fn root() -> actor.ActorType<Msg, H> {
    actor.sync_type("Root", |out: H, me| {
      self.say("root ${out.id} ${me.id}")
      Node(self, me.id)
    })
  }

  // What somebody wants who has that much fuel.
  fn want(d: Dice, fuel: int, ctx: Ctx) -> [Action]? {
    let all: [Action] = []
    if fuel > 0 {
      for _ in 0..d.roll(4) {
        let kind = d.roll(26)
        let target: H = actor.Handle(1 + d.roll(3 + self.kept.len()))
        let msg = Msg(fuel - 1, d.roll(100))
        if kind < 7 { all.push(Send(target, msg)) }
        else if kind == 10 { ctx.send(target, msg) }
        else if kind == 11 { all.push(Send(ctx.output(), msg)) }
        else if kind < 16 {
          let (h, spawn_h) = ctx.spawn(self.pick(d), msg.tag)
          self.kept.push(spawn_h)
          if kind < 15 { all.extend([spawn_h, Send(h, msg)]) }
        }
        else if kind < 18 { if self.kept.len() > 0 { all.push(self.kept[d.roll(self.kept.len())]) } }
        else if kind == 18 { if d.roll(2) == 0 { all.push(Kill(target)) } }
        else if kind == 19 { if d.roll(2) == 0 { all.push(Fail(target, error("failed ${msg.tag}"))) } }
        else if kind == 20 { if d.roll(20) == 0 { all.push(Terminate) } }
        else if kind == 21 { if d.roll(3) == 0 { throw error("thrown ${msg.tag}") } }
        else if kind == 22 { self.system?.dispatch(msg) }
        else if kind == 23 { self.system?.queue(msg) }
        else if kind == 24 {
          let action: Action = if d.roll(2) == 0 { Kill(target) } else { Send(target, msg) }
          self.system?.submit(action)
        }
        else if d.roll(4) == 0 { all.push(Kill(ctx.me())) }
      }
    }
    if all.is_empty() && d.roll(2) == 0 { none } else { all }
  }
}

struct Node { let world: World, let id: int, n: int = 0
  fn init(ctx: Ctx) -> [Action]? {
    let d = dice(self.world.seed, self.id, 0, 2)
    match d.roll(8) {
      0 => self.world.want(d, 2, ctx)
      1 => if d.roll(4) == 0 { throw error("no start") } else { none }
      _ => none
    }
  }
  fn handle(msg: Msg, ctx: Ctx) -> [Action]? {
    self.n += 1
    self.world.say("enter ${self.id} ${self.n} ${msg.text()}")
    let wanted = self.world.want(dice(self.world.seed, self.id, self.n, msg.tag + 3), msg.fuel, ctx)
    self.world.say("exit ${self.id}")
    wanted
  }
}

fn work(w: World, ctx: actor.AsyncContext<Msg>) {
  let id = ctx.me().id
  let taken: [str] = []
  w.lives.with(|all| all.push((id, taken)))
  var n = 0
  for msg in ctx {
    n += 1
    w.lives.with(|_| taken.push(msg.text()))
    if msg.fuel == 0 { continue }
    let d = dice(w.seed, id, n, msg.tag + 3)
    match d.roll(4) { 0 => sleep(1us * d.roll(100)), 1 => yield_now(), _ => {} }
    for _ in 0..d.roll(4) {
      let target: H = actor.Handle(1 + d.roll(6))
      let next = Msg(msg.fuel - 1, d.roll(100))
      match d.roll(16) {
        0 => ctx.emit([Send(target, next), Send(ctx.output(), next)])
        1 => ctx.kill(target)
        2 => ctx.fail(target, error("failed ${next.tag}"))
        3 => if d.roll(4) == 0 { throw error("thrown ${next.tag}") }
        4 => if d.roll(4) == 0 { return }
        5 => { scope { spawn { sleep(10us); ctx.send(target, next) } } }
        _ => ctx.send(target, next)
      }
    }
  }
}

/// Lets a message with a tag of threes wait for the next command of another kind.
struct Delay { let next: actor.Handle<Command>, let held: [Command] = []
  fn handle(c: Command, ctx: actor.SystemContext<Command>) -> [actor.Action<Command>]? {
    self.held.push(c)
    match c.action { Send(_, msg) if msg.tag % 3 == 0 => return none, _ => {} }
    for h in self.held { ctx.send(self.next, h) }
    self.held.clear()
    none
  }
}

fn seen(w: World, c: Command) { w.say("see ${show_command(c)}") }

fn drop(w: World) -> Filter {
  actor.middleware<Msg>("Drop", |c| {
    seen(w, c)
    match c.action { Send(_, msg) if msg.tag % 7 == 3 => [], _ => [c] }
  })
}
fn change(w: World) -> Filter {
  actor.middleware<Msg>("Change", |c| {
    seen(w, c)
    match c.action {
      Send(to, msg) if msg.tag % 5 == 0 => [actor.Command(c.from, Send(to, Msg(msg.fuel, msg.tag + 1)))]
      Send(_, msg) if msg.tag % 11 == 0 => [c, actor.Command(none, Send(actor.Handle(2), Msg(0, msg.tag + 1)))]
      _ => [c]
    }
  })
}
fn mock(w: World) -> Filter {
  actor.middleware<Msg>("Mock", |c| {
    seen(w, c)
    match c.action {
      Spawn(new) if new.handle.id % 2 == 0 => [actor.Command(c.from, Spawn(new.with_type(w.node_type("Mock"), 0)))]
      _ => [c]
    }
  })
}
fn filter(w: World, kind: int) -> Filter? {
  let quiet = World(0, false)
  match kind {
    1 => actor.identity_middleware<Msg>()
    2 => drop(w)
    3 => change(w)
    4 => actor.sync_type("Delay", |next, _| Delay(next))
    5 => actor.chain_middleware(drop(w), change(quiet))
    6 => actor.compose_middleware([change(w), actor.sync_type("Delay", |next, _| Delay(next)), drop(quiet)])
    7 => mock(w)
    8 => late()
    _ => none
  }
}

/// Has outputs pass through a task.
fn late() -> Filter { actor.sync_type("Late", |next, _| Late(next)) }
struct Late { let next: actor.Handle<Command>, delay: actor.Handle<Command>? = none
  fn init(ctx: actor.SystemContext<Command>) -> [actor.Action<Command>]? {
    let next = self.next
    let delaying = actor.async_type<Command, int>("Delay", |_, task: actor.AsyncContext<Command>| {
      for c in task { task.send(next, c) }
    })
    let (delay, spawn_delay) = ctx.spawn(delaying, 0)
    self.delay = delay
    [spawn_delay]
  }
  fn handle(c: Command, _ctx: actor.SystemContext<Command>) -> [actor.Action<Command>]? {
    match c.action {
      Send(actor.Handle(2), _) | Terminate => [Send(self.delay!, c)]
      _ => [Send(self.next, c)]
    }
  }
}

fn report(w: World, s: actor.System<Msg>) {
  for c in s.trace() { w.say("trace ${show_command(c)}") }
  let failures = s.failures()
  w.say("failures ${failures.total}")
  for f in failures.items { w.say("failure ${f.actor?.id ?? 0} ${f.type_name} ${f.error.message()} at ${show_command(f.cause)}") }
  let letters = s.dead_letters()
  w.say("letters ${letters.total}")
  for l in letters.items { w.say("letter ${show_command(l.command)} ${l.reason}") }
}

fn look(w: World, s: actor.System<Msg>) {
  let got: [str] = []
  while let m = s.outputs().try_next() { got.push(m.text()) }
  w.say("${s.phase()} ${s.is_ended()} ${got.join(" ")}")
}

/// A system of sync actors: all that happens follows from the seed.
pub fn run_sync(seed: int) -> [str] {
  let w = World(seed, false)
  let d = dice(seed, 0, 0, 0)
  let kind = d.roll(8)
  let trace = d.roll(4) > 0
  let limit = if d.roll(8) == 0 { 1h } else { none }
  let bound = if d.roll(4) == 0 { 1000000 } else { none }
  let s = actor.system<Msg>(w.root(), middleware: filter(w, kind), trace: trace, max_outputs: bound, max_inboxes: bound,
    handler_limit: limit, on_failure: |f| {
      w.say("failed ${f.actor?.id ?? 0}")
      let n = f.actor?.id ?? 0
      if n % 4 == 0 { w.system?.dispatch(Msg(1, n)) }
      if n % 5 == 0 { throw error("in on_failure") }
    })
  w.system = s
  look(w, s)
  for _ in 0..1 + d.roll(6) {
    let msg = Msg(1 + d.roll(8), d.roll(100))
    let target: H = actor.Handle(1 + d.roll(9))
    match d.roll(9) {
      4 => s.queue(msg)
      5 => s.run()
      6 => s.submit(if msg.tag < 30 { Kill(target) } else if msg.tag < 60 { Fail(target, error("outside")) } else { Send(target, msg) })
      7 => { if msg.tag < 20 { s.stop() } }
      8 => { for n in 0..msg.tag { s.queue(Msg(msg.fuel % 3, n)) } }
      _ => s.dispatch(msg)
    }
    look(w, s)
  }
  report(w, s)
  if trace {
    let v = World(seed, false)
    let again = actor.replay(s.recording(), v.root(), middleware: filter(v, kind))
    if str(again.trace()) != str(s.trace()) { w.say("the replay differs") }
  }
  w.log
}

/// A system with tasks inside and out: the order of what they send is found in its trace.
pub fn run_async(seed: int) -> [str] {
  let w = World(seed, true)
  let d = dice(seed, 0, 0, 0)
  let kind = [0, 0, 0, 1, 8, 3, 7][d.roll(7)]
  let bound = if d.roll(3) == 0 { 1 + d.roll(4) } else { none }
  let s = actor.system<Msg>(w.root(), middleware: filter(w, kind), trace: true, max_outputs: bound, max_inboxes: bound,
    on_failure: |f| { if f.error is Timeout { w.say("a timeout") } })
  w.system = s
  let got: [str] = []
  let reader = spawn { for m in s.outputs() { got.push(m.text()) } }
  scope {
    for i in 0..1 + d.roll(4) {
      let mine = dice(seed, i, 5, 5)
      spawn {
        for _ in 0..1 + mine.roll(6) {
          let msg = Msg(1 + mine.roll(7), mine.roll(100))
          let target: H = actor.Handle(2 + mine.roll(8))
          match mine.roll(8) {
            0 => { s.queue(msg); yield_now(); s.run() }
            1 => s.submit(if msg.tag < 30 { Kill(target) } else { Send(target, msg) })
            2 => sleep(1us * mine.roll(200))
            _ => s.dispatch(msg)
          }
        }
      }
    }
  }
  if d.roll(2) == 0 { sleep(1us * d.roll(1000)) }
  if d.roll(2) == 0 {
    s.settled()
    let steps = s.trace().len()
    if s.phase() != Idle { w.say("it has settled, and something waits") }
    sleep(1us * d.roll(1000))
    if s.trace().len() > steps { w.say("it had settled, and something happens") }
  }
  s.stop()
  s.join()
  await reader
  w.system = none
  w.say("kind ${kind}")
  w.say("outputs " + got.join(" "))
  report(w, s)
  w.lives.with(|all| { for life in all { w.say("life ${life.0} " + life.1.join(" ")) } })

  let v = World(seed, true)
  let again = actor.replay(s.recording(), v.root(), middleware: filter(v, kind))
  if str(again.trace()) != str(s.trace()) { w.say("the replay has another trace") }
  if v.log != w.log[..v.log.len()] { w.say("the replay has another log") }
  let repeated: [str] = []
  while let m = again.outputs().try_next() { repeated.push(m.text()) }
  if repeated != got { w.say("the replay puts out something else") }
  w.log
}
`
