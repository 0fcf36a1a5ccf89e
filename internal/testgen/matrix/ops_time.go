package matrix

// Time, yielding and task locals.
var timeOps = []Op{
	{"timeout in time", `
print("in time", show(timeout(1h, || a)), show(timeout(1h, || later(b))))`,
		`in time {A} {B}`},
	{"timeout that is late", `
let got = try { timeout(1us, || { sleep(1h); a }) } catch e: Timeout { b }
print("late", show(got))`,
		`late {B}`},
	{"timeout of a wait", `
let ch = chan<T>()
let m = mutex(a)
let got = try { timeout(1us, || ch.recv()!) } catch e: Timeout { b }
print("recv", show(got), ch.try_send(c))
lock m as x {
  let t = spawn { try { timeout(1us, || m.get()) } catch e: Timeout { c } }
  print("lock", show(await t), show(x))
}`,
		`recv {B} false
lock {C} {A}`},
	{"timeout of a computation", `
let got = try {
  timeout(1ms, || {
    var n = 0
    loop { n += 1 }
    a
  })
} catch e: Timeout { b }
print("late", show(got))`,
		`late {B}`},
	{"timeout in a timeout", `
let got = try {
  timeout(1h, || try { timeout(1us, || { sleep(1h); a }) } catch e: Timeout { b })
} catch e: Timeout { c }
let outer = try {
  timeout(1us, || try { timeout(1h, || { sleep(2h); a }) } catch e: Timeout { b })
} catch e: Timeout { c }
print("nested", show(got), show(outer))`,
		`nested {B} {C}`},
	{"timeout that fails", `
let got = try { timeout(1h, || fail(a)) } catch e: Timeout { b } catch e { print(e.message()); c }
print("failed", show(got))`,
		`oops
failed {C}`},
	{"timeout runs defers", `
let log = chan<T>(1)
let body = || {
  defer {
    yield_now()
    log.send(a)
  }
  sleep(1h)
}
try { timeout(1us, body) } catch e: Timeout { print("late") }
print("defer", opt(log.try_recv(), show))`,
		`late
defer {A}`},
	{"timeout ends its tasks", `
let never = chan<T>()
let got = try {
  timeout(1us, || {
    scope { spawn { never.recv() } }
    a
  })
} catch e: Timeout { b }
print("late", show(got), never.try_send(c))`,
		`late {B} false`},
	{"yield_now", `
let x = a
yield_now()
let xs = [x, b]
yield_now()
print("yield", each(xs, show))`,
		`yield {A}, {B}`},
	{"yield_now lets others run", `
let ch = chan<T>(1)
spawn { ch.send(a) }
while ch.len() == 0 { yield_now() }
print("ran", opt(ch.try_recv(), show))`,
		`ran {A}`},
	{"sleep", `
let x = a
sleep(0s)
sleep(1us)
sleep(-1s)
print("slept", show(x), show(await spawn { sleep(1us); b }))`,
		`slept {A} {B}`},
	{"sleep in order", `
let ch = chan<T>(2)
scope {
  spawn { sleep(1h); ch.send(b) }
  spawn { sleep(1us); ch.send(a) }
}
print("order", opt(ch.recv(), show), opt(ch.recv(), show))`,
		`order {A} {B}`},
	{"task_local get", `
let local = task_local(a)
print("default", show(local.get()), show(await spawn { local.get() }))`,
		`default {A} {A}`},
	{"task_local with", `
let local = task_local<T>(a)
let got = local.with(b, || {
  print("with", show(local.get()))
  local.with(c, || print("inner", show(local.get())))
  yield_now()
  print("back", show(local.get()))
  c
})
print("after", show(got), show(local.get()))`,
		`with {B}
inner {C}
back {B}
after {C} {A}`},
	{"task_local is inherited", `
let local = task_local(a)
let (t, u) = local.with(b, || (spawn { later(local.get()) }, spawn { local.with(c, || later(local.get())) }))
print("inherited", show(await t), show(await u), show(local.get()))`,
		`inherited {B} {C} {A}`},
	{"task_local after an error", `
let local = task_local(a)
let got = try { local.with(b, || fail(local.get())) } catch e { c }
print("error", show(got), show(local.get()))`,
		`error {C} {A}`},
	{"task_local of a cancelled body", `
let local = task_local(a)
let got = try { timeout(1us, || local.with(b, || { sleep(1h); c })) } catch e: Timeout { local.get() }
print("restored", show(got))`,
		`restored {A}`},
	{"several task_locals", `
let one = task_local(a)
let two = task_local(b)
one.with(c, || {
  two.with(a, || print("two", show(one.get()), show(two.get())))
  print("one", show(one.get()), show(two.get()))
})`,
		`two {C} {A}
one {C} {B}`},
}
