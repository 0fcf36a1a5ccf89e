package stdlib_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Natives look at the header of what they are given: each of them is called, by a
// program that no verifier has seen, with an object of eight bytes in the place of
// one that it takes. The script ends; the process does not.
func TestNativesLookAtWhatTheyAreGiven(t *testing.T) {
	rt := runnel.MustNew(runnel.WithModules(all.Modules()...), runnel.WithLimits(runnel.Limits{Steps: 10_000, Memory: 8 << 20}))
	base, err := rt.Compile("given.rnl", "print(1)")
	require.NoError(t, err)
	tried := 0
	stdlib.Natives(func(name string, sig bytecode.Signature) {
		for wrong := 0; ; wrong++ {
			p, anyType, ok := givesWrong(t, base, name, string(sig), wrong)
			if !ok {
				return
			}
			prog, err := rt.Load(p)
			if err != nil {
				continue // it is made for certain types only, and sees that these are others
			}
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			in := prog.NewInstance()
			err = in.Run(ctx)
			in.Close()
			cancel()
			tried++
			var e *runnel.Error
			if anyType || slices.Contains(shows, name) || errors.As(err, &e) && (e.Kind == "IoError" || e.Kind == "ValueError") {
				continue // it takes it as it is, or it refuses something else before it looks
			}
			if assert.ErrorAs(t, err, &e, "%s%s with a wrong argument %d", name, sig, wrong) {
				assert.Equal(t, "InternalError", e.Kind, "%s%s with a wrong argument %d: %v", name, sig, wrong, err)
			}
		}
	})
	require.Greater(t, tried, 300)
}

// shows are natives that show whatever they get.
var shows = []string{"core.print", "core.eprint"}

// givesWrong makes a program that calls a native: the argument at a place among its
// references to objects is of another type, and so are those before it that cannot
// be made here. anyType tells that the native takes any type there.
func givesWrong(t *testing.T, base *runnel.Program, name, sig string, wrong int) (p *bytecode.Program, anyType, ok bool) {
	p, err := bytecode.Decode(base.Encode())
	require.NoError(t, err)
	b := typeBuilder{p: p, bound: map[string]uint32{}}
	empty := b.add(bytecode.Type{Kind: bytecode.TStruct, Rep: bytecode.RepP, Name: "Empty"})
	front, rest, told := strings.Cut(sig, ">(")
	if !told || !strings.HasPrefix(sig, "<") {
		front, rest = "", sig[1:]
	}
	end := strings.LastIndex(rest, ") ")
	ref := bytecode.NativeRef{Name: name, Params: b.list(rest[:end]), Result: b.typ(rest[end+2:])}
	ref.TypeArgs = b.list(strings.TrimPrefix(front, "<"))
	at := -1
	for i, id := range ref.Params {
		if k := p.Types[id].Kind; p.Types[id].Rep != bytecode.RepP || k == bytecode.TOptional {
			continue
		}
		if at++; at == wrong {
			p.Natives = append(p.Natives, ref)
			b.program(i, empty)
			param := parts(rest[:end])[i]
			return p, param[0] <= 'Z' && !strings.Contains(param, "."), true
		}
	}
	return nil, false, false
}

// typeBuilder makes types as signatures write them.
type typeBuilder struct {
	p     *bytecode.Program
	bound map[string]uint32
}

func (b *typeBuilder) add(t bytecode.Type) uint32 {
	b.p.Types = append(b.p.Types, t)
	return uint32(len(b.p.Types) - 1)
}

func (b *typeBuilder) list(text string) (ids []uint32) {
	for _, part := range parts(text) {
		ids = append(ids, b.typ(part))
	}
	return ids
}

// parts splits at commas that are in no brackets.
func parts(text string) (list []string) {
	depth, from := 0, 0
	for i, r := range text {
		switch {
		case r == '<':
			depth++
		case r == '>':
			depth--
		case r == ',' && depth == 0:
			list = append(list, text[from:i])
			from = i + 2
		}
	}
	if from < len(text) {
		list = append(list, text[from:])
	}
	return list
}

var fixedTypes = map[string]uint32{
	"int": bytecode.IDInt, "float": bytecode.IDFloat, "bool": bytecode.IDBool, "duration": bytecode.IDDuration, "unit": bytecode.IDUnit,
	"never": bytecode.IDUnit, "str": bytecode.IDStr, "bytes": bytecode.IDBytes, "buffer": bytecode.IDBuffer, "any": bytecode.IDAny,
}

var elemKinds = map[string]bytecode.TypeKind{
	"list": bytecode.TList, "task": bytecode.TTask, "chan": bytecode.TChan, "mutex": bytecode.TMutex,
}

