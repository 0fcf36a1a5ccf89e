package spec

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// operand is a kind of value that operators are applied to: two values of it, as a
// program writes them, in ascending order where the kind has one.
type operand struct {
	Name, Type string
	X, Y       string
	x, y       any  // what they are in Go, of a scalar
	ordered    bool // < and the like apply
	identity   bool // X and Y are globals, since no other value is equal to them
	constant   bool // X and Y can be constants
}

const operandDecls = `import time
enum Light { Red, Green }
enum Shape { Dot, Circle(r: float) }
struct Point { x: int, label: str = "" }
struct Gen<T> { v: T }
struct Tag { n: str
  fn name() -> str { self.n }
}
interface Named { fn name() -> str }
fn inc(n: int) -> int { n + 1 }
fn dec(n: int) -> int { n - 1 }
let fn1: fn(int) -> int = inc
let fn2: fn(int) -> int = dec
let ch1 = chan<int>(1)
let ch2 = chan<int>(1)
let mu1 = mutex(1)
let mu2 = mutex(1)
let task1 = spawn { 1 }
let task2 = spawn { 1 }
fn oi(n: int?) -> int? { n }
fn os(s: str?) -> str? { s }
fn av(v: any) -> any { v }
fn nv(v: Named) -> Named { v }
fn buf(s: str) -> buffer {
  let b = buffer()
  b.write(s)
  b
}
`

var operands = []operand{
	{Name: "int", Type: "int", X: "7", Y: "12", x: int64(7), y: int64(12), ordered: true, constant: true},
	{Name: "negative int", Type: "int", X: "-9_000_000_007", Y: "5", x: int64(-9_000_000_007), y: int64(5), ordered: true, constant: true},
	{Name: "int power of two", Type: "int", X: "-13", Y: "8", x: int64(-13), y: int64(8), ordered: true, constant: true},
	{Name: "largest int", Type: "int", X: "-1", Y: "9_223_372_036_854_775_807", x: int64(-1), y: int64(math.MaxInt64), ordered: true, constant: true},
	{Name: "float", Type: "float", X: "-2.5", Y: "0.75", x: -2.5, y: 0.75, ordered: true, constant: true},
	{Name: "float zero", Type: "float", X: "0.0", Y: "3.0", x: 0.0, y: 3.0, ordered: true, constant: true},
	{Name: "bool", Type: "bool", X: "false", Y: "true", x: false, y: true, ordered: true, constant: true},
	{Name: "str", Type: "str", X: `"aé"`, Y: `"b"`, x: "aé", y: "b", ordered: true, constant: true},
	{Name: "bytes", Type: "bytes", X: `b"a"`, Y: `b"\xff"`, x: []byte("a"), y: []byte("\xff"), ordered: true, constant: true},
	{Name: "duration", Type: "duration", X: "1500ms", Y: "2s", x: 1500 * time.Millisecond, y: 2 * time.Second, ordered: true, constant: true},
	{Name: "plain enum", Type: "Light", X: "Light.Red", Y: "Light.Green", ordered: true},
	{Name: "enum", Type: "Shape", X: "Shape.Dot", Y: "Shape.Circle(1.5)", ordered: true},
	{Name: "tuple", Type: "(int, str)", X: `(1, "b")`, Y: `(2, "a")`, ordered: true},
	{Name: "struct", Type: "Point", X: "Point(1)", Y: `Point(1, "p")`},
	{Name: "generic struct", Type: "Gen<str>", X: `Gen("a")`, Y: `Gen("b")`},
	{Name: "list", Type: "[int]", X: "[1]", Y: "[1, 2]"},
	{Name: "list of bytes", Type: "[bytes]", X: `[b"a"]`, Y: `[b"b"]`},
	{Name: "map", Type: "map<str, int>", X: `{"a": 1}`, Y: `{"a": 2}`},
	{Name: "set", Type: "set<str>", X: `["a"].to_set()`, Y: `["b"].to_set()`},
	{Name: "buffer", Type: "buffer", X: `buf("a")`, Y: `buf("b")`},
	{Name: "range", Type: "range", X: "0..2", Y: "0..3"},
	{Name: "optional int", Type: "int?", X: "oi(none)", Y: "oi(3)"},
	{Name: "optional str", Type: "str?", X: "os(none)", Y: `os("s")`},
	{Name: "any", Type: "any", X: "av(1)", Y: `av("one")`},
	{Name: "interface", Type: "Named", X: `nv(Tag("a"))`, Y: `nv(Tag("b"))`},
	{Name: "time", Type: "time.Time", X: "time.from_unix(1)", Y: "time.from_unix(2)"},
	{Name: "function", Type: "fn(int) -> int", X: "fn1", Y: "fn2", identity: true},
	{Name: "channel", Type: "chan<int>", X: "ch1", Y: "ch2", identity: true},
	{Name: "mutex", Type: "mutex<int>", X: "mu1", Y: "mu2", identity: true},
	{Name: "task", Type: "task<int>", X: "task1", Y: "task2", identity: true},
}

var binaryOps = strings.Fields("+ - * / % ** << >> & ^ | == != < <= > >= && || ??")

