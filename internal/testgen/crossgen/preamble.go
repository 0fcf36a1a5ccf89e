package crossgen

import (
	"regexp"
	"slices"
	"strings"
)

// What a program declares in a file of its own, and what the preamble does.
var (
	declared = regexp.MustCompile(`^(?:import|fn|struct|enum|interface) (\w+)`)
	prepares = regexp.MustCompile(`^(?:import|fn|struct|enum|interface|let) (\w+)`)
)

// prepared is a program with what it uses of the preamble.
func prepared(text string) string {
	return strings.Join(needed(text), "") + text
}

// needed is what a program uses of the preamble.
func needed(text string) []string {
	var chunks []string // declarations
	for line := range strings.Lines(preamble + detours) {
		if prepares.MatchString(line) {
			chunks = append(chunks, line)
		} else {
			chunks[len(chunks)-1] += line
		}
	}
	used := map[string]bool{}
	add := func(text string) {
		for _, w := range word.FindAllString(text, -1) {
			used[w] = true
		}
	}
	add(text)
	var kept []string
	for {
		n := len(kept)
		for _, c := range chunks {
			name := prepares.FindStringSubmatch(c)[1]
			if used[name] && !slices.Contains(kept, c) {
				kept = append(kept, c)
				add(c)
			}
		}
		if len(kept) == n {
			break
		}
	}
	slices.SortStableFunc(kept, func(a, b string) int { return slices.Index(chunks, a) - slices.Index(chunks, b) })
	return kept
}

var word = regexp.MustCompile(`\w+`)

