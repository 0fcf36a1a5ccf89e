package types_test

import "testing"

func TestThePrelude(t *testing.T) {
	c := check(t, "", nil)
	c.diags = append(c.diags, c.prog.CheckLibrary()...)
	for _, l := range c.lines() {
		t.Error(l)
	}
}

func TestThePlainProgramsOfTheGuide(t *testing.T) {
	accepts(t, `
struct Point<T: Number> {
  x: T
  y: T = 0
  let id: int = 0
  fn sum() -> T { self.x + self.y }
}
let p = Point(x: 1.5, y: 2.0)
print(p.sum())

enum Shape { Circle(r: float), Rect(w: float, h: float), Empty
  fn area() -> float {
    match self {
      Circle(r) => 3.14159 * r * r
      Rect(w, h) if w == h => w * w
      Rect(w, h) => w * h
      Empty => 0.0
    }
  }
}
let s: Shape = Circle(2.0)
let make = Shape.Circle
print(s.area(), make(1.0))

interface Show { fn show() -> str
  fn debug() -> str { "<${self.show()}>" }
}
struct Cat { name: str
  fn show() -> str { self.name }
}
fn display(x: Show) -> str { x.debug() }
print(display(Cat("Tom")))
`)
}

func TestATasteOfTheGuide(t *testing.T) {
	accepts(t, `
fn count(text: str) -> map<str, int> {
  let words = map<str, int>()
  for line in text.lines() {
    for w in line.lower().fields() { words[w] = (words.get(w) ?? 0) + 1 }
  }
  words
}

scope {
  let parts = ["a", "b"].map(|p| spawn count(p))
  let total = mutex(map<str, int>())
  for t in parts {
    let part = await t
    lock total as all { for w, n in part { all[w] = (all.get(w) ?? 0) + n } }
  }
  lock total as all {
    for w, n in all.entries().sort_by(|e| -e.1).take(10) { print("${n:>6} ${w}") }
  }
}
`)
}
