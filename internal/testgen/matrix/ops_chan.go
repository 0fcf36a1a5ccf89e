package matrix

// Channels without select.
var channelOps = []Op{
	{"send and recv without buffer", `
let ch = chan<T>()
let t = spawn {
  ch.send(a)
  ch.send(b)
  ch.close()
}
print("recv", opt(ch.recv(), show), opt(ch.recv(), show), opt(ch.recv(), show))
await t`,
		`recv {A} {B} nothing`},
	{"send to a waiting receiver", `
let ch = chan<T>()
let t = spawn { (ch.recv(), ch.recv()) }
yield_now()
ch.send(a)
ch.send(b)
let (x, y) = await t
print("sent", opt(x, show), opt(y, show))`,
		`sent {A} {B}`},
	{"send and recv with buffer", `
let ch = chan<T>(2)
ch.send(a)
ch.send(b)
print("recv", opt(ch.recv(), show))
ch.send(c)
print("recv", opt(ch.recv(), show), opt(ch.recv(), show))`,
		`recv {A}
recv {B} {C}`},
	{"send that waits for room", `
let ch = chan<T>(1)
let t = spawn {
  ch.send(a)
  ch.send(b)
  ch.send(c)
  "sent all"
}
let xs = [ch.recv()!, ch.recv()!, ch.recv()!]
print("room", each(xs, show), await t)`,
		`room {A}, {B}, {C} sent all`},
	{"first in first out", `
let ch = chan<(int, T)>(4)
let t = spawn {
  for i in 0..30 { ch.send((i, if i % 3 == 0 { a } else { b })) }
  ch.close()
}
var next = 0
for p in ch {
  if p.0 != next { print("out of order", p.0, next) }
  next += 1
}
await t
print("order", next)`,
		`order 30`},
	{"for in channel", `
let ch = chan<T>()
spawn {
  for x in [a, b, c] { ch.send(x) }
  ch.close()
}
for x in ch { print("each", show(x)) }
print("end", ch.is_closed())`,
		`each {A}
each {B}
each {C}
end true`},
	{"for in channel with break", `
let ch = chan<T>(3)
for x in [a, b, c] { ch.send(x) }
for x in ch {
  print("first", show(x))
  break
}
print("left", ch.len(), opt(ch.recv(), show))`,
		`first {A}
left 2 {B}`},
	{"for in a closed channel", `
let ch = chan<T>(3)
ch.send(a)
ch.send(b)
ch.close()
var n = 0
for x in ch {
  n += 1
  print("drained", show(x))
}
for _ in ch { n += 10 }
print("count", n)`,
		`drained {A}
drained {B}
count 2`},
	{"try_send", `
let ch = chan<T>(1)
print("try", ch.try_send(a), ch.try_send(b), opt(ch.recv(), show), ch.try_send(c), ch.len())
print("unbuffered", chan<T>().try_send(a))`,
		`try true false {A} true 1
unbuffered false`},
	{"try_send to a waiting receiver", `
let ch = chan<T>()
let t = spawn { ch.recv() }
while !ch.try_send(a) { yield_now() }
print("try", opt(await t, show))`,
		`try {A}`},
	{"try_recv", `
let ch = chan<T>(2)
print("empty", opt(ch.try_recv(), show))
ch.send(a)
ch.send(b)
print("try", opt(ch.try_recv(), show), opt(ch.try_recv(), show), opt(ch.try_recv(), show))
ch.close()
print("closed", opt(ch.try_recv(), show))`,
		`empty nothing
try {A} {B} nothing
closed nothing`},
	{"try_recv from a waiting sender", `
let ch = chan<T>()
let t = spawn {
  ch.send(a)
  "sent"
}
var got: T? = none
loop {
  got = ch.try_recv()
  if got != none { break }
  yield_now()
}
print("try", opt(got, show), await t)`,
		`try {A} sent`},
	{"close wakes receivers", `
let ch = chan<T>()
let ts = [0, 1, 2].map(|_n| spawn { opt(ch.recv(), show) })
yield_now()
ch.close()
print("closed", await_all(ts))`,
		`closed ["nothing", "nothing", "nothing"]`},
	{"close throws at senders", `
let ch = chan<T>()
let t = spawn { try { ch.send(a); "sent" } catch e: Closed { "closed" } }
yield_now()
ch.close()
print("sender", await t)
print("send", try { ch.send(b); "sent" } catch e: Closed { "closed" })
print("try_send", try { "${ch.try_send(b)}" } catch e: Closed { "closed" })
print("close", try { ch.close(); "again" } catch e: Closed { "closed" })`,
		`sender closed
send closed
try_send closed
close closed`},
	{"close keeps what is buffered", `
let ch = chan<T>(2)
ch.send(a)
ch.send(b)
ch.close()
print("kept", ch.len(), ch.capacity(), ch.is_closed(), opt(ch.recv(), show), opt(ch.recv(), show), opt(ch.recv(), show))`,
		`kept 2 2 true {A} {B} nothing`},
	{"channel of optionals", `
let ch = chan<T?>(3)
ch.send(a)
ch.send(none)
ch.close()
let x = ch.recv()!
let y = ch.recv()!
let end = ch.recv()
print("optional", opt(x, show), opt(y, show), end == none)`,
		`optional {A} nothing true`},
	{"channel in a channel", `
let requests = chan<(T, chan<T>)>()
let server = spawn { for r in requests { r.1.send(r.0) } }
let reply = chan<T>()
requests.send((a, reply))
print("reply", opt(reply.recv(), show))
requests.send((b, reply))
print("reply", opt(reply.recv(), show))
requests.close()
await server`,
		`reply {A}
reply {B}`},
	{"pipeline", `
let first = chan<T>()
let next = chan<T>(1)
spawn {
  for x in [a, b, c] { first.send(x) }
  first.close()
}
spawn {
  for x in first { next.send(x) }
  next.close()
}
let xs: [T] = []
for x in next { xs.push(x) }
print("pipeline", each(xs, show))`,
		`pipeline {A}, {B}, {C}`},
	{"several senders and receivers", `
let ch = chan<T>(2)
let counts = scope {
  let receivers = [0, 1, 2].map(|_n| spawn {
    var n = 0
    for x in ch { if show(x) == show(a) { n += 1 } }
    n
  })
  scope { for _ in 0..3 { spawn { for _ in 0..10 { ch.send(a) } } } }
  ch.close()
  await_all(receivers)
}
print("shared", counts.sum())`,
		`shared 30`},
}
