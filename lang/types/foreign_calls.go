package types

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/runnel-lang/runnel/internal/lazy"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// foreignCalls are what functions of other languages are here: $1 is the first argument,
// and $* are all of them. What stands before a `|` is the module to import.
var foreignCalls = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"console.log": "print($*)", "console.info": "print($*)", "console.error": "io|io.eprint($1)", "console.warn": "io|io.eprint($1)",
		"fmt.Println": "print($*)", "System.println": "print($*)", "Console.WriteLine": "print($*)", "IO.puts": "print($1)", "IO.inspect": "print($1)",
		"Math.max": "max($1, $2)", "Math.min": "min($1, $2)", "Math.abs": "abs($1)", "Math.pow": "$1 ** $2", "Math.sqrt": "math|math.sqrt($1)",
		"Math.floor": "math|math.floor($1)", "Math.ceil": "math|math.ceil($1)", "Math.round": "math|math.round($1)", "Math.trunc": "math|math.trunc($1)",
		"Math.random": "rand|rand.float()", "Math.sin": "math|math.sin($1)", "Math.cos": "math|math.cos($1)", "Math.log": "math|math.log($1)",
		"Math.Max": "max($1, $2)", "Math.Min": "min($1, $2)", "Math.Abs": "abs($1)", "Math.Sqrt": "math|math.sqrt($1)", "Math.Pow": "$1 ** $2",
		"JSON.parse": "json|json.parse($1)", "JSON.stringify": "json|json.encode($1)",
		"Object.keys": "$1.keys()", "Object.values": "$1.values()", "Object.entries": "$1.entries()", "Array.from": "$1.to_list()",
		"Number.parseInt": "int($1)", "Number.parseFloat": "float($1)", "Integer.parseInt": "int($1)", "Double.parseDouble": "float($1)", "Date.now": "time|time.now()",
		"String.valueOf": "str($1)", "Convert.ToInt32": "int($1)", "Integer.valueOf": "int($1)",
		"String.upcase": "$1.upper()", "String.downcase": "$1.lower()", "String.split": "$1.split($2)", "String.length": "$1.char_count()", "String.trim": "$1.trim()",
		"Enum.map": "$1.map($2)", "Enum.filter": "$1.filter($2)", "Enum.sum": "$1.sum()", "Enum.count": "$1.len()", "Enum.each": "$1.each($2)", "Enum.sort": "$1.sort()",
		"Enum.join": "$1.join($2)", "Enum.reduce": "$1.fold($2, $3)", "Map.get": "$1.get($2)", "Map.keys": "$1.keys()", "Map.put": "$1[$2] = $3",
		"table.insert": "$1.push($2)", "table.concat": "$1.join($2)", "table.sort": "$1.sort()", "table.remove": "$1.pop()",
		"string.upper": "$1.upper()", "string.lower": "$1.lower()", "string.len": "$1.len()", "string.rep": "$1.repeat($2)", "string.reverse": "$1.reverse()",
		"string.find": "$1.find($2)", "string.byte": "$1.code()", "string.IsNullOrEmpty": "$1 == \"\"", "string.Join": "$2.join($1)",
		"strings.ToUpper": "$1.upper()", "strings.ToLower": "$1.lower()", "strings.Split": "$1.split($2)", "strings.Join": "$1.join($2)", "strings.Contains": "$1.contains($2)",
		"strings.HasPrefix": "$1.starts_with($2)", "strings.HasSuffix": "$1.ends_with($2)", "strings.TrimSpace": "$1.trim()", "strings.Repeat": "$1.repeat($2)",
		"strings.ReplaceAll": "$1.replace($2, $3)", "strings.Index": "$1.find($2)", "strings.Fields": "$1.fields()", "strings.Count": "$1.count($2)", "strings.TrimPrefix": "$1.trim_prefix($2)",
		"strings.TrimSuffix": "$1.trim_suffix($2)", "strconv.Itoa": "str($1)", "strconv.Atoi": "int($1)", "errors.New": "error($1)", "fmt.Sprint": "str($1)",
		"os.Exit": "sys|sys.exit($1)", "os.exit": "sys|sys.exit($1)", "os.Getenv": "sys|sys.env($1)", "os.getenv": "sys|sys.env($1)", "time.Sleep": "sleep($1)",
		"sort.Ints": "$1.sort()", "sort.Strings": "$1.sort()", "slices.Sort": "$1.sort()", "slices.Contains": "$1.contains($2)", "maps.Keys": "$1.keys()",
		"thread.sleep": "sleep($1 * 1ms)", "Thread.sleep": "sleep($1 * 1ms)", "random.randint": "rand|rand.int($1, $2)", "random.choice": "rand|rand.pick($1)", "random.random": "rand|rand.float()",
		"Objects.equals": "$1 == $2", "Arrays.asList": "[$*]", "List.of": "[$*]", "Arrays.sort": "$1.sort()", "Array.isArray": "$1 is [any]", "lists.map": "$2.map($1)", "lists.sum": "$1.sum()",
		"append": "$1 + [$2]", "enumerate": "$1.enumerate()", "sorted": "$1.copy().sort()", "reversed": "$1.copy().reverse()", "zip": "$1.zip($2)", "pow": "$1 ** $2", "divmod": "($1 / $2, $1 % $2)",
		"ord": "$1.code()", "chr": "$1.char()", "ipairs": "$1.enumerate()", "pairs": "$1.entries()", "round": "$1.round()", "isNaN": "$1.is_nan()", "repr": "\"${$1:?}\"",
		"strlen": "$1.len()", "count": "$1.len()", "strtoupper": "$1.upper()", "strtolower": "$1.lower()", "implode": "$2.join($1)", "explode": "$2.split($1)", "array_push": "$1.push($2)",
		"in_array": "$2.contains($1)", "str_replace": "$3.replace($1, $2)", "array_map": "$2.map($1)", "array_filter": "$1.filter($2)", "array_sum": "$1.sum()", "array_keys": "$1.keys()",
		"array_key_exists": "$2.has($1)", "str_repeat": "$1.repeat($2)", "is_null": "$1 == none", "isset": "$1 != none", "var_dump": "print($*)", "print_r": "print($*)", "intval": "int($1)",
		"panic": "throw error($1)",
		"dbg!":  "print($1)", "assert_eq!": "assert($1 == $2)", "assert_ne!": "assert($1 != $2)", "debug_assert!": "assert($1)",
		"delete": "$1.remove($2)", "asyncio.sleep": "sleep($1 * 1s)",
		"unset": "$1.remove($2)", "substr": "$1.slice($2, $2 + $3)", "typeof": "type_of($1)",
	}
})

