package types

import (
	"fmt"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// nearest gives the candidate most like name, or "" when none is close.
func nearest(name string, candidates []string) string {
	slices.Sort(candidates) // maps list them in any order
	return diag.Suggest(name, candidates)
}

// maxLikened bounds how many names a check looks through for one that may be meant: a
// program may be all mistakes.
const maxLikened = 1_000_000

// tired reports whether enough names have been looked through.
func (c *checker) tired() bool { return c.likened > maxLikened }

// didYouMean offers the candidate most like name, which stands at a place, and
// reports whether there is one.
func (r report) didYouMean(name string, at diag.Span, candidates []string) bool {
	if r.c.likened += len(candidates); r.c.tired() {
		return false
	}
	near := nearest(name, candidates)
	if near == "" {
		return false
	}
	title := "did you mean `" + near + "`?"
	if diag.SameWord(name, near) {
		title = "it is written `" + near + "` here"
	}
	r.fix(title, diag.Edit{Span: at, New: near})
	return true
}

// foreignNames are what other languages call the functions and values here.
var foreignNames = map[string]string{
	"println": "print", "echo": "print", "puts": "print", "null": "none", "nil": "none",
	"None": "none", "undefined": "none", "NULL": "none", "True": "true", "False": "false", "this": "self",
	"string": "str", "String": "str", "typeof": "type_of", "typeOf": "type_of", "go": "spawn", "Error": "error",
	"Exception": "error", "parseInt": "int", "parseFloat": "float", "Number": "float", "tostring": "str", "tonumber": "float",
}

// foreignHelp says what to do instead of a call or value of other languages.
var foreignHelp = map[string]string{
	"console": "print with `print(...)`", "fmt": "print with `print(...)`; text takes values in: \"${x}\"", "System": "print with `print(...)`",
	"sprintf": "text takes values in: \"${x}\"", "format": "text takes values in: \"${x}\"",
	"panic": "throw an error: `throw error(\"...\")`", "len": "it is a method: `x.len()`", "length": "it is a method: `x.len()`",
	"Some": "a value is an optional by itself: leave `Some(...)` away", "Just": "a value is an optional by itself: leave `Just(...)` away",
	"Ok":  "give the value back as it is; what fails throws: `throw error(\"...\")`",
	"Err": "what fails throws: `throw error(\"...\")`", "errors": "make an error with `error(\"...\")`",
	"Math": "the functions of numbers are in the module math: `import math`", "JSON": "it is in the module json: `import json`",
	"setTimeout": "start a task that waits: `spawn { sleep(100ms); f() }`", "setInterval": "start a task that waits: `spawn { loop { sleep(100ms); f() } }`",
	"sorted": "lists have methods: `xs.sort()`, `xs.sort_by(|x| ...)`", "append": "lists have a method: `xs.push(x)`",
	"enumerate": "count along with `for i, x in xs { ... }`", "isinstance": "test a type with `x is T`",
	"make": "a list is made with `[]`, a map with `map<K, V>()`, a channel with `chan<T>()`", "new": "a struct is made by calling it: `Point(x: 1, y: 2)`",
	"input": "read a line with `io.prompt(\"...\")` of `import io`", "open": "files are read and written with the module fs: `import fs`",
	"require": "a module is imported with `import name`", "exit": "end the program with `sys.exit(code)` of `import sys`",
	"super": "a struct has no base type; put a value of it in a field instead", "Promise": "a task is started with `spawn f()`",
	"list": "a list is made with `[]`", "List": "a list is made with `[]`", "Array": "a list is made with `[]`", "Vec": "a list is made with `[]`",
	"dict": "a map is made with `{}` or `map<K, V>()`", "Map": "a map is made with `{}` or `map<K, V>()`", "HashMap": "a map is made with `{}` or `map<K, V>()`",
	"map": "a map is made with `{}` or `map<K, V>()`", "Set": "a set is made with `set<T>()`", "set": "a set is made with `set<T>()`",
	"chan": "a channel is made with `chan<T>()`", "mutex": "a mutex is made with `mutex(value)`", "task": "a task is started with `spawn f()`",
	"printf":           "print with `print(\"${x}\")`; a format stands behind a colon: \"${x:.2f}\"",
	"pass":             "an empty block is written `{ }`",
	"end":              "a block ends with `}`",
	"fallthrough":      "each arm is by itself: `1 | 2 => ...` takes several values",
	"range":            "count with `for i in 0..n`",
	"xrange":           "count with `for i in 0..n`",
	"reversed":         "a list is turned round by `xs.copy().reverse()`, a range by `(0..n).reverse()`",
	"zip":              "lists have a method: `xs.zip(ys)`",
	"delete":           "an entry is removed with `m.remove(key)`, an element with `xs.remove(i)`",
	"del":              "an entry is removed with `m.remove(key)`, an element with `xs.remove(i)`",
	"cap":              "a list grows by itself; its length is `xs.len()`",
	"copy":             "a copy is `xs.copy()`",
	"close":            "what can be closed has a method: `ch.close()`",
	"recover":          "errors are caught with `try { ... } catch e { ... }`",
	"pcall":            "errors are caught with `try { ... } catch e { ... }`",
	"xpcall":           "errors are caught with `try { ... } catch e { ... }`",
	"pairs":            "go through a map directly: `for k, v in m { ... }`",
	"ipairs":           "go through a list directly: `for i, x in xs { ... }`; the first index is 0",
	"setmetatable":     "a type with methods is a `struct`",
	"getmetatable":     "the name of a type is `type_of(x)`",
	"table":            "lists have methods: `xs.push(x)`, `xs.remove(i)`, `xs.join(\", \")`, `xs.sort()`",
	"unpack":           "a tuple is taken apart with `let (a, b) = t`",
	"type":             "the name of a value's type is `type_of(x)`; a type is tested with `x is T`",
	"rawget":           "an entry is read with `m[key]` or `m.get(key)`",
	"rawset":           "an entry is written with `m[key] = x`",
	"next":             "an iterator has a method: `it.next()`",
	"iter":             "a list has a method: `xs.iter()`",
	"strings":          "texts have methods: `s.split(\",\")`, `s.contains(\"x\")`, `s.upper()`",
	"strconv":          "`int(text)` and `float(text)` read numbers and throw; `text.parse<int>()` gives an optional; `str(x)` makes text",
	"bufio":            "lines are read with `io.lines()` and `fs.lines(path)`",
	"ioutil":           "files are read with `fs.read(path)` of `import fs`",
	"os":               "arguments and environment are in the module sys, files in fs, other programs in process: `import sys`",
	"Object":           "a map has methods: `m.keys()`, `m.values()`, `m.entries()`; a record with names is a `struct`",
	"Symbol":           "an `enum` has names of its own",
	"Date":             "the time is `time.now()` of `import time`",
	"datetime":         "the time is `time.now()` of `import time`",
	"fetch":            "ask a server with `http.get(url)` of `import http`",
	"axios":            "ask a server with `http.get(url)` of `import http`",
	"requests":         "ask a server with `http.get(url)` of `import http`",
	"document":         "there is no page: a program runs in a terminal or in its host",
	"window":           "there is no page: a program runs in a terminal or in its host",
	"clearTimeout":     "a task is ended with `t.cancel()`",
	"alert":            "print with `print(...)`",
	"prompt":           "read a line with `io.prompt(\"...\")` of `import io`",
	"gets":             "read a line with `io.prompt(\"\")` of `import io`",
	"readline":         "read a line with `io.prompt(\"...\")` of `import io`",
	"scanf":            "read a line with `io.prompt(\"...\")` of `import io`",
	"isNaN":            "a float has a method: `x.is_nan()`",
	"BigInt":           "an int has 64 bits",
	"Integer":          "`int(text)` reads a number",
	"Double":           "`float(text)` reads a number",
	"Boolean":          "compare: `x != 0`, `s != \"\"`, `x != none`",
	"bool":             "compare: `x != 0`, `s != \"\"`, `x != none`",
	"char":             "a character is a text of one: `\"a\"`",
	"rune":             "a character is a text of one: `\"a\"`",
	"Self":             "write the name of the type itself",
	"cls":              "a function that needs no value stands outside of the type",
	"array":            "a list is written `[1, 2, 3]`",
	"tuple":            "a tuple is written `(1, 2)`",
	"Tuple":            "a tuple is written `(1, 2)`",
	"object":           "a record with names is a `struct`",
	"ArrayList":        "a list is made with `[]`",
	"Vector":           "a list is made with `[]`",
	"HashSet":          "a set is made with `set<T>()`",
	"Dict":             "a map is made with `{}` or `map<K, V>()`",
	"defaultdict":      "a missing key gets a value with `m.get_or_insert(key, 0)`, or is read with `m.get(key) ?? 0`",
	"Counter":          "count with `xs.tally()`",
	"OrderedDict":      "a map keeps the order of its keys",
	"frozenset":        "a set is made with `set<T>()`",
	"malloc":           "memory is managed by itself: make the value",
	"free":             "memory is managed by itself: leave it out",
	"sizeof":           "memory is managed by itself",
	"Box":              "there are no pointers: write the value itself",
	"Rc":               "there are no pointers: write the value itself",
	"Arc":              "there are no pointers: guard what tasks share with `mutex(value)`",
	"hasattr":          "the fields and methods of a type are known when compiling",
	"getattr":          "a field is read with `x.name`; of a map `m[\"name\"]`",
	"setattr":          "a field is set with `x.name = v`; of a map `m[\"name\"] = v`",
	"dir":              "`runnel doc` and completion list the methods of a type",
	"help":             "`runnel doc NAME` tells of a name",
	"id":               "whether two references are the same tells `same(a, b)`",
	"hash":             "keys are hashed by themselves; digests are in the module crypto",
	"ord":              "the code of a character is `s.code()`",
	"chr":              "the character of a code is `n.char()`",
	"hex":              "write \"${n:#x}\"",
	"bin":              "write \"${n:#b}\"",
	"oct":              "write \"${n:#o}\"",
	"round":            "a float has a method: `x.round()`",
	"pow":              "a power is `x ** y`",
	"divmod":           "write `(a / b, a % b)`",
	"repr":             "a quoted text is \"${x:?}\"",
	"eval":             "a program is not evaluated at run time",
	"exec":             "other programs are run with the module process",
	"callable":         "the type of a function is `fn(int) -> int`",
	"issubclass":       "a type is tested with `x is T`",
	"property":         "write a method",
	"staticmethod":     "a function that needs no value stands outside of the type",
	"raise":            "throw an error: `throw error(\"...\")`",
	"die":              "throw an error: `throw error(\"...\")`, or end with `sys.exit(1)`",
	"assertEqual":      "write `assert(a == b)`: if it fails, it shows both",
	"expect":           "write `assert(a == b)`: if it fails, it shows both",
	"describe":         "a test is written `test \"name\" { ... }`",
	"it":               "a lambda names its parameter: `|it| it + 1`",
	"async":            "any function may wait: leave it out",
	"thread":           "a task is started with `spawn f()`",
	"Thread":           "a task is started with `spawn f()`",
	"setImmediate":     "start a task: `spawn { ... }`",
	"WaitGroup":        "`scope { ... }` waits for the tasks that are spawned in it",
	"__name__":         "statements of the file that is run are run from the top; `fn main()` is called last",
	"arguments":        "take a list: `fn f(xs: [int])`",
	"iota":             "variants of an `enum` count up",
	"std":              "a module is imported by its name: `import fs`",
	"cout":             "print with `print(...)`",
	"endl":             "print with `print(...)`",
	"require_relative": "a file is imported with `import \"./name\"`",
	"attr_accessor":    "a field is declared with its type: `name: str`",
	"lambda":           "write `|x| x + 1`",
	"proc":             "write `|x| x + 1`",
	"Proc":             "write `|x| x + 1`",
	"Hash":             "a map is made with `{}` or `map<K, V>()`",
	"case":             "choose with `match x { 1 => ... _ => ... }`",
	"switch":           "choose with `match x { 1 => ... _ => ... }`",
	"then":             "a body stands in braces: `if c { ... }`",
	"do":               "a body stands in braces: `while c { ... }`",
	"until":            "negate the condition: `while !(...) { ... }`",
	"unless":           "negate the condition: `if !(...) { ... }`",
	"repeat":           "write `loop { ...; if done { break } }`",
	"with":             "what is opened is closed by `defer f.close()`",
	"static":           "a value for the whole file is declared with `let`, `var` or `const` at its top",
	"void":             "the value of nothing is `()`",
	"static_assert":    "write `assert(condition)`",
	"except":           "errors are caught with `try { ... } catch e { ... }`",
	"finally":          "write `defer { ... }` before: it is run in any case",
}

// unknownName reports a name that stands for nothing. want is the type
// expected of it, or nil.
func (c *checker) unknownName(id *syntax.Ident, want Type, why *reason) {
	name := id.Name
	if c.isConsequence(id.Sp, name) || c.assigned[name] {
		return
	}
	if enum := enumWanted(want); enum != nil && isUpperCamel(name) && foreignNames[name] == "" && foreignHelp[name] == "" {
		c.unknownVariant(enum.Decl, syntax.Name{Text: name, Sp: id.Sp}, c.enumWith(name), why)
		return
	}
	if c.keys[id] && c.keyAt.Diagnostic != nil && len(c.reports) > 0 && slices.Contains(c.reports, c.keyAt.Diagnostic) {
		f := &c.keyAt.Fixes[0] // of the same program: one report for all keys without quotes
		f.Edits = append(f.Edits, diag.Edit{Span: id.Sp, New: `"` + name + `"`})
		f.Title = "write the keys as text"
		return
	}
	d := c.err(diag.UnknownName, id.Sp, "there is no `%s` here", name)
	switch {
	case c.callsItself(d, name):
		return
	case c.keys[id]:
		d.help("a key is an expression: text stands in quotes, and a record with names is a `struct`").
			fix("write the key as text", diag.Edit{Span: id.Sp, New: `"` + name + `"`})
		c.keyAt = d
		return
	case c.self != nil && c.memberKind(c.self, name) != "":
		d.fix(fmt.Sprintf("`%s` is a %s of this type", name, c.memberKind(c.self, name)), diag.Edit{Span: id.Sp, New: "self." + name})
		return
	}
	if own, ok := foreignNames[name]; ok {
		d.fix("it is written `"+own+"` here", diag.Edit{Span: id.Sp, New: own})
		return
	}
	if help, ok := foreignHelp[name]; ok {
		d.help("%s", help)
		return
	}
	if strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception") {
		d.help("`error(\"...\")` makes an error; one of your own is a struct with a method `message() -> str`")
		return
	}
	if isUpperCamel(name) {
		if enum := c.enumWith(name); enum != "" {
			d.fix("it is a variant of `"+enum+"`", diag.Edit{Span: id.Sp, New: enum + "." + name})
			return
		}
	}
	if c.opts.Loader != nil && slices.Contains(c.opts.Loader.Names(), name) {
		d.help("import the module first: `import %s`", name)
		return
	}
	d.didYouMean(name, id.Sp, c.visibleNames())
}

