package matrix

// Starting one task and awaiting it.
var taskOps = []Op{
	{"spawn block", `
let t = spawn { a }
let u: task<T> = spawn {
  let x = b
  yield_now()
  x
}
print("spawned", show(await t), show(await u))`,
		`spawned {A} {B}`},
	{"spawn block that captures much", `
let n = 3
let f = 2.5
let t = spawn { "${show(a)} ${show(b)} ${n} ${show(c)} ${f}" }
print("captured", await t)`,
		`captured {A} {B} 3 {C} 2.5`},
	{"spawn call", `
let t = spawn pass(a)
let u = spawn later(b)
let w = spawn second(7, c)
print("called", show(await w), show(await t), show(await u))`,
		`called {C} {A} {B}`},
	{"spawn call of a closure", `
let get = || a
let give = |n: int, x: T| if n == 1 { x } else { a }
let t = spawn get()
let u = spawn give(1, b)
print("called", show(await t), show(await u))`,
		`called {A} {B}`},
	{"spawn call of a method", `
let k = Keeper(a)
let old = spawn k.swap(b)
print("method", show(await old), show(await spawn k.get()), show(k.value))`,
		`method {A} {B} {B}`},
	{"spawn detached", `
let t = spawn detached later(a)
let u = spawn detached { b }
print("detached", show(await t), show(await u))`,
		`detached {A} {B}`},
	{"spawn evaluates its arguments", `
let xs = [a]
let t = spawn pass(xs.pop()!)
print("left", xs.len(), show(await t))`,
		`left 0 {A}`},
	{"spawn in spawn", `
let t = spawn {
  let u = spawn {
    let w = spawn { a }
    await w
  }
  let x = await u
  let v = spawn { x }
  await v
}
print("deep", show(await t))`,
		`deep {A}`},
	{"await twice", `
let t = spawn later(a)
let u = spawn { await t }
let w = spawn { await t }
print("await", show(await t), show(await t), show(await u), show(await w))`,
		`await {A} {A} {A} {A}`},
	{"await what has ended", `
let t = spawn { a }
while !t.done() { yield_now() }
print("ended", t.done(), show(await t))`,
		`ended true {A}`},
	{"await in an expression", `
let n = 1 + await spawn pass(2) * 3 + await spawn later(4)
let xs = [await spawn pass(a), b, await spawn later(c)]
print("expression", n, each(xs, show))`,
		`expression 11 {A}, {B}, {C}`},
	{"await a failure", `
let t = spawn fail(a)
let got = try { await t } catch e { print(e.message()); b }
let again = try { await t } catch e { print(e.message()); c }
print("failed", show(got), show(again))`,
		`oops
oops
failed {B} {C}`},
	{"await a failure that holds a value", `
let t = spawn {
  yield_now()
  if 1 < 2 { throw Failure(a) }
  b
}
let got = try { await t } catch e: Failure<T> { e.value }
print("value", show(got))`,
		`value {A}`},
	{"await a failure inside a task", `
let t = spawn {
  let inner = spawn fail(a)
  try { await inner } catch e { b }
}
print("inside", show(await t))`,
		`inside {B}`},
	{"defer in a task", `
let log = chan<T>(2)
let t = spawn {
  defer log.send(a)
  defer {
    yield_now()
    log.send(b)
  }
  c
}
print("result", show(await t))
print("defers", opt(log.try_recv(), show), opt(log.try_recv(), show))`,
		`result {C}
defers {B} {A}`},
	{"task handle in data", `
let held = Keeper(spawn later(a))
let byname = {"b": spawn { b }}
let pair = (1, spawn later(c))
print("held", show(await held.value), show(await byname["b"]), show(await pair.1))`,
		`held {A} {B} {C}`},
}

// Several tasks.
var manyTasksOps = []Op{
	{"await_all", `
let xs = await_all([spawn later(a), spawn { b }, spawn pass(c)])
let none_at_all: [task<T>] = []
print("all", each(xs, show), await_all(none_at_all).len())`,
		`all {A}, {B}, {C} 0`},
	{"await_all of a failure", `
let n = try { await_all([spawn { a }, spawn fail(b), spawn { c }]).len() } catch e { print(e.message()); -1 }
print("all", n)`,
		`oops
all -1`},
	{"await_any", `
let gate = chan<T>()
let slow = spawn { gate.recv()! }
let got = await_any([slow, spawn later(a)])
gate.send(b)
print("any", show(got), show(await slow), show(await_any([slow])))`,
		`any {A} {B} {B}`},
	{"await_any of a failure", `
let gate = chan<T>()
let slow = spawn { gate.recv()! }
let got = try { await_any([slow, spawn fail(a)]) } catch e { print(e.message()); b }
gate.send(c)
print("any", show(got), show(await slow))`,
		`oops
any {B} {C}`},
	{"race", `
let gate = chan<T>()
let got = race([|| gate.recv()!, || later(a), || { sleep(1h); c }])
let one = race([|| b])
print("race", show(got), show(one), gate.try_send(c))`,
		`race {A} {B} false`},
	{"race that fails", `
let gate = chan<T>()
let got = try { race([|| gate.recv()!, || fail(a)]) } catch e { print(e.message()); b }
print("race", show(got))`,
		`oops
race {B}`},
	{"scope", `
let done = chan<T>(3)
let got = scope {
  spawn { sleep(1us); done.send(a) }
  spawn { spawn { yield_now(); done.send(a) } }
  spawn { done.send(a) }
  b
}
print("scope", show(got), done.len(), opt(done.recv(), show))`,
		`scope {B} 3 {A}`},
	{"scope of a function's tasks", `
let done = chan<T>(2)
let start = || { spawn { yield_now(); done.send(a) } }
scope {
  start()
  start()
}
print("scope", done.len())`,
		`scope 2`},
	{"scope that fails", `
let never = chan<T>()
let log = chan<T>(1)
let got = try {
  scope {
    spawn {
      defer log.send(a)
      never.recv()
    }
    spawn {
      yield_now()
      fail(b)
    }
    never.recv()!
  }
} catch e { print(e.message()); c }
print("scope", show(got), log.len() <= 1)`,
		`oops
scope {C} true`},
	{"scope whose body fails", `
let never = chan<T>()
let got = try {
  scope {
    spawn { never.recv() }
    if 1 < 2 { fail(b) }
    a
  }
} catch e { print(e.message()); c }
print("scope", show(got))`,
		`oops
scope {C}`},
	{"scope in a scope", `
let got = scope {
  let x = scope {
    let t = spawn later(a)
    spawn { yield_now() }
    await t
  }
  let t = spawn { x }
  await t
}
print("scopes", show(got))`,
		`scopes {A}`},
	{"many tasks", `
let ts: [task<(int, T)>] = []
for i in 0..20 {
  ts.push(spawn {
    yield_now()
    (i, if i % 2 == 0 { a } else { b })
  })
}
let xs = await_all(ts)
print("many", xs.map(|p| p.0).sum(), show(xs[18].1), show(xs[19].1))`,
		`many 190 {A} {B}`},
}
