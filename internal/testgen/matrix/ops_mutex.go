package matrix

// Mutexes that hold a value of the kind.
var mutexOps = []Op{
	{"lock", `
let m = mutex(a)
lock m as x {
  print("read", show(x))
  x = b
}
let x = lock m as y { y }
print("then", show(x), show(m.get()))`,
		`read {A}
then {B} {B}`},
	{"lock in an expression", `
let m = mutex(a)
let old = lock m as x {
  let y = x
  x = c
  y
}
print("swapped", show(old), show(lock m as x { x }))`,
		`swapped {A} {C}`},
	{"lock that waits", `
let m = mutex(a)
let held = chan<int>()
let go_on = chan<int>()
let t = spawn {
  lock m as x {
    held.send(1)
    go_on.recv()
    x = b
  }
}
held.recv()
let u = spawn { lock m as x { show(x) } }
yield_now()
go_on.send(1)
print("waited", await u)
await t`,
		`waited {B}`},
	{"lock among tasks", `
let m = mutex((0, a))
scope {
  for i in 0..10 {
    spawn {
      for _ in 0..5 {
        lock m as x {
          let n = x.0
          yield_now()
          x = (n + 1, if i % 2 == 0 { b } else { c })
        }
      }
    }
  }
}
print("counted", m.get().0)`,
		`counted 50`},
	{"lock of a list among tasks", `
let m: mutex<[T]> = mutex([])
scope {
  for _ in 0..5 { spawn { for x in [a, b] { lock m as xs { xs.push(x) } } } }
}
print("pushed", lock m as xs { xs.len() }, m.with(|xs| xs.filter(|x| show(x) == show(b)).len()) >= 5)`,
		`pushed 10 true`},
	{"lock left by an error", `
let m = mutex(a)
let got = try {
  lock m as x {
    x = b
    if 1 < 2 { fail(0) }
    show(x)
  }
} catch e { e.message() }
print("left", got, show(m.get()), m.try_lock(|_x| ()))`,
		`left oops {B} true`},
	{"lock left by break and return", `
let m = mutex(a)
let f = || {
  lock m as x {
    if show(x) == show(a) { return x }
    x = c
  }
  c
}
print("returned", show(f()))
loop {
  lock m as x {
    x = b
    break
  }
}
for i in 0..3 {
  lock m as x {
    if i < 2 { continue }
    print("last", show(x))
  }
}
print("free", m.try_lock(|_x| ()))`,
		`returned {A}
last {B}
free true`},
	{"lock of two mutexes", `
let m = mutex(a)
let n = mutex(b)
lock m as x {
  lock n as y {
    let z = x
    x = y
    y = z
  }
}
print("swapped", show(m.get()), show(n.get()))`,
		`swapped {B} {A}`},
	{"lock of what is held", `
let m = mutex(a)
lock m as x {
  let got = try { lock m as y { show(y) } } catch e { "refused" }
  print(got, show(x))
}
print("free", m.try_lock(|_x| ()))`,
		`refused {A}
free true`},
	{"lock over waiting", `
let m = mutex(a)
let ch = chan<T>()
let t = spawn { ch.send(b) }
lock m as x {
  x = ch.recv()!
  await t
  sleep(1us)
  x = await spawn later(x)
}
print("over", show(m.get()))`,
		`over {B}`},
	{"try_lock", `
let m = mutex(a)
print("free", m.try_lock(|x| print("inside", show(x))))
lock m as x { print("held", await spawn { m.try_lock(|_y| print("never")) }, show(x)) }
print("free", m.try_lock(|_x| ()))`,
		`inside {A}
free true
held false {A}
free true`},
	{"try_lock left by an error", `
let m = mutex(a)
print(try { m.try_lock(|_x| fail(())); "no error" } catch e { e.message() }, m.try_lock(|x| print(show(x))))`,
		`{A}
oops true`},
	{"mutex get and set", `
let m = mutex(a)
print("get", show(m.get()))
m.set(b)
print("get", show(m.get()))`,
		`get {A}
get {B}`},
	{"mutex update", `
let m = mutex(a)
let got = m.update(|x| if show(x) == show(a) { b } else { c })
print("update", show(got), show(m.get()))
print("again", show(m.update(|_x| c)))`,
		`update {B} {B}
again {C}`},
	{"mutex update that waits", `
let m = mutex((0, a))
scope {
  for _ in 0..5 {
    spawn {
      m.update(|p| {
        yield_now()
        (p.0 + 1, b)
      })
    }
  }
}
print("updated", m.get().0, show(m.get().1))`,
		`updated 5 {B}`},
	{"mutex with", `
let m = mutex([a, b])
print("with", m.with(|xs| xs.len()), m.with(|xs| each(xs, show)))`,
		`with 2 {A}, {B}`},
	{"mutex of an optional", `
let m: mutex<T?> = mutex(none)
lock m as x {
  print("none", opt(x, show))
  x = a
}
print("some", opt(m.get(), show))`,
		`none nothing
some {A}`},
}