// meaning tells what `x op y` is for operands of kinds a and b: its type and, for
// values of them, the text that a program shows. ok is false where the language
// refuses it. It is written from the language's text, not from the checker.
func meaning(op string, a, b operand) (typ string, ok bool) {
	same := a.Type == b.Type
	number := same && (a.Type == "int" || a.Type == "float")
	switch op {
	case "+":
		switch {
		case a.Type == "time.Time" && b.Type == "duration":
			return a.Type, true
		case same && a.Type[0] == '[':
			return a.Type, true
		}
		return a.Type, number || same && (a.Type == "str" || a.Type == "bytes" || a.Type == "duration")
	case "-", "%":
		switch {
		case op == "-" && a.Type == "time.Time" && same:
			return "duration", true
		case op == "-" && a.Type == "time.Time" && b.Type == "duration":
			return a.Type, true
		}
		return a.Type, number || same && a.Type == "duration"
	case "*":
		if a.Type == "duration" && b.Type == "int" || a.Type == "int" && b.Type == "duration" {
			return "duration", true
		}
		return a.Type, number
	case "/":
		switch {
		case a.Type == "duration" && b.Type == "int":
			return "duration", true
		case a.Type == "duration" && same:
			return "int", true
		}
		return a.Type, number
	case "**":
		return a.Type, number
	case "<<", ">>", "&", "^", "|":
		return "int", same && a.Type == "int"
	case "&&", "||":
		return "bool", same && a.Type == "bool"
	case "<", "<=", ">", ">=":
		return "bool", same && (a.ordered || a.Type == "time.Time")
	case "==", "!=":
		return "bool", same || a.Type == "any" || b.Type == "any" || a.Type+"?" == b.Type || b.Type+"?" == a.Type
	case "??":
		if inner, optional := strings.CutSuffix(a.Type, "?"); optional && (b.Type == inner || same) {
			return b.Type, true
		}
	}
	return "", false
}

// value computes `x op y` in Go, as it is shown. Without a model for the kind, ok is
// false; where the program fails, the text is "".
func value(op string, x, y any) (shown string, ok bool) {
	switch x := x.(type) {
	case int64:
		switch y := y.(type) {
		case int64:
			return intValue(op, x, y)
		case time.Duration:
			return shown1(time.Duration(x) * y)
		}
	case float64:
		return floatValue(op, x, y.(float64))
	case bool:
		return boolValue(op, x, y.(bool))
	case string:
		if op == "+" {
			return shown1(x + y.(string))
		}
		return shown1(compared(op, strings.Compare(x, y.(string))))
	case []byte:
		if op == "+" {
			return shown1(append(x[:len(x):len(x)], y.([]byte)...))
		}
		return shown1(compared(op, strings.Compare(string(x), string(y.([]byte)))))
	case time.Duration:
		if n, ok := y.(int64); ok {
			if op == "/" {
				return shown1(x / time.Duration(n))
			}
			return shown1(x * time.Duration(n))
		}
		d := y.(time.Duration)
		if op == "/" {
			return shown1(int64(x / d))
		}
		s, ok := intValue(op, int64(x), int64(d))
		return s, ok // a duration is shown by its nanoseconds
	}
	return "", false
}

func intValue(op string, x, y int64) (string, bool) {
	switch op {
	case "+":
		return shown1(x + y)
	case "-":
		return shown1(x - y)
	case "*":
		return shown1(x * y)
	case "/", "%":
		if y == 0 {
			return "", true
		}
		if op == "%" {
			return shown1(x % y)
		}
		return shown1(x / y)
	case "**":
		if y < 0 {
			return "", true
		}
		r, base := int64(1), x
		for ; y > 0; y >>= 1 {
			if y&1 == 1 {
				r *= base
			}
			base *= base
		}
		return shown1(r)
	case "<<", ">>":
		if y < 0 || y > 63 {
			return "", true
		}
		if op == "<<" {
			return shown1(x << y)
		}
		return shown1(x >> y)
	case "&":
		return shown1(x & y)
	case "|":
		return shown1(x | y)
	case "^":
		return shown1(x ^ y)
	}
	order := 0
	if x != y {
		order = map[bool]int{true: -1, false: 1}[x < y]
	}
	return shown1(compared(op, order))
}

func floatValue(op string, x, y float64) (string, bool) {
	switch op {
	case "+":
		return shown1(x + y)
	case "-":
		return shown1(x - y)
	case "*":
		return shown1(x * y)
	case "/":
		return shown1(x / y)
	case "%":
		return shown1(math.Mod(x, y))
	case "**":
		return shown1(math.Pow(x, y))
	}
	return shown1(map[string]bool{"==": x == y, "!=": x != y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op])
}

func boolValue(op string, x, y bool) (string, bool) {
	switch op {
	case "&&":
		return shown1(x && y)
	case "||":
		return shown1(x || y)
	}
	n := map[bool]int{true: 1}
	return shown1(compared(op, n[x]-n[y]))
}

func compared(op string, order int) bool {
	return map[string]bool{"==": order == 0, "!=": order != 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[op]
}

// shown1 is a value as the programs of the table show it.
func shown1(v any) (string, bool) {
	switch v := v.(type) {
	case time.Duration:
		return strconv.FormatInt(int64(v), 10), true
	case []byte:
		var b strings.Builder
		for _, c := range v {
			if c < 0x80 {
				b.WriteByte(c)
			} else {
				fmt.Fprintf(&b, `\x%02x`, c)
			}
		}
		return `b"` + b.String() + `"`, true
	case float64:
		switch {
		case math.IsNaN(v):
			return "nan", true
		case math.IsInf(v, 0):
			return strings.Replace(fmt.Sprint(v), "+I", "i", 1), true
		}
		s := strconv.FormatFloat(v, 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s, true
	}
	return fmt.Sprint(v), true
}
