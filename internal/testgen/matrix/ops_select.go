package matrix

// select with each kind of arm.
var selectOps = []Op{
	{"select recv that is ready", `
let ch = chan<T>(1)
let empty = chan<int>()
ch.send(a)
select {
  let x = ch.recv() => print("got", opt(x, show))
  empty.recv() => print("empty")
}`,
		`got {A}`},
	{"select recv that waits", `
let ch = chan<T>()
let other = chan<T>()
let t = spawn { ch.send(a) }
let got = select {
  let x = other.recv() => ("other", x)
  let x = ch.recv() => ("ch", x)
}
await t
print(got.0, opt(got.1, show))`,
		`ch {A}`},
	{"select recv of a closed channel", `
let ch = chan<T>()
let full = chan<T>(1)
full.send(a)
ch.close()
select {
  let x = ch.recv() => print("closed", opt(x, show))
  let x = full.recv() => print("open", opt(x, show))
}
select {
  let x = ch.recv() => print("closed", opt(x, show))
  let x = full.recv() => print("open", opt(x, show))
}`,
		`open {A}
closed nothing`},
	{"select recv that is closed meanwhile", `
let ch = chan<T>()
let other = chan<T>()
let t = spawn {
  yield_now()
  ch.close()
}
select {
  let x = ch.recv() => print("closed", opt(x, show))
  other.send(a) => print("sent")
}
await t`,
		`closed nothing`},
	{"select send that is ready", `
let ch = chan<T>(1)
let empty = chan<T>()
select {
  ch.send(a) => print("sent")
  empty.recv() => print("empty")
}
print("then", opt(ch.recv(), show))`,
		`sent
then {A}`},
	{"select send that waits", `
let ch = chan<T>()
let other = chan<T>()
let t = spawn { ch.recv() }
select {
  ch.send(a) => print("sent")
  other.send(b) => print("other")
}
print("then", opt(await t, show))`,
		`sent
then {A}`},
	{"select send on a closed channel", `
let ch = chan<T>()
ch.close()
let got = try {
  select {
    ch.send(a) => "sent"
    after 1h => "late"
  }
} catch e: Closed { "closed" }
print("send", got)`,
		`send closed`},
	{"select send and recv", `
let left = chan<T>()
let right = chan<T>()
let t = spawn {
  let x = left.recv()
  right.send(b)
  x
}
var sent = 0
var got: T? = none
for _ in 0..2 {
  if sent == 0 {
    select {
      left.send(a) => { sent += 1 }
      let x = right.recv() => { got = x }
    }
  } else {
    select {
      let x = right.recv() => { got = x }
    }
  }
}
print("both", sent, opt(got, show), opt(await t, show))`,
		`both 1 {B} {A}`},
	{"select after", `
let ch = chan<T>()
let got = select {
  let x = ch.recv() => opt(x, show)
  after 1us => show(b)
}
print("after", got)`,
		`after {B}`},
	{"select after that is not needed", `
let ch = chan<T>(1)
ch.send(a)
let got = select {
  let x = ch.recv() => x!
  after 1h => b
}
print("in time", show(got))`,
		`in time {A}`},
	{"select after that is beaten", `
let ch = chan<T>()
let t = spawn {
  yield_now()
  ch.send(a)
}
let got = select {
  after 1h => b
  let x = ch.recv() => x!
}
await t
print("in time", show(got))`,
		`in time {A}`},
	{"select default", `
let ch = chan<T>()
let got = select {
  let x = ch.recv() => x!
  ch.send(a) => b
  _ => c
}
print("default", show(got))`,
		`default {C}`},
	{"select default that is not taken", `
let ch = chan<T>(1)
select {
  ch.send(a) => print("sent")
  _ => print("full")
}
select {
  ch.send(b) => print("sent")
  _ => print("full")
}
select {
  let x = ch.recv() => print("got", opt(x, show))
  _ => print("empty")
}`,
		`sent
full
got {A}`},
	{"select is fair", `
let left = chan<T>()
let right = chan<T>()
let stop = chan<bool>()
let feeders = [left, right].map(|ch| spawn {
  loop {
    select {
      ch.send(a) => {}
      stop.recv() => break
    }
  }
})
var l = 0
var r = 0
for _ in 0..100 {
  select {
    left.recv() => { l += 1 }
    right.recv() => { r += 1 }
  }
}
stop.close()
await_all(feeders)
print("fair", l + r)`,
		`fair 100`},
	{"select in a loop until closed", `
let ch = chan<T>()
let quit = chan<()>()
spawn {
  for x in [a, b, c] { ch.send(x) }
  quit.close()
}
let xs: [T] = []
loop {
  select {
    let x = ch.recv() => xs.push(x!)
    quit.recv() => break
  }
}
print("loop", each(xs, show))`,
		`loop {A}, {B}, {C}`},
	{"select between selects", `
let ch = chan<T>()
let other = chan<T>()
let t = spawn {
  select {
    ch.send(a) => "ch"
    other.send(b) => "other"
  }
}
let got = select {
  let x = ch.recv() => ("ch", x)
  let x = other.recv() => ("other", x)
}
print("same arm", got.0 == await t, opt(got.1, show) == (if got.0 == "ch" { show(a) } else { show(b) }))`,
		`same arm true true`},
}
