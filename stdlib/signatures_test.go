package stdlib

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// told are the type parameters that no object among a native's arguments carries.
// The native is told the type, and this is why it does no harm with it.
var told = map[string]string{
	"actor.asked R":            "makes a promise in which there is nothing yet",
	"actor.fail_promises T":    "looks at headers alone",
	"actor.fail_promises_as T": "looks at headers alone",
	"actor.step M":             "makes sure that it is the type that the process was made for",
	"args.fields_of T":         "walks the type, and the value by its header",
	"base64.encode_data T":     textOrBytes,
	"core.task_local T":        "what it is given and what it makes are of one type",
	"crypto.code_of T":         textOrBytes,
	"crypto.same_data T":       textOrBytes,
	"crypto.seal_data T":       textOrBytes,
	"crypto.sign_data T":       textOrBytes,
	"crypto.verify_data T":     textOrBytes,
	"csv.record T":             builds,
	"hash.add T":               textOrBytes,
	"hash.checksum32 T":        textOrBytes,
	"hash.fnv64 T":             textOrBytes,
	"hash.sum T":               textOrBytes,
	"hex.encode_data T":        textOrBytes,
	"json.decode_as T":         builds,
	"json.encode T":            "walks the value by the type",
	"json.stream_value T":      builds,
	"reactive.Bell.ring T":     "makes sure that it is the type that the bell was made for",
	"sql.begin_prepared Time":  isTime,
	"sql.begin_query Time":     isTime,
	"sql.fetch Row":            isTime,
	"sql.fetch T":              builds,
	"sql.fetch Time":           isTime,
	"sql.run Time":             isTime,
	"sql.run_prepared Time":    isTime,
	"str.parse T":              "makes an int or a float, whichever it is",
	"toml.decode_as T":         builds,
	"toml.encode T":            "walks the value by the type",
	"yaml.decode_all_as T":     builds,
	"yaml.decode_as T":         builds,
	"yaml.encode T":            "walks the value by the type",
}

const (
	textOrBytes = "is linked for str and bytes only"
	builds      = "builds a value of the type"
	isTime      = "makes sure when it is linked that it is the type it needs"
)

// What a native takes out of an object, or puts into it, is of the type that the
// object has: the signature names the two with one letter. So no compiled program
// gets one type for another out of a native.
func TestEveryTypeParameterIsTied(t *testing.T) {
	used := map[string]bool{}
	Natives(func(name string, sig bytecode.Signature) {
		for _, p := range untied(sig) {
			key := name + " " + p.name
			assert.True(t, p.told, "%s%s: nothing tells the native what %s is", name, sig, p.name)
			assert.NotEmpty(t, told[key], "%s%s: say why it does no harm with any %s", name, sig, p.name)
			used[key] = true
		}
	})
	require.NotEmpty(t, used)
	for _, key := range slices.Sorted(maps.Keys(told)) {
		assert.True(t, used[key], "%s needs no reason", key)
	}
}

// param is a type parameter that no argument carries; told if the native is told it.
type param struct {
	name string
	told bool
}

var upper = regexp.MustCompile(`(^|[<(, ])([A-Z][A-Za-z]*)`)

// optional is what may be none, and then carries no type.
var optional = regexp.MustCompile(`opt<[^<>]*(<[^<>]*>)?>`)

// untied finds the type parameters that do not stand within the type of an object
// that is an argument.
func untied(sig bytecode.Signature) (list []param) {
	front, rest := "", string(sig)
	if strings.HasPrefix(rest, "<") {
		front, rest, _ = strings.Cut(rest, ">(")
		rest = "(" + rest
	}
	args := optional.ReplaceAllString(rest[:strings.LastIndex(rest, ") ")], "")
	for _, m := range upper.FindAllStringSubmatch(string(sig), -1) {
		name := m[2]
		within := regexp.MustCompile(`<([^()]*[ <])?` + name + `\b`).MatchString(args)
		p := param{name, regexp.MustCompile(`\b` + name + `\b`).MatchString(front)}
		if !within && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

func TestUntied(t *testing.T) {
	for sig, want := range map[bytecode.Signature][]param{
		"(actor.Reply, R) bool":                   {{"R", false}},
		"(actor.Reply<R>, R) bool":                nil,
		"(core.TaskLocal) T":                      {{"T", false}},
		"(map<K:Hashable, V>, K:Hashable) opt<V>": nil,
		"<T>(str, opt<T>) T":                      {{"T", true}},
		"(opt<list<T>>) T":                        {{"T", false}},
		"<T>(str) T":                              {{"T", true}},
		"<T, K>(list<T>, list<K>) unit":           nil,
	} {
		assert.Equal(t, want, untied(sig), sig)
	}
}