func (b *typeBuilder) typ(text string) uint32 {
	name, inner, _ := strings.Cut(text, "<")
	args := b.list(strings.TrimSuffix(inner, ">"))
	name, _, _ = strings.Cut(name, ":")
	if id, ok := fixedTypes[name]; ok {
		return id
	}
	t := bytecode.Type{Rep: bytecode.RepP, Name: text}
	fields := func() {
		for i, id := range args {
			t.Fields = append(t.Fields, bytecode.Field{Name: fmt.Sprint(i), Type: id, Rep: b.p.Types[id].Rep})
		}
		t.Layout = bytecode.Place(t.Fields)
	}
	switch {
	case strings.Contains(name, "."):
		t.Kind, t.Decl, t.Params, t.Layout = bytecode.TNative, name, args, bytecode.Layout{Refs: 1}
	case name[0] <= 'Z':
		if _, ok := b.bound[name]; !ok {
			b.bound[name] = bytecode.IDStr
		}
		return b.bound[name]
	case name == "opt":
		t.Kind, t.Elem = bytecode.TOptional, args[0]
		if b.p.Types[args[0]].Rep != bytecode.RepP {
			t.Rep = bytecode.RepV
		}
	case name == "map":
		t.Kind, t.Key, t.Elem = bytecode.TMap, args[0], args[1]
	case name == "set":
		t.Kind, t.Key = bytecode.TSet, args[0]
	case name == "fn":
		t.Kind, t.Result, t.Params = bytecode.TFunc, args[0], args[1:]
	case name == "struct":
		t.Kind = bytecode.TStruct
		fields()
	case name == "tuple":
		t.Kind = bytecode.TTuple
		fields()
	default:
		t.Kind, t.Elem = elemKinds[name], args[0]
	}
	same := func(u bytecode.Type) bool { return u.Kind == t.Kind && u.Name == t.Name }
	if i := slices.IndexFunc(b.p.Types, same); i >= 0 {
		return uint32(i)
	}
	return b.add(t)
}

// program has the entry call the last native, with an object of type empty as
// argument at.
func (b *typeBuilder) program(at int, empty uint32) {
	p := b.p
	native := len(p.Natives) - 1
	f := &p.Funcs[p.Entry]
	frame := uint16(len(p.Natives[native].Params) + 2)
	p.Strings, p.Bytes = []string{"text"}, []string{"bytes"}
	var code []uint64
	for i, id := range p.Natives[native].Params {
		reg := uint16(16 * i)
		code = append(code, bytecode.Instr(bytecode.LDNIL, 0, reg, 0, 0), bytecode.Instr(bytecode.LDI, 0, reg+8, 0, 0))
		if i == at {
			code = append(code, bytecode.Instr(bytecode.NEW, 0, reg, uint16(empty), 0))
		} else if p.Types[id].Kind != bytecode.TOptional && p.Types[id].Rep == bytecode.RepP {
			code = append(code, b.right(reg, id, empty)...)
		}
	}
	code = append(code, bytecode.Instr(bytecode.CALLN, 0, 0, uint16(native), 0),
		bytecode.Instr(bytecode.RET, 0, 0, 0, 0), bytecode.Instr(bytecode.TRAP, 0, 0, 0, 0))
	p.Code = code
	p.Funcs = []bytecode.Func{{Name: "script", End: uint32(len(code) - 1), Frame: frame, Result: bytecode.IDUnit, File: f.File}}
	p.Entry, p.Exports, p.Selectors, p.Ifaces, p.Interps, p.Jumps, p.MessageSel = 0, nil, nil, nil, nil, nil, -1
}

// right makes an object of a type, or else one of type empty.
func (b *typeBuilder) right(reg uint16, id, empty uint32) []uint64 {
	switch b.p.Types[id].Kind {
	case bytecode.TStr:
		return []uint64{bytecode.Instr(bytecode.LDS, 0, reg, 0, 0)}
	case bytecode.TBytes:
		return []uint64{bytecode.Instr(bytecode.LDB, 0, reg, 0, 0)}
	case bytecode.TList:
		return []uint64{bytecode.Instr(bytecode.MKLIST, 0, reg, uint16(id), 0), 0}
	case bytecode.TMap, bytecode.TSet:
		return []uint64{bytecode.Instr(bytecode.NEWMAP, 0, reg, uint16(id), 0)}
	case bytecode.TChan:
		return []uint64{bytecode.Instr(bytecode.NEWSYNC, 0, reg, reg, uint16(id))}
	}
	return []uint64{bytecode.Instr(bytecode.NEW, 0, reg, uint16(empty), 0)}
}