// preamble holds declarations that every program has: generic types and
// functions, and ways that a value can take through the language.
const preamble = `import actor
import args
import base64
import big
import crypto
import csv
import decimal
import fs
import hash
import hex
import http
import io
import iter
import journal
import json
import log
import math
import net
import path
import process
import rand
import re
import reactive
import sql
import sync
import sys
import template
import testing
import text
import time
import toml
import url
import uuid
import yaml
interface Sized { fn size() -> int
  fn twice() -> int { self.size() * 2 }
}
struct Box<T> { value: T
  let tag: int = 7
  fn get() -> T { self.value }
  fn set(v: T) -> T {
    let old = self.value
    self.value = v
    old
  }
  static fn of(value: T) -> Box<T> { Box<T>(value) }
  fn map<U>(f: fn(T) -> U) -> Box<U> { Box<U>(f(self.value)) }
  fn size() -> int { 1 }
}
enum Tree<T> { Leaf, Node(left: Tree<T>, value: T, right: Tree<T>)
  fn count() -> int {
    match self {
      Leaf => 0
      Node(l, _, r) => l.count() + 1 + r.count()
    }
  }
  fn list() -> [T] {
    match self {
      Leaf => []
      Node(l, v, r) => {
        let out = l.list()
        out.push(v)
        out.extend(r.list())
        out
      }
    }
  }
}
enum Result<T> { Fine(value: T), Wrong(text: str), Odd(a: int, b: [T] = []), Nothing
  fn or(other: T) -> T { match self { Fine(v) => v, Odd(_, b) => b.get(0) ?? other, _ => other } }
}
enum Color { Red = -3, Green, Blue = 7
  static fn at(i: int) -> Color { match i & 3 { 0 => Red, 1 => Green, _ => Blue } }
  fn next() -> Color { match self { Red => Green, Green => Blue, Blue => Red } }
}
struct Bad { code: int
  fn message() -> str { "bad ${self.code}" }
}
struct Worse { parts: [str], inner: any
  fn message() -> str { "worse ${self.parts} ${self.inner}" }
}
struct Countdown { n: int
  fn next() -> int? {
    self.n &= 7
    if self.n == 0 { return none }
    self.n -= 1
    self.n
  }
}
struct Vec: AddOp<Vec, Vec>, SubOp<Vec, Vec>, MulOp<int, Vec>, DivOp<int, Vec>, RemOp<int, int>, PowOp<int, Vec>, NegOp<Vec>, Comparable<Vec> {
  let x: int
  let y: float = 1
  fn add(other: Vec) -> Vec { Vec(self.x + other.x, self.y + other.y) }
  fn sub(other: Vec) -> Vec { self + -other }
  fn mul(k: int) -> Vec { self.copy(x: self.x * k) }
  fn div(k: int) -> Vec { self.copy(y: self.y + 1.0, x: self.x / k) }
  fn rem(k: int) -> int { self.x % k }
  fn pow(k: int) -> Vec {
    var v = self
    for _ in 0..(k & 3) { v += self * 2 }
    v
  }
  fn neg() -> Vec { Vec(-self.x, -self.y) }
  fn compare(other: Vec) -> int { if self.x < other.x { -1 } else if self.x > other.x { 1 } else { 0 } }
}
struct Named { name: str, n: int = 2
  fn to_str() -> str { "<${self.name} ${self.n}>" }
}
struct Many<T>: AddOp<Many<T>, Many<T>>, SubOp<int, Many<T>>, NegOp<[T]>, Comparable<[T]> { items: [T]
  fn add(other: Many<T>) -> Many<T> { Many<T>(self.items + other.items) }
  fn sub(n: int) -> Many<T> { Many<T>(self.items.skip(n & 3)) }
  fn neg() -> [T] { self.items.copy().reverse() }
  fn compare(other: [T]) -> int { self.items.len() - other.len() }
  fn each() -> Iterator<T> { for x in self.items.copy() { yield x } }
}
struct Steps<T> { items: [T], i: int = 0
  fn next() -> T? {
    let i = self.i
    if i >= self.items.len() || i < 0 { return none }
    self.i += 1
    self.items[i]
  }
}
fn id<T>(x: T) -> T { x }
fn choose<T>(first: bool, a: T, b: T) -> T { if first { a } else { b } }
fn apply<T, U>(f: fn(T) -> U, x: T) -> U { f(x) }
fn swapped<A, B>(t: (A, B)) -> (B, A) {
  let (a, b) = t
  (b, a)
}
fn largest<T: Ordered>(xs: [T]) -> T? {
  var best: T? = none
  for x in xs {
    match best {
      none => { best = x }
      b: T => { if x > b { best = x } }
    }
  }
  best
}
fn total<T: Number>(a: T, b: T) -> T { a * b - a + b }
fn tallied<K: Hashable>(xs: [K]) -> map<K, int> {
  let out = map<K, int>()
  for x in xs { out[x] = (out.get(x) ?? 0) + 1 }
  out
}
fn attempt<T>(f: fn() -> T, otherwise: T) -> T {
  try { f() } catch _ { otherwise }
}
fn adder(start: int) -> fn(int) -> int {
  var n = start
  |by| {
    n += by
    n
  }
}
fn nested(f: fn(int) -> int, n: int) -> int { nest(n & 7, f) }
fn gathered<T>(f: fn(int) -> T, n: int) -> [T] {
  let c = chan<T>(n & 3)
  let t = spawn { for i in 0..(n & 7) { c.send(f(i)) }; c.close() }
  let out: [T] = []
  for x in c { out.push(x) }
  await t
  out
}

fn summed<T: AddOp<T, T>>(a: T, b: T) -> T {
  var c = a
  c += b
  c + a
}

fn via_call<T>(f: fn() -> T) -> T { f() }
fn via_list<T>(x: T) -> T { [x][0] }
fn via_map<T>(x: T) -> T { ({"k": x})["k"] }
fn via_tuple<T>(x: T) -> T { (1, x, "c").1 }
fn via_box<T>(x: T) -> T { Box<T>(x).set(x) }
fn via_chan<T>(x: T) -> T {
  let c = chan<T>()
  let t = spawn c.send(x)
  let y = c.recv()!
  await t
  y
}
fn via_mutex<T>(x: T) -> T {
  let m = mutex<T>(x)
  lock m as v { v = x; v }
}
fn via_iter<T>(x: T) -> T { [x].iter().map<T>(|y| y).next()! }
fn via_local<T>(x: T) -> T {
  let l = task_local<T>(x)
  l.with<T>(x, || l.get())
}
fn via_select<T>(x: T) -> T {
  let c = chan<T>(1)
  select { c.send(x) => {}, after 1h => {} }
  select { let v = c.recv() => v!, _ => x }
}
fn via_defer<T>(x: T) -> T {
  let out: [T] = []
  defer out.push(x)
  out.push(x)
  out[0]
}
fn via_try<T>(x: T) -> T { try { throw Caught<T>(x) } catch e: Caught<T> { e.value } }
fn via_loop<T>(x: T) -> T {
  for y in [x] { return y }
  x
}
fn via_result<T>(x: T) -> T { Result.Fine(x).or(x) }
fn via_option<T>(x: T) -> T {
  let o: T? = x
  if let y = o { y } else { x }
}
fn via_var<T>(x: T) -> T {
  var y = x
  let f = || { y = x; y }
  f()
}
fn via_match<T>(x: T) -> T { match (x, 1) { (y, 2) => y, (y, _) => y } }
let beside = task_local(false) // a computed may wait for the task, which then must not wait for the graph
fn via_cell<T>(x: T) -> T { if beside.get() { x } else { reactive.cell<T>(x).get() } }
fn via_tasks<T>(x: T) -> T { await_all<T>([spawn id<T>(x), spawn { x }])[1] }
fn via_sync<T>(x: T) -> T { sync.rwlock<T>(x).read<T>(|y| y) }
fn via_copy<T>(x: T) -> T { Box<[T]>([]).copy(value: [x]).value[0] }
fn via_operator<T>(x: T) -> T { (Many<T>([]) + Many<T>([x])).items[0] }
fn via_steps<T>(x: T) -> T {
  for y in Steps<T>([x]) { return y }
  x
}
fn via_generator<T>(f: fn() -> T) -> T {
  fn once() -> Iterator<T> { yield f() }
  once().next()!
}
fn via_generators<T>(f: fn() -> T) -> T {
  let outer = || -> Iterator<T> { for x in iter.generate<T>(|| f()).take(1) { yield x } }
  outer().chain(outer()).next()!
}
fn via_scope<T>(f: fn() -> T) -> T { scope { f() } }
fn via_timeout<T>(f: fn() -> T) -> T { timeout<T>(1h, f) }
fn via_computed<T>(f: fn() -> T) -> T { reactive.untracked<T>(f) }
fn via_race<T>(f: fn() -> T) -> T { race<T>([|| beside.with(true, f)]) }
fn via_apply<T>(f: fn() -> T) -> T { apply<fn() -> T, T>(|g| g(), f) }
fn via_lock<T>(f: fn() -> T) -> T {
  let m = mutex<int>(0)
  lock m as n { n += 1; f() }
}
fn via_deep<T>(f: fn() -> T) -> T { deeper<T>(40, f) }
fn deeper<T>(n: int, f: fn() -> T) -> T {
  if n == 0 { return f() }
  deeper<T>(n - 1, f)
}
fn apart<T>(f: fn() -> T) -> T {
  let got: Got<T> = await spawn { try { Got.Ok(f()) } catch e { Got.Err(e) } }
  match got { Ok(v) => v, Err(e) => throw e }
}
fn via_actor<T>(f: fn() -> T) -> T {
  let d = actor.start<Job<T>>(Doer<T>())
  let got = d.ask<Got<T>>(|r| Job.Run(f, r))
  d.stop()
  match got { Ok(v) => v, Err(e) => throw e }
}
struct Caught<T> { value: T
  fn message() -> str { "caught" }
}
enum Got<T> { Ok(v: T), Err(e: Error) }
enum Job<T> { Run(f: fn() -> T, reply: actor.Reply<Got<T>>) }
struct Doer<T> { done: int = 0
  fn receive(m: Job<T>, ctx: actor.Context<Job<T>>) {
    self.done += 1
    match m { Run(f, r) => { r.send(try { Got.Ok(f()) } catch e { Got.Err(e) }) } }
  }
}
fn filled<T>(x: T) -> chan<T> {
  let c = chan<T>(1)
  c.send(x)
  c
}
fn nest(n: int, f: fn(int) -> int) -> int { if n <= 0 { f(0) } else { f(n) + nest(n - 1, f) } }
`
