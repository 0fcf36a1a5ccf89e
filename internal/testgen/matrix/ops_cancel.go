package matrix

// Cancelling a task wherever it waits.
var cancelOps = []Op{
	{"cancel a task that waits to receive", `
let ch = chan<T>()
let log = chan<T>(1)
let t = spawn {
  log.send(a)
  ch.recv()!
}
log.recv()
yield_now()
t.cancel()
let got = try { await t } catch e: TaskCancelled { b }
print("cancelled", show(got), t.done(), ch.try_send(c))`,
		`cancelled {B} true false`},
	{"cancel a task that waits to send", `
let ch = chan<T>()
let begun = chan<int>(1)
let t = spawn {
  begun.send(1)
  ch.send(a)
  a
}
begun.recv()
yield_now()
t.cancel()
let got = try { await t } catch e: TaskCancelled { b }
print("cancelled", show(got), opt(ch.try_recv(), show))`,
		`cancelled {B} nothing`},
	{"cancel a task that sleeps", `
let t = spawn {
  sleep(1h)
  a
}
yield_now()
t.cancel()
print("cancelled", show(try { await t } catch e: TaskCancelled { b }))`,
		`cancelled {B}`},
	{"cancel a task that awaits", `
let gate = chan<T>()
let inner = spawn { gate.recv()! }
let t = spawn { await inner }
yield_now()
t.cancel()
print("cancelled", show(try { await t } catch e: TaskCancelled { b }))
gate.send(c)
print("inner", show(await inner))`,
		`cancelled {B}
inner {C}`},
	{"cancel a task that waits for a lock", `
let m = mutex(a)
let got = lock m as x {
  let t = spawn { lock m as y { y } }
  yield_now()
  t.cancel()
  let y = try { await t } catch e: TaskCancelled { b }
  x = c
  y
}
print("cancelled", show(got), show(m.get()))`,
		`cancelled {B} {C}`},
	{"cancel a task that holds a lock", `
let m = mutex(a)
let held = chan<int>()
let t = spawn {
  lock m as x {
    x = b
    held.send(1)
    sleep(1h)
  }
}
held.recv()
t.cancel()
try { await t } catch e: TaskCancelled { print("cancelled") }
print("free", m.try_lock(|_x| ()), show(m.get()))`,
		`cancelled
free true {B}`},
	{"cancel a task in select", `
let ch = chan<T>()
let other = chan<T>()
let t = spawn {
  select {
    let x = ch.recv() => x!
    other.send(c) => a
    after 1h => a
  }
}
yield_now()
t.cancel()
let got = try { await t } catch e: TaskCancelled { b }
print("cancelled", show(got), opt(other.try_recv(), show), ch.try_send(a))`,
		`cancelled {B} nothing false`},
	{"cancel a task that computes", `
let begun = chan<int>()
let t = spawn {
  begun.send(1)
  var n = 0
  loop { n += 1 }
  a
}
begun.recv()
t.cancel()
print("cancelled", show(try { await t } catch e: TaskCancelled { b }))`,
		`cancelled {B}`},
	{"cancel a task that has not begun", `
let t = spawn later(a)
t.cancel()
let got = try { await t } catch e: TaskCancelled { b }
print("cancelled", show(got) == show(a) || show(got) == show(b))`,
		`cancelled true`},
	{"cancel a task that has ended", `
let t = spawn { a }
await t
t.cancel()
t.cancel()
print("ended", show(await t))`,
		`ended {A}`},
	{"cancel runs defers", `
let log = chan<T>(2)
let begun = chan<int>()
let t = spawn {
  defer log.send(a)
  defer {
    yield_now()
    sleep(1us)
    log.send(b)
  }
  begun.send(1)
  sleep(1h)
}
begun.recv()
t.cancel()
try { await t } catch e: TaskCancelled { print("cancelled") }
print("defers", opt(log.try_recv(), show), opt(log.try_recv(), show))`,
		`cancelled
defers {B} {A}`},
	{"cancel that is caught", `
let ch = chan<T>(2)
let begun = chan<int>()
let t = spawn {
  try {
    begun.send(1)
    sleep(1h)
  } catch e: Cancelled { let _ = ch.try_send(a) }
}
begun.recv()
t.cancel()
let end = try { await t; "ended" } catch e: TaskCancelled { "cancelled" }
print("caught", opt(ch.try_recv(), show), end == "ended" || end == "cancelled")`,
		`caught {A} true`},
	{"cancel is not caught by a plain catch", `
let begun = chan<int>()
let t = spawn {
  begun.send(1)
  try { sleep(1h); a } catch e { b }
}
begun.recv()
t.cancel()
print("plain", show(try { await t } catch e: TaskCancelled { c }))`,
		`plain {C}`},
	{"cancel reaches a task's scope", `
let begun = chan<int>()
let log = chan<T>(2)
let t = spawn {
  scope {
    for x in [a, b] {
      spawn {
        defer log.send(x)
        begun.send(1)
        sleep(1h)
      }
    }
  }
}
begun.recv()
begun.recv()
t.cancel()
try { await t } catch e: TaskCancelled { print("cancelled") }
print("children", log.len())`,
		`cancelled
children 2`},
	{"cancel reaches a timeout's body", `
let begun = chan<int>()
let t = spawn {
  timeout(1h, || {
    begun.send(1)
    sleep(1h)
    a
  })
}
begun.recv()
t.cancel()
print("cancelled", show(try { await t } catch e: TaskCancelled { b } catch e: Timeout { c }))`,
		`cancelled {B}`},
	{"cancel by a task", `
let victim = spawn {
  sleep(1h)
  a
}
let killer = spawn {
  yield_now()
  victim.cancel()
}
print("cancelled", show(try { await victim } catch e: TaskCancelled { b }))
await killer`,
		`cancelled {B}`},
}
