package stdlib

import (
	"sort"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

//go:generate go run ./internal/gensigs

// native is a declared native function. Several may share a name.
type native struct {
	name string
	sig  bytecode.Signature
}

// undeclared are the natives that only the compiler calls, and what a
// declaration cannot say.
var undeclared = [...]native{
	{"buffer.new", "() buffer"},
	{"core.bytes", "(str) bytes"},
	{"core.eprint", "(str) unit"},
	{"core.fail_assert", "(str) unit"}, {"core.fail_comparison", "(str, str, str) unit"},
	{"core.float", "(str) float"},
	{"core.int", "(str) int"},
	{"core.print", "(str) unit"},
	{"core.runs_main", "() bool"},
	{"core.str", "(bytes) str"},
	{"json.decode_as", "<T, map<str, any>, list<any>>(str, opt<T>, " + missing + ") opt<T>"},
	{"json.stream_value", "<T, map<str, any>, list<any>>(json.Stream, " + missing + ") opt<T>"},
	{"toml.decode_as", "<T, map<str, any>, list<any>>(str, opt<T>, " + missing + ") opt<T>"},
	{"yaml.decode_all_as", "<T, map<str, any>, list<any>>(str, opt<T>, " + missing + ") opt<T>"},
	{"yaml.decode_as", "<T, map<str, any>, list<any>>(str, opt<T>, " + missing + ") opt<T>"},
}

// missing are the parameters by which fields that a text lacks are made: see vm.FieldDefaults.
const missing = "bytes, opt<list<int>>, opt<list<any>>"

// Signatures returns the signatures that a native function of the library has.
// A compiled program is verified against them.
func Signatures(name string) []bytecode.Signature {
	if sigs := find(undeclared[:], name); sigs != nil {
		return sigs
	}
	return find(declared[:], name)
}

// Natives visits the native functions of the library, each with its signatures.
func Natives(visit func(name string, sig bytecode.Signature)) {
	for _, n := range undeclared {
		visit(n.name, n.sig)
	}
	for _, n := range declared {
		if find(undeclared[:], n.name) == nil {
			visit(n.name, n.sig)
		}
	}
}

func find(table []native, name string) (sigs []bytecode.Signature) {
	i := sort.Search(len(table), func(i int) bool { return table[i].name >= name })
	for ; i < len(table) && table[i].name == name; i++ {
		sigs = append(sigs, table[i].sig)
	}
	return sigs
}
