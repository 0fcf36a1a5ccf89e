package types_test

import "testing"

// programs are larger pieces that must be accepted; the fuzzer starts from
// them too.
var programs = []string{`interface Actor<M> {
  fn receive(msg: M)
  fn on_stop(killed: bool) { print(killed) }
}
enum Msg { Add(by: int), Top(n: int, r: Reply<[int]>), Get(reply: Reply<int>), Fail }
struct Reply<T> { c: chan<T>
  fn send(x: T) { self.c.send(x) }
}
struct Ref<M> { q: chan<M>
  fn tell(m: M) { self.q.send(m) }
  fn ask<R>(make: fn(Reply<R>) -> M, within: duration = 1s) -> R {
    let c = chan<R>(1)
    self.q.send(make(Reply(c)))
    c.recv() ?? throw error("stopped")
  }
}
fn start<M>(a: Actor<M>, name: str = "", mailbox: int = 100) -> Ref<M> {
  let q = chan<M>(mailbox)
  spawn detached { for m in q { a.receive(m) } }
  Ref(q)
}
struct Counter { n: int = 0
  fn receive(msg: Msg) {
    match msg {
      Add(by) => { self.n += by }
      Top(n, r) => r.send([n])
      Get(reply) => reply.send(self.n)
      Fail => throw error("asked to")
    }
  }
}
struct Bad: Actor<Msg> { 
  fn receive(msg: Msg) {}
  fn on_stop(killed: bool) {}
}
let c = start(Counter(), name: "counter")
c.tell(Add(5))
print(c.ask(Msg.Get, within: 1s))
let top = c.ask(|r| Msg.Top(10, r))
print(top.len())
print(Bad())
fn f(x: any, o: int?) -> int {
  if x is int { return x + 1 }
  if x is str && x.len() > 2 { return x.len() }
  if o == none { return 0 }
  let y = o + 1
  match x {
    n: int => n
    s: str if s == "a" => 2
    _ => y
  }
}
print(f(1, 2))
fn g(o: int?, p: int?) -> int {
  match (o, p) {
    (none, none) => 0
    (a, none) => a
    (none, b) => b
    (a, b) => a + b
  }
}
print(g(1, none))
fn h(o: int?) -> int { match o { none => 0, v => v } }
print(h(1))
let r = 0..10
for i in r { print(i) }
let xs = [1, 2, 3]
print(xs[1..], xs[r], "abc"[..2])
for i, x in xs { print(i, x) }
'outer: for k, v in ({"a": 1}) { 
  loop { if v > 1 { break 'outer } else { continue 'outer } }
}
let d = 2 * 5s + 1s / 2
print(d / 1s, -d, d % 3s)
const lim = 3
const limit = 2 ** 10 + 1
const text = "v${limit}"
print(limit, text, lim)
let fs = [|x: int| x + 1, |x| x * 2]
print(fs[0](1))
let (a, b) = (1, "x")
print(a, b)
let task1 = spawn f(1, 2)
print(await task1 + 1)
select {
  let v = chan<int>(1).recv() => print(v)
  chan<int>().send(1) => {}
  after 1s => print("late")
}
let u = try { f(1, 2) } catch e: IoError { print(e.text) ; 3 } catch e { print(e.message()); 4 }
print(u)
let mm = mutex([1])
lock mm as v { v.push(1); v = [2] }
let opt: Counter? = none
print(opt?.n, opt?.receive(Fail))
let tt = timeout(1s, || 5)
print(tt)
assert(opt != none, "x")
print(opt.n)
let sh = if xs.len() > 1 { 1 } else { 2.5 }
print(sh)
let w = xs.map(|x| if x > 1 { none } else { x })
print(w)
let q: [int?] = [1, none]
print(q)
let z: Error = error("x")
if z is PlainError { print(z.text) }
print(match z { PlainError(text) => text, _ => "?" })
`}

func TestProgramsAreAccepted(t *testing.T) {
	for _, p := range programs {
		accepts(t, p)
	}
}
