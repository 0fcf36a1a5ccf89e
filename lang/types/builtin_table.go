package types

// Builtin is a function that no source declares, as its type cannot be written
// in Runnel.
type Builtin struct {
	Name      string
	Makes     string // the built-in type that it is named after, or ""
	Signature string
	Doc       string
}

// Builtins lists the functions that no source declares.
var Builtins = []Builtin{
	{"print", "", "fn print(values...)", "Writes values to the standard output, with blanks between them and a line end: `print(\"sum\", 1 + 2)`."},
	{"assert", "", "fn assert(condition: bool, message: str = \"\")", "Throws an AssertError when the condition is false: `assert(1 < 2)`."},
	{"same", "", "fn same(a: T, b: T) -> bool", "Whether two values are one and the same object: `same([1], [1]) == false`."},
	{"type_of", "", "fn type_of(value) -> str", "The name of a value's type: `type_of([1]) == \"[int]\"`."},
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

// BuiltinNamed finds a function that no source declares.
func BuiltinNamed(name string) Builtin {
	for _, b := range Builtins {
		if b.Name == name {
			return b
		}
	}
	return Builtin{}
}