// foreignValues are values in the modules of other languages.
var foreignValues = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"Math.PI": "math|math.pi", "Math.E": "math|math.e", "math.huge": "math|math.inf", "math.Pi": "math|math.pi", "os.Args": "sys|sys.args", "process.argv": "sys|sys.args",
		"Number.MAX_SAFE_INTEGER": "math|math.max_int", "Integer.MAX_VALUE": "math|math.max_int", "math.MaxInt": "math|math.max_int", "Number.MAX_VALUE": "math|math.max_float",
	}
})

var placeholder = lazy.Regexp(`\$[1-3*]`)

// foreignCall reports a call of a function that only other languages have, with what to
// write; it reports false when it knows nothing of it.
func (c *checker) foreignCall(e *syntax.Call, name string) bool {
	template, ok := foreignCalls()[name]
	if root, _, dotted := strings.Cut(name, "."); !ok && dotted && (root == "string" || root == "String" || root == "sort") {
		if _, formats := formatters[name]; !formats {
			c.err(diag.UnknownName, e.Fn.Span(), "there is no `%s` here", name).help("%s", foreignModules()[strings.ToLower(root)])
			return true
		}
	}
	if !ok {
		return c.foreignFormat(e, name)
	}
	module, template := moduleOf(template)
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = c.source(a.Value.Span())
		if a.Name.Text != "" {
			return false
		}
	}
	own, ok := c.filled(template, e.Args, args)
	ok = ok && c.onOneLine(e.Sp)
	d := c.err(diag.UnknownName, e.Fn.Span(), "there is no `%s` here", name)
	if !ok {
		d.help("write `%s`", general(template, module))
		return true
	}
	c.offer(d, e.Sp, module, own)
	return true
}

// foreignValue reports a value of a module that only other languages have.
func (c *checker) foreignValue(e *syntax.Member, name string) bool {
	template, ok := foreignValues()[name]
	if !ok {
		return false
	}
	module, own := moduleOf(template)
	c.offer(c.err(diag.UnknownName, e.Sp, "there is no `%s` here", name), e.Sp, module, own)
	return true
}

// isForeign reports whether e is `X.name` where there is no X.
func (c *checker) isForeign(e *syntax.Member) (name string, ok bool) {
	id, isName := e.X.(*syntax.Ident)
	if !isName || c.mod.Std || c.local(id.Name) != nil || c.mod.find(id.Name) != nil {
		return "", false
	}
	if c.preludeName(id.Name) != nil && foreignNames()[id.Name] == "" {
		return "", false
	}
	return id.Name + "." + e.Name.Text, true
}

