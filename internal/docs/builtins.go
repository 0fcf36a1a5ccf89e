package docs

import "strings"

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
	"iterator": "Gives one element after the other. Whatever has `fn next() -> T?` is one. `runnel doc Iterator` lists the methods.",
	"list":     "`[T]`: a list of elements of one type, by index from 0. `xs[1..3]` is a part of it, `xs + ys` and `[..xs, 3]` are new lists; `match` and `if let` take `[first, ..rest]` apart.",
	"map":      "`map<K, V>`: values by keys, in the order of insertion.",
	"mutex":    "`mutex<T>`: a value that one task at a time may use, by `lock`.",
	"optional": "`T?`: a T, or none.",
	"range":    "`a..b` and `a..=b` as values.",
	"set":      "`set<T>`: elements each of which is there once, in the order they came.",
	"str":      "A text in UTF-8 that does not change. Indices are those of bytes.",
	"task":     "`task<T>`: what `spawn` gives: a computation that runs beside the others and ends with a T.",
}