// unknownFunction reports a call of a name that stands for nothing.
func (c *checker) unknownFunction(e *syntax.Call, id *syntax.Ident, want Type, why *reason) {
	reports := len(c.reports)
	c.unknownName(id, want, why)
	if len(e.Args) == 0 || len(c.reports) == reports {
		return
	}
	x := e.Args[0].Value
	d := report{c.reports[reports], c}
	if m, _ := c.methodOf(Prune(c.info.TypeOf(x)), id.Name); m == nil || len(d.Fixes) > 0 {
		return
	}
	switch unparen(x).(type) {
	case *syntax.Ident, *syntax.Member, *syntax.Call, *syntax.Index, *syntax.StrLit, *syntax.ListLit:
	default:
		return // its place in `x.f()` would need parentheses
	}
	d.Help = nil
	rest := diag.Span{Start: x.Span().End, End: e.Rparen.Start}
	if len(e.Args) > 1 {
		rest.Start = e.Args[1].Value.Span().Start
	}
	if !e.Rparen.IsValid() {
		d.help("it is a method: `x.%s()`", id.Name)
		return
	}
	d.fix("it is a method", diag.Edit{Span: e.Sp, New: c.source(x.Span()) + "." + id.Name + "(" + c.source(rest) + ")"})
}

// memberKind says what a name is in a type: "field", "method" or "".
func (c *checker) memberKind(t Type, name string) string {
	if n, ok := t.(*Named); ok && n.Decl.field(name) != nil {
		return "field"
	}
	if m, _ := c.methodOf(t, name); m != nil {
		return "method"
	}
	return ""
}

