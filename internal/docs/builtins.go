package docs

import "strings"

// builtins are the functions that no source declares, as their types cannot be
// written in Runnel.
var builtins = []struct{ page, name, signature, doc string }{
	{"prelude", "print", "fn print(values...)", "Writes values to the standard output, with blanks between them and a line end: `print(\"sum\", 1 + 2)`."},
	{"prelude", "assert", "fn assert(condition: bool, message: str = \"\")", "Throws an AssertError when the condition is false: `assert(1 < 2)`."},
	{"prelude", "same", "fn same(a: T, b: T) -> bool", "Whether two values are one and the same object: `same([1], [1]) == false`."},
	{"prelude", "type_of", "fn type_of(value) -> str", "The name of a value's type: `type_of([1]) == \"[int]\"`."},
	{"int", "int", "fn int(x: int | float | str | bool | duration) -> int", "Converts to an integer, a float towards zero and a duration to nanoseconds. A ValueError when that cannot be done: `int(\"42\") == 42`."},
	{"float", "float", "fn float(x: int | float | str) -> float", "Converts to a float. A ValueError when that cannot be done: `float(\"1.5\") == 1.5`."},
	{"str", "str", "fn str(value) -> str", "The text of any value, as print shows it: `str([1, 2]) == \"[1, 2]\"`."},
	{"bytes", "bytes", "fn bytes(x: str) -> bytes", "The UTF-8 of a text: `bytes(\"hi\").len() == 2`."},
	{"buffer", "buffer", "fn buffer() -> buffer", "Makes an empty buffer: `buffer().len() == 0`."},
	{"map", "map", "fn map<K, V>() -> map<K, V>", "Makes an empty map: `map<str, int>().len() == 0`."},
	{"set", "set", "fn set<T>(elements: [T] = []) -> set<T>", "Makes a set: `set([1, 2, 2]).len() == 2`."},
	{"chan", "chan", "fn chan<T>(capacity: int = 0) -> chan<T>", "Makes a channel that holds so many values until they are received; without room `send` waits for who receives: `let jobs = chan<int>(16)`."},
	{"mutex", "mutex", "fn mutex<T>(value: T) -> mutex<T>", "Makes a lock around a value, which is reached only while it is held: `let hits = mutex(0)`."},
}

func builtinSignature(name, text string) Signature {
	rest := strings.TrimPrefix(text, "fn "+name)
	return Signature{{Text: "fn "}, {Text: name, Name: true}, {Text: rest}}
}

// pageDocs say what the built-in types are.
var pageDocs = map[string]string{
	"prelude":  "What every program sees without an import: functions, interfaces and the errors of the language.",
	"any":      "A value of any type. What it is finds out `x is T`, `x as T` or a match.",
	"bool":     "true and false.",
	"buffer":   "Bytes that grow: what is written piece by piece.",
	"bytes":    "A sequence of bytes that does not change.",
	"chan":     "`chan<T>`: a channel, through which tasks pass values.",
	"duration": "A span of time, in nanoseconds: `1500ms`, `2h`.",
	"float":    "A floating point number of 64 bits.",
	"int":      "A whole number of 64 bits.",
	"iterator": "Gives one element after the other. Whatever has `fn next() -> T?` is one.",
	"list":     "`[T]`: a list of elements of one type, by index from 0.",
	"map":      "`map<K, V>`: values by keys, in the order of insertion.",
	"mutex":    "`mutex<T>`: a value that one task at a time may use, by `lock`.",
	"optional": "`T?`: a T, or none.",
	"range":    "`a..b` and `a..=b` as values.",
	"set":      "`set<T>`: elements each of which is there once, in the order they came.",
	"str":      "A text in UTF-8 that does not change. Indices are those of bytes.",
	"task":     "`task<T>`: what `spawn` gives: a computation that runs beside the others and ends with a T.",
}
