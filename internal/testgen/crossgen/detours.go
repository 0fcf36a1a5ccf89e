package crossgen

// detours belongs to the preamble: ways that cancel, restart and react. They
// say so themselves when something does not come as the language promises.
const detours = `fn broken(what: str) { print("internal error: ${what}") }
fn via_cancelled<T>(f: fn() -> T) -> T {
  scope {
    let ready = chan<int>()
    let ended = chan<int>(2)
    let m = mutex<int>(0)
    let t = spawn {
      defer ended.send(1)
      scope {
        spawn {
          defer ended.send(2)
          ready.send(0)
          sleep(1h)
        }
        lock m as n {
          n = 1
          ready.send(1)
          chan<T>().recv()
        }
      }
    }
    ready.recv()
    ready.recv()
    t.cancel()
    let told = try {
      await t
      "nothing"
    } catch e: TaskCancelled { "cancelled" }
    if told != "cancelled" || m.get() != 1 || ended.recv() != 2 || ended.recv() != 1 { broken("a cancelled task: ${told}") }
  }
  f()
}
fn via_late<T>(f: fn() -> T) -> T {
  let late = try {
    timeout<T?>(1us, || { scope { await spawn chan<T>().recv() } })
    false
  } catch e: Timeout { true }
  if !late { broken("a timeout that is not late") }
  f()
}
fn via_raced<T>(f: fn() -> T) -> T {
  let got = race<Got<T>>([
    || { try { Got.Ok(beside.with(true, f)) } catch e { Got.Err(e) } },
    || {
      sleep(1h)
      Got.Err(error("late"))
    },
    || { Got.Ok(chan<T>().recv()!) },
  ])
  match got { Ok(v) => v, Err(e) => throw e }
}
fn via_failed_scope<T>(f: fn() -> T) -> T {
  let failed = try {
    scope {
      spawn { throw Caught<int>(5) }
      spawn sleep(1h)
      chan<T>().recv()
    }
    0
  } catch e: Caught<int> { e.value }
  if failed != 5 { broken("the end of a scope that failed") }
  f()
}
fn via_cleanup<T>(f: fn() -> T) -> T {
  let got = chan<Got<T>>(1)
  scope {
    let ready = chan<int>()
    let t = spawn {
      defer got.send(scope { try { Got.Ok(beside.with(true, f)) } catch e { Got.Err(e) } })
      ready.send(0)
      sleep(1h)
    }
    ready.recv()
    t.cancel()
  }
  match got.recv()! { Ok(v) => v, Err(e) => throw e }
}
enum Order<T> { Do(f: fn() -> T, reply: actor.Reply<Got<T>>), Count(reply: actor.Reply<int>), Break }
struct Worker<T> { done: int = 0
  fn receive(m: Order<T>, ctx: actor.Context<Order<T>>) {
    self.done += 1
    match m {
      Do(f, r) => { r.send(try { Got.Ok(f()) } catch e { Got.Err(e) }) }
      Count(r) => { r.send(self.done) }
      Break => throw error("a worker breaks")
    }
  }
}
fn supervised<T>(strategy: actor.Strategy, f: fn() -> T) -> T {
  let all = [actor.spec<Order<T>>(|| Worker<T>()), actor.spec<Order<T>>(|| Worker<T>()), actor.spec<Order<T>>(|| Worker<T>())]
  let boss = actor.supervise(all.map<actor.Child>(|s| s), strategy: strategy, max_restarts: 100)
  let counts = || all.map<int>(|s| s.ref().ask<int>(|r| Order.Count(r)))
  let first = counts()
  all[1].ref().tell(Order.Break)
  let got = all[1].ref().ask<Got<T>>(|r| Order.Do(f, r))
  boss.children()
  let then = counts()
  let restarted = boss.children().map<int>(|c| c.restarts)
  let want = match strategy {
    OneForOne => ([2, 2, 2], [0, 1, 0])
    OneForAll => ([1, 2, 1], [1, 1, 1])
    RestForOne => ([2, 2, 1], [0, 1, 1])
  }
  if first != [1, 1, 1] || (then, restarted) != want { broken("supervised: ${first} ${then} ${restarted}") }
  boss.stop()
  boss.join()
  if all[0].ref().is_alive() { broken("a child outlives its supervisor") }
  match got { Ok(v) => v, Err(e) => throw e }
}
fn via_one_for_one<T>(f: fn() -> T) -> T { supervised<T>(actor.Strategy.OneForOne, f) }
fn via_one_for_all<T>(f: fn() -> T) -> T { supervised<T>(actor.Strategy.OneForAll, f) }
fn via_rest_for_one<T>(f: fn() -> T) -> T { supervised<T>(actor.Strategy.RestForOne, f) }
fn via_killed<T>(f: fn() -> T) -> T {
  let a = actor.start<Order<T>>(Worker<T>())
  let exit = chan<str>(1)
  actor.watch(a, |e| { exit.send("told") })
  let got = a.ask<Got<T>>(|r| Order.Do(f, r))
  a.kill()
  a.wait()
  let refused = try {
    a.tell(Order.Break)
    false
  } catch e: actor.Stopped { true }
  if !refused || a.is_alive() || exit.recv() != "told" { broken("a killed actor") }
  match got { Ok(v) => v, Err(e) => throw e }
}
fn via_graph<T>(f: fn() -> T) -> T {
  let x = f()
  if beside.get() { return x }
  let n = reactive.cell<int>(1)
  let held = reactive.cell<[T]>([x])
  let double = reactive.computed<int>(|| n.get() * 2)
  let last = reactive.computed<T>(|| held.get()[double.get() - double.get()])
  let y = last.get()
  let set = try {
    n.set(5)
    reactive.batch<int>(|| {
      n.set(6)
      n.set(7)
      0
    })
    true
  } catch _ { false }   // in a computed
  if set && double.peek() != 14 { broken("a computed: ${double.peek()}") }
  n.dispose()
  last.dispose()
  y
}
fn via_store<T>(f: fn() -> T) -> T {
  let s = reactive.store()
  let at = reactive.address("a", "b", path: ["n"])
  let got = s.transact<Got<T>>(|tx| {
    tx.write(at, tx.get<int>(at, 0) + 1)
    try { Got.Ok(f()) } catch e { Got.Err(e) }
  })
  if s.get(at)! as int != 1 { broken("a transaction") }
  match got { Ok(v) => v, Err(e) => throw e }
}
`