// enumWith finds an enum in scope that has a variant.
func (c *checker) enumWith(variant string) string {
	var found []string
	for n, o := range c.mod.names {
		if c.likened++; c.tired() {
			return ""
		}
		if t, ok := o.(*TypeDecl); ok && t.Kind == KEnum && t.variant(variant) != nil {
			found = append(found, n)
		}
		if m, ok := o.(*ModuleObj); ok {
			if enum := c.exportedEnum(m.Module, variant); enum != "" {
				found = append(found, n+"."+enum)
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.Min(found)
}

func (c *checker) visibleNames() []string {
	var out []string
	if c.tired() {
		return nil
	}
	for _, b := range c.names {
		out = append(out, b.name)
	}
	for n := range c.mod.names {
		out = append(out, n)
	}
	for n := range c.lib.byName {
		out = append(out, n)
	}
	for n := range builtins {
		out = append(out, n)
	}
	return out
}

// variables lists the names that may be assigned to.
func (c *checker) variables() []string {
	var out []string
	if c.tired() {
		return nil
	}
	for _, b := range c.names {
		out = append(out, b.name)
	}
	for n, o := range c.mod.names {
		if _, ok := o.(*Global); ok {
			out = append(out, n)
		}
	}
	return out
}

// ---- types ----

// foreignTypes are names of other languages for types without arguments.
var foreignTypes = map[string]string{
	"string": "str", "String": "str", "Str": "str", "char": "str", "rune": "str", "Int": "int", "Integer": "int", "integer": "int",
	"i8": "int", "i16": "int", "i32": "int", "i64": "int", "u8": "int", "u16": "int", "u32": "int", "u64": "int", "usize": "int", "isize": "int",
	"int8": "int", "int16": "int", "int32": "int", "int64": "int", "uint": "int", "uint64": "int", "long": "int", "byte": "int",
	"f32": "float", "f64": "float", "double": "float", "Float": "float", "float32": "float", "float64": "float",
	"boolean": "bool", "Bool": "bool", "Boolean": "bool", "Unit": "()", "unit": "()", "Any": "any", "object": "any", "Object": "any",
	"Duration": "duration", "error": "Error", "Exception": "Error", "exception": "Error",
}

// foreignApplied are names of other languages for types with arguments.
var foreignApplied = map[string][]string{
	"List": {"[", "T", "]"}, "list": {"[", "T", "]"}, "Vec": {"[", "T", "]"}, "array": {"[", "T", "]"}, "Array": {"[", "T", "]"},
	"dict": {"map<", "K", ", ", "V", ">"}, "Map": {"map<", "K", ", ", "V", ">"}, "HashMap": {"map<", "K", ", ", "V", ">"},
	"Dict": {"map<", "K", ", ", "V", ">"}, "Record": {"map<", "K", ", ", "V", ">"},
	"Set": {"set<", "T", ">"}, "HashSet": {"set<", "T", ">"}, "channel": {"chan<", "T", ">"}, "Channel": {"chan<", "T", ">"},
	"Mutex": {"mutex<", "T", ">"}, "Task": {"task<", "T", ">"}, "Promise": {"task<", "T", ">"}, "Future": {"task<", "T", ">"},
	"Option": {"", "T", "?"}, "Optional": {"", "T", "?"}, "Maybe": {"", "T", "?"},
}

// foreignTypeHelp says what to do instead of a type of other languages.
var foreignTypeHelp = map[string]string{
	"number": "it is `int` or `float`", "Number": "it is `int` or `float`",
	"Result": "a function gives its value and throws when it fails: `-> T`", "Self": "write the name of the type itself",
	"None": "whether an optional is none is asked with `x == none`", "null": "whether an optional is none is asked with `x == none`",
}

func (c *checker) unknownType(te *syntax.NamedType) {
	name := te.Name.Text
	if c.isConsequence(te.Sp, name) {
		return
	}
	c.foreignType(c.err(diag.UnknownType, te.Name.Sp, "there is no type `%s`", name), te)
}

// foreignType adds what a type that does not exist may mean.
func (c *checker) foreignType(d report, te *syntax.NamedType) {
	name := te.Name.Text
	if own, ok := foreignTypes[name]; ok {
		d.fix("it is called `"+own+"` here", diag.Edit{Span: te.Name.Sp, New: own})
		return
	}
	if help, ok := foreignTypeHelp[name]; ok {
		d.help("%s", help)
		return
	}
	if own, ok := foreignApplied[name]; ok {
		d.help("it is written `%s` here", strings.Join(own, ""))
		if len(te.Args) == len(own)/2 {
			own = slices.Clone(own)
			for i, a := range te.Args {
				own[2*i+1] = c.source(a.Span())
			}
			d.Help = nil
			text := strings.Join(own, "")
			d.fix("it is written `"+text+"` here", diag.Edit{Span: te.Sp, New: text})
		}
		return
	}
	d.didYouMean(name, te.Name.Sp, c.typeNames())
}

func (c *checker) typeNames() []string {
	var out []string
	if c.tired() {
		return nil
	}
	for n := range basicTypes {
		out = append(out, n)
	}
	for n := range ctors {
		out = append(out, n)
	}
	for _, p := range c.tparams {
		out = append(out, p.Name)
	}
	for n, o := range c.mod.names {
		switch o.(type) {
		case *TypeDecl, *aliasObj:
			out = append(out, n)
		}
	}
	for n := range c.lib.byName {
		if isUpperCamel(n) {
			out = append(out, n)
		}
	}
	return out
}

// ---- members ----

// otherNames are what other languages call the methods here; the first that
// the type has is meant.
var otherNames = map[string][]string{
	"length": {"len"}, "size": {"len"}, "count": {"len"}, "len": {"count"}, "append": {"push"}, "add": {"push"}, "push_back": {"push"},
	"toUpperCase": {"upper"}, "to_upper": {"upper"}, "to_uppercase": {"upper"}, "toLowerCase": {"lower"}, "to_lower": {"lower"}, "to_lowercase": {"lower"},
	"strip": {"trim"}, "startswith": {"starts_with"}, "endswith": {"ends_with"}, "startsWith": {"starts_with"}, "endsWith": {"ends_with"},
	"includes": {"contains", "has"}, "has_key": {"has"}, "contains_key": {"has"}, "containsKey": {"has"}, "contains": {"has"}, "has": {"contains"},
	"put": {"push", "add"}, "set": {"push"}, "insert": {"add"}, "push": {"add", "send"}, "delete": {"remove"}, "discard": {"remove"}, "removeAt": {"remove"},
	"for_each": {"each"}, "forEach": {"each"}, "reduce": {"fold"}, "inject": {"fold"}, "select": {"filter"}, "where": {"filter"},
	"collect": {"to_list"}, "toList": {"to_list"}, "toArray": {"to_list"}, "some": {"any"}, "every": {"all"}, "indexOf": {"index_of", "find"},
	"items": {"entries"}, "receive": {"recv", "tell"}, "read": {"recv"}, "write": {"send"}, "get_or": {"get"}, "clone": {"copy"}, "dup": {"copy"},
	"flatMap": {"flat_map"}, "sorted": {"sort"}, "reversed": {"reverse"}, "extend": {"extend"}, "concat": {"extend"},
	"join": {"join"}, "wait": {"await"}, "intersection": {"intersect"}, "difference": {"diff"},
	"send": {"tell"}, "cast": {"tell"}, "post": {"tell"}, "call": {"ask"}, "request": {"ask"}, "respond": {"send"}, "resolve": {"send"}, "reject": {"fail"},
	"substring":            {"slice"},
	"substr":               {"slice"},
	"sub":                  {"slice"},
	"lstrip":               {"trim_start"},
	"rstrip":               {"trim_end"},
	"trimLeft":             {"trim_start"},
	"trimRight":            {"trim_end"},
	"ltrim":                {"trim_start"},
	"rtrim":                {"trim_end"},
	"chomp":                {"trim_end"},
	"isdigit":              {"is_digit"},
	"isalpha":              {"is_alpha"},
	"isspace":              {"is_space"},
	"isupper":              {"is_upper"},
	"islower":              {"is_lower"},
	"splitlines":           {"lines"},
	"split_whitespace":     {"fields"},
	"ljust":                {"pad_right"},
	"rjust":                {"pad_left"},
	"padStart":             {"pad_left"},
	"padEnd":               {"pad_right"},
	"zfill":                {"pad_left"},
	"index":                {"find", "index_of"},
	"rindex":               {"rfind"},
	"lastIndexOf":          {"rfind"},
	"replaceAll":           {"replace"},
	"gsub":                 {"replace"},
	"downcase":             {"lower"},
	"upcase":               {"upper"},
	"ToUpper":              {"upper"},
	"ToLower":              {"lower"},
	"casefold":             {"lower"},
	"unshift":              {"insert"},
	"shift":                {"remove"},
	"popleft":              {"remove"},
	"pop_front":            {"remove"},
	"pop_back":             {"pop"},
	"push_front":           {"insert"},
	"prepend":              {"insert"},
	"findIndex":            {"find_index"},
	"detect":               {"find"},
	"find_all":             {"filter"},
	"each_with_index":      {"each"},
	"iter_mut":             {"iter"},
	"into_iter":            {"iter"},
	"to_vec":               {"to_list"},
	"to_a":                 {"to_list"},
	"rev":                  {"reverse"},
	"has_next":             {"next"},
	"setdefault":           {"get_or_insert"},
	"entry":                {"get_or_insert"},
	"getOrDefault":         {"get"},
	"fetch":                {"get"},
	"dig":                  {"get"},
	"has_value":            {"values"},
	"containsValue":        {"values"},
	"keySet":               {"keys"},
	"entrySet":             {"entries"},
	"each_pair":            {"each"},
	"max_element":          {"max"},
	"foldl":                {"fold"},
	"foldLeft":             {"fold"},
	"accumulate":           {"fold"},
	"sortBy":               {"sort_by"},
	"sort_by_key":          {"sort_by"},
	"sort_unstable":        {"sort"},
	"uniq":                 {"unique"},
	"distinct":             {"unique"},
	"nub":                  {"unique"},
	"subList":              {"slice"},
	"removeAll":            {"retain"},
	"deleteIf":             {"retain"},
	"remove_if":            {"retain"},
	"filterNot":            {"filter"},
	"compact":              {"filter_map"},
	"times":                {"each"},
	"to_lower_case":        {"lower"},
	"trim_matches":         {"trim"},
	"char_at":              {"byte_at"},
	"charCodeAt":           {"byte_at"},
	"codePointAt":          {"code"},
	"ord":                  {"code"},
	"to_i":                 {"parse_int"},
	"to_f":                 {"parse_float"},
	"toInt":                {"parse_int"},
	"toDouble":             {"parse_float"},
	"putAll":               {"update"},
	"addAll":               {"extend"},
	"push_all":             {"extend"},
	"appendAll":            {"extend"},
	"equalsIgnoreCase":     {"lower"},
	"symmetric_difference": {"diff"},
	"issubset":             {"is_subset"},
	"issuperset":           {"is_superset"},
	"Write":                {"write"},
	"WriteString":          {"write"},
	"ToString":             {"to_str"},
	"Len":                  {"len"},
	"Add":                  {"add"},
	"Remove":               {"remove"},
	"Contains":             {"contains"},
	"IndexOf":              {"index_of"},
	"Count":                {"len"},
	"Length":               {"len"},
	"abort":                {"cancel"},
	"kill":                 {"cancel"},
	"stop":                 {"cancel"},
	"acquire":              {"lock"},
	"nsecs":                {"nanos"},
	"seconds":              {"secs"},
	"milliseconds":         {"millis"},
	"total_seconds":        {"secs"},
	"getOrElse":            {"or_else"},
	"orElse":               {"or_else"},
	"isPresent":            {"is_some"},
	"isEmpty":              {"is_empty"},
	"empty":                {"is_empty"},
	"any_match":            {"any"},
	"anyMatch":             {"any"},
	"allMatch":             {"all"},
	"ifPresent":            {"map"},
	"chunk":                {"chunks"},
	"each_slice":           {"chunks"},
	"each_cons":            {"windows"},
	"groupBy":              {"group_by"},
	"count_by":             {"tally"},
	"value_counts":         {"tally"},
	"minBy":                {"min_by"},
	"maxBy":                {"max_by"},
	"sum_by":               {"sum"},
	"head":                 {"first"},
	"peek":                 {"last"},
	"top":                  {"last"},
	"back":                 {"last"},
	"front":                {"first"},
	"enqueue":              {"push"},
	"dequeue":              {"remove"},
	"hasPrefix":            {"starts_with"},
	"HasPrefix":            {"starts_with"},
	"hasSuffix":            {"ends_with"},
	"HasSuffix":            {"ends_with"},
	"removeprefix":         {"trim_prefix"},
	"removesuffix":         {"trim_suffix"},
	"strip_prefix":         {"trim_prefix"},
	"strip_suffix":         {"trim_suffix"},
	"split_at":             {"split_once"},
	"tokenize":             {"split"},
	"explode":              {"split"},
	"is_numeric":           {"is_digit"},
	"isnumeric":            {"is_digit"},
	"encode":               {"bytes"},
	"getBytes":             {"bytes"},
	"as_bytes":             {"bytes"},
	"count_ones":           {"bit_count"},
	"bit_length":           {"bit_count"},
	"is_infinite":          {"is_inf"},
	"isNaN":                {"is_nan"},
	"to_bits":              {"bits"},
	"truncated":            {"trunc"},
}

// memberHelp says what to do instead of a method of other languages.
var memberHelp = map[string]string{
	"to_string": "turn a value into text with `str(x)`", "toString": "turn a value into text with `str(x)`", "String": "turn a value into text with `str(x)`",
	"unwrap": "an optional is unwrapped by `x!`, `x ?? default` or `if let v = x { }`", "unwrap_or": "the value or a default is `x ?? default`",
	"expect": "an optional is unwrapped by `x!`, `x ?? default` or `if let v = x { }`", "then": "wait for a task's value with `await t`",
	"is_none": "compare it: `x == none`", "is_some": "compare it: `x != none`", "parse_int": "read a number from text with `int(x)`", "lock": "use the value inside `lock m as v { ... }`",
	"format": "a string with values in it is written \"${x}\", with a format \"${x:>8.2f}\"",
	"new":    "a struct is made by calling it: `Point(x: 1, y: 2)`", "is_empty": "compare its length: `x.len() == 0`", "isEmpty": "compare its length: `x.len() == 0`", "empty": "compare its length: `x.len() == 0`",
	"equals":            "compare with `==`, which compares content",
	"eq":                "compare with `==`",
	"is":                "compare with `==`; `same(a, b)` tells whether two references are the same",
	"compareTo":         "compare with `<`, `==` and `>`",
	"hashCode":          "keys are hashed by themselves",
	"getClass":          "the name of a type is `type_of(x)`",
	"join":              "a list has the method: `[\"a\", \"b\"].join(\",\")`",
	"concat":            "join with `+`",
	"title":             "change each word: `s.fields().map(|w| ...).join(\" \")`",
	"capitalize":        "write `s[..1].upper() + s[1..]`",
	"swapcase":          "use `s.lower()` or `s.upper()`",
	"center":            "write \"${s:^20}\"",
	"splice":            "use `xs.slice(a, b)`, `xs.remove(i)` and `xs.insert(i, x)`",
	"unwrap_or_default": "the value or a default is `x ?? default`",
	"unwrap_or_else":    "the value or a default is `x ?? default`",
	"getOrElse":         "the value or a default is `x ?? default`",
	"orElseThrow":       "an optional is unwrapped by `x!`, `x ?? default` or `if let v = x { }`",
	"get_or_default":    "the value or a default is `x ?? default`",
	"ok_or":             "write `x ?? throw error(\"...\")` or `x!`",
	"is_ok":             "what fails throws: `try { ... } catch e { ... }`",
	"is_err":            "what fails throws: `try { ... } catch e { ... }`",
	"catch":             "errors are caught with `try { ... } catch e { ... }`",
	"finally":           "write `defer { ... }` before: it is run in any case",
	"to_owned":          "a text is a value by itself: leave it out",
	"as_str":            "a text is a value by itself: leave it out",
	"as_ref":            "there are no pointers: leave it out",
	"borrow":            "there are no pointers: leave it out",
	"to_sym":            "a text is used as it is",
	"push_str":          "a text never changes: `s = s + \"x\"` with a `var`, or a `buffer()`",
	"append_str":        "a text never changes: `s = s + \"x\"` with a `var`, or a `buffer()`",
	"match":             "patterns are in the module re: `re.compile(\"...\").find(s)`",
	"matches":           "patterns are in the module re: `re.compile(\"...\").find(s)`",
	"test":              "patterns are in the module re: `re.compile(\"...\").find(s)`",
	"to_json":           "write `json.encode(x)` of `import json`",
	"toFixed":           "write \"${x:.2f}\"",
	"to_fixed":          "write \"${x:.2f}\"",
	"toLocaleString":    "write \"${n:,}\"",
	"intValue":          "convert with `int(x)`",
	"doubleValue":       "convert with `float(x)`",
	"to_int":            "convert with `int(x)`",
	"to_float":          "convert with `float(x)`",
	"prototype":         "methods stand within the braces of their type",
	"constructor":       "a struct is made by calling it",
	"super":             "a struct has no base type",
	"bind":              "`obj.method` is bound to `obj` by itself",
	"apply":             "call the function: `f(x)`",
	"call":              "call the function: `f(x)`",
	"start":             "a task runs as soon as it is spawned",
	"run":               "a task runs as soon as it is spawned",
	"result":            "wait for a task's value with `await t`",
	"popitem":           "take the last key: `let k = m.keys().last()`, and `m.remove(k)`",
	"each_char":         "go through the characters: `for c in s { ... }`",
	"charAt":            "the characters are `s.chars()`: `s.chars()[i]`; a byte is `s.byte_at(i)`",
	"lpad":              "use `s.pad_left(n)`",
	"subscribe":         "reactive values are in the module reactive",
}

func (c *checker) unknownMember(e *syntax.Member, t Type) {
	name := e.Name.Text
	if n, ok := t.(*Named); ok && n.Decl.Broken || c.isConsequence(e.Name.Sp, name) {
		return
	}
	if inner, ok := optionalOf(t); ok && c.hasMember(inner, name) {
		dot := diag.Span{Start: e.X.Span().End, End: e.Name.Sp.Start}
		d := c.err(diag.OptionalMisuse, e.Name.Sp, "this may be none, so it has no `%s`", name)
		d.text("the value is `%s`", c.shown(t))
		d.help("use `?.` to get none when it is none, or `if let v = x { v.%s }`", name)
		d.fix("write `?.`", diag.Edit{Span: dot, New: "?."})
		return
	}
	d := c.err(diag.UnknownMember, e.Name.Sp, "`%s` has no `%s`", c.shown(t), name)
	names := c.methodNames(t)
	if n, ok := t.(*Named); ok {
		for _, f := range n.Decl.Fields {
			names = append(names, f.Name)
		}
		names = slices.DeleteFunc(names, n.Decl.hides)
	}
	for _, own := range otherNames[name] {
		if slices.Contains(names, own) {
			d.fix("it is called `"+own+"` here", diag.Edit{Span: e.Name.Sp, New: own})
			return
		}
	}
	if help, ok := memberHelp[name]; ok && !slices.ContainsFunc(names, func(own string) bool { return diag.SameWord(own, name) }) {
		d.help("%s", help)
		return
	}
	if d.didYouMean(name, e.Name.Sp, names) {
		return
	}
	if c.memberHints(d, t, name) {
		return
	}
	if c.freeFunction(d, e, name) {
		return
	}
	// A misspelt name of another language: `lenght`.
	for _, own := range otherNames[nearest(name, foreignMembers())] {
		if slices.Contains(names, own) {
			d.fix("did you mean `"+own+"`?", diag.Edit{Span: e.Name.Sp, New: own})
			return
		}
	}
	if n, ok := t.(*Named); ok && n.Decl.Kind == KStruct && !n.Decl.Native {
		d.ownMembers(n.Decl)
	}
}

// freeFunction offers the function of the prelude that a method of another language is here.
func (c *checker) freeFunction(d report, e *syntax.Member, name string) bool {
	for n := range c.lib.byName {
		if diag.SameWord(n, name) && !isUpperCamel(n) {
			d.help("it is a function: `%s(%s)`", n, c.source(e.X.Span()))
			return true
		}
	}
	return false
}

// hides reports a member that the library does not document: it is not for others.
func (d *TypeDecl) hides(member string) bool {
	if !d.Module.Std {
		return false
	}
	if f := d.field(member); f != nil {
		return f.Doc == ""
	}
	m := d.Method(member)
	return m != nil && m.Doc == ""
}

// ownMembers lists the fields and methods of a struct, unless they are many;
// of the library only what is documented.
func (d report) ownMembers(s *TypeDecl) {
	const most = 6
	var fields, methods []string
	for _, f := range s.Fields {
		if !s.hides(f.Name) {
			fields = append(fields, f.Name)
		}
	}
	for _, m := range s.Methods {
		if !s.hides(m.Name) {
			methods = append(methods, m.Name)
		}
	}
	if 0 < len(fields) && len(fields) <= most {
		d.help("%s %s", isOrAre("field", fields), listed(fields))
	}
	if 0 < len(methods) && len(methods) <= most {
		d.help("%s %s", isOrAre("method", methods), listed(methods))
	}
}

func isOrAre(what string, names []string) string {
	if len(names) == 1 {
		return "its " + what + " is"
	}
	return "its " + what + "s are"
}

func foreignMembers() []string {
	out := make([]string, 0, len(otherNames))
	for n := range otherNames {
		out = append(out, n)
	}
	return out
}

// memberHints says how to get at a member that is elsewhere.
func (c *checker) memberHints(d report, t Type, name string) bool {
	hints := len(d.Help)
	switch t := t.(type) {
	case *Func:
		if len(t.Params) == 0 && c.hasMember(t.Result, name) {
			d.help("it is a member of what the function gives: call it, `f().%s`", name)
		}
	case *TypeParam:
		if t.Bound == nil {
			d.help("nothing is known of a `%s`: give it a bound, `<%s: SomeInterface>`", t.Name, t.Name)
		}
	case *App:
		switch t.Ctor {
		case CTask:
			if c.hasMember(t.Args[0], name) {
				d.help("wait for the task's value first: `(await t).%s`", name)
			} else {
				d.help("the task's value is what `await t` gives")
			}
		case CMutex:
			if c.hasMember(t.Args[0], name) {
				d.help("the guarded value is used inside `lock m as v { v.%s }`", name)
			} else {
				d.help("the guarded value is `v` inside of `lock m as v { ... }`")
			}
		case CMap:
			if k := Prune(t.Args[0]); k == Type(Str) {
				d.help("the value of a key is `m[\"%s\"]`, or `m.get(\"%s\")` when it may be missing", name, name)
			}
		}
	case *Basic:
		if t == Any {
			d.help("find out what it is with `is`, `as` or `match`")
		}
	case *Named:
		if help, ok := actorHelp[t.Decl.Name][name]; ok && isOfActors(t) {
			d.help("%s", help)
			return true
		}
		if t.Decl.Name == "Ref" && isOfActors(t) {
			d.help("an actor is reached by messages only: `tell` one, or `ask` for an answer")
			return true
		}
		if t.Decl.Kind == KEnum {
			for _, v := range t.Decl.Variant {
				for _, f := range v.Fields {
					if f.Name == name {
						d.help("`%s` is a field of variant `%s`: get it with `match`", name, v.Name)
						return true
					}
				}
			}
		}
	}
	return len(d.Help) > hints
}

func (c *checker) hasMember(t Type, name string) bool {
	return c.memberKind(Prune(t), name) != ""
}