func (c *checker) onOneLine(at diag.Span) bool { return !strings.Contains(c.source(at), "\n") }

func moduleOf(template string) (module, own string) {
	module, own, ok := strings.Cut(template, "|")
	if !ok || !isWordText(module) {
		return "", template
	}
	return module, own
}

func isWordText(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == ""
}

// offer puts own in the place of what a report speaks of, and imports the module that it is of.
func (c *checker) offer(d report, at diag.Span, module, own string) {
	edits := []diag.Edit{{Span: at, New: own}}
	title := "write `" + own + "`"
	if _, ok := c.mod.find(module).(*ModuleObj); module != "" && !ok {
		items := c.mod.File.Items
		if len(items) == 0 || c.mod.find(module) != nil || c.opts.Loader == nil || !slices.Contains(c.opts.Loader.Names(), module) {
			d.help("it is in the module %s: `import %s`, and `%s`", module, module, own)
			return
		}
		start := items[0].Span().Start
		title += " and import its module"
		edits = append(edits, diag.Edit{Span: diag.Span{Start: start, End: start}, New: "import " + module + "\n"})
	}
	d.fix(title, edits...)
}

// filled puts arguments into a template; not when their number is another.
func (c *checker) filled(template string, list []syntax.Arg, args []string) (string, bool) {
	most, all := 0, false
	for _, p := range placeholder().FindAllString(template, -1) {
		if p == "$*" {
			all = true
		} else {
			n, _ := strconv.Atoi(p[1:])
			most = max(most, n)
		}
	}
	if !all && most != len(args) {
		return "", false
	}
	for _, a := range args {
		if a == "" || strings.Contains(a, "\n") {
			return "", false
		}
	}
	bare := template == "$1" || !strings.ContainsAny(template, "*+%=")
	return placeholder().ReplaceAllStringFunc(template, func(p string) string {
		if p == "$*" {
			return strings.Join(args, ", ")
		}
		n, _ := strconv.Atoi(p[1:])
		text := args[n-1]
		receiver := strings.Contains(template, p+".")
		switch unparen(list[n-1].Value).(type) {
		case *syntax.Ident, *syntax.Member, *syntax.Call, *syntax.Index, *syntax.StrLit, *syntax.InterpLit, *syntax.ListLit, *syntax.SelfExpr, *syntax.IntLit, *syntax.FloatLit:
			return text
		}
		if _, ok := list[n-1].Value.(*syntax.Paren); ok || bare && !receiver {
			return text
		}
		return "(" + text + ")"
	}), true
}

// general is a template with names in the places of the arguments.
func general(template, module string) string {
	text := strings.NewReplacer("$1", "a", "$2", "b", "$3", "c", "$*", "a, b").Replace(template)
	if module != "" {
		text += fmt.Sprintf("` with `import %s", module)
	}
	return text
}

// awaitedElsewhere mends `await Promise.all([f(1), f(2)])` and `await asyncio.gather(f(1), f(2))`.
func (c *checker) awaitedElsewhere(e *syntax.Await) bool {
	call, ok := e.X.(*syntax.Call)
	if !ok || len(call.Args) == 0 {
		return false
	}
	fn, ok := call.Fn.(*syntax.Member)
	if !ok {
		return false
	}
	name, ok := c.isForeign(fn)
	if !ok {
		return false
	}
	var tasks []syntax.Expr
	switch list, isList := call.Args[0].Value.(*syntax.ListLit); {
	case name == "asyncio.gather":
		tasks = values(call.Args)
	case name != "Promise.all" && name != "Promise.allSettled":
		return false
	case isList:
		tasks = list.Elems
	}
	own := c.source(call.Args[0].Value.Span())
	if tasks != nil {
		texts := make([]string, len(tasks))
		for i, t := range tasks {
			texts[i] = c.source(t.Span())
			if _, isCall := t.(*syntax.Call); isCall {
				texts[i] = "spawn " + texts[i]
			}
		}
		own = "[" + strings.Join(texts, ", ") + "]"
	}
	c.skipArgs(call)
	c.info.Types[fn.Id], c.info.Types[fn.X.ID()], c.info.Types[call.Id] = Invalid, Invalid, Invalid
	d := c.err(diag.UnknownName, fn.Sp, "there is no `%s` here", name)
	if !c.onOneLine(e.Sp) {
		d.help("tasks in a list are waited for with `await_all(tasks)`")
		return true
	}
	d.fix("tasks in a list are waited for with `await_all`", diag.Edit{Span: e.Sp, New: "await_all(" + own + ")"})
	return true
}
