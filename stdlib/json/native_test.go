package json

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Types of the test programs, after the fixed ones.
const (
	idObject = bytecode.NumFixedTypes + iota
	idArray
	idStrings
	idPosition
	idItem
	idItems
	idOptInt
	idError
	idOptional // of what is decoded
	idWanted
	idMade
	numTypes
)

type field struct {
	name string
	id   uint32
	rep  bytecode.Rep
}

func structType(name string, fields ...field) bytecode.Type {
	t := bytecode.Type{Kind: bytecode.TStruct, Rep: bytecode.RepP, Name: name}
	for _, f := range fields {
		t.Fields = append(t.Fields, bytecode.Field{Name: f.name, Type: f.id, Rep: f.rep})
	}
	t.Layout = bytecode.Place(t.Fields)
	return t
}

// program returns an instance whose function 0 decodes a text as a type and
// whose function 1 encodes the result of that again.
func program(t testing.TB, id uint32, limits vm.Limits) *vm.Instance {
	t.Helper()
	types := append(bytecode.FixedTypes(), make([]bytecode.Type, numTypes-bytecode.NumFixedTypes)...)
	types[idObject] = bytecode.Type{Kind: bytecode.TMap, Rep: bytecode.RepP, Name: "map<str, any>", Key: bytecode.IDStr, Elem: bytecode.IDAny}
	types[idArray] = bytecode.Type{Kind: bytecode.TList, Rep: bytecode.RepP, Name: "[any]", Elem: bytecode.IDAny}
	types[idStrings] = bytecode.Type{Kind: bytecode.TList, Rep: bytecode.RepP, Name: "[str]", Elem: bytecode.IDStr}
	types[idOptInt] = bytecode.Type{Kind: bytecode.TOptional, Rep: bytecode.RepV, Name: "int?", Elem: bytecode.IDInt}
	types[idPosition] = structType("Position", field{"x", bytecode.IDInt, bytecode.RepI}, field{"name", bytecode.IDStr, bytecode.RepP})
	types[idItem] = structType("Item",
		field{"id", bytecode.IDInt, bytecode.RepI}, field{"name", bytecode.IDStr, bytecode.RepP},
		field{"price", bytecode.IDFloat, bytecode.RepI}, field{"active", bytecode.IDBool, bytecode.RepI},
		field{"tags", idStrings, bytecode.RepP}, field{"pos", idPosition, bytecode.RepP}, field{"n", idOptInt, bytecode.RepV})
	types[idItems] = bytecode.Type{Kind: bytecode.TList, Rep: bytecode.RepP, Name: "[Item]", Elem: idItem}
	types[idError] = structType("ValueError", field{"text", bytecode.IDStr, bytecode.RepP})
	types[idOptional] = bytecode.Type{Kind: bytecode.TOptional, Rep: types[id].Rep, Name: "T?", Elem: id}
	if types[id].Rep == bytecode.RepI {
		types[idOptional].Rep = bytecode.RepV
	}
	types[idWanted] = bytecode.Type{Kind: bytecode.TOptional, Rep: bytecode.RepP, Name: "[str]?", Elem: idStrings}
	types[idMade] = bytecode.Type{Kind: bytecode.TOptional, Rep: bytecode.RepP, Name: "[any]?", Elem: idArray}
	ret := bytecode.Instr(bytecode.RET, 0, 0, 0, 0)
	p, err := vm.Link(&bytecode.Program{
		Types: types,
		Natives: []bytecode.NativeRef{
			{Name: "json.decode_as", TypeArgs: []uint32{id, idObject, idArray}, Params: []uint32{bytecode.IDStr, idOptional, bytecode.IDBytes, idWanted, idMade}, Result: idOptional},
			{Name: "json.encode", TypeArgs: []uint32{id}, Params: []uint32{id, bytecode.IDInt}, Result: bytecode.IDStr},
		},
		Code: []uint64{
			bytecode.WithK(bytecode.Instr(bytecode.LDB, 0, 2*16, 0, 0), 0), // no fields have defaults
			bytecode.Instr(bytecode.CALLN, 0, 0, 0, 0), ret,
			bytecode.Instr(bytecode.CALLN, 0, 0, 1, 0), ret,
		},
		Funcs: []bytecode.Func{
			{Name: "decode", Start: 0, End: 3, Frame: 8, Params: []uint32{bytecode.IDStr}, Result: idOptional},
			{Name: "encode", Start: 3, End: 5, Frame: 4, Params: []uint32{id, bytecode.IDInt}, Result: bytecode.IDStr},
		},
		Bytes:      []string{""},
		MessageSel: -1,
		Files:      []bytecode.SourceFile{{Name: "test"}},
		ErrTypes:   slices.Repeat([]uint32{idError}, len(bytecode.ErrNames)),
	}, vm.Modules{"json": Module})
	require.NoError(t, err)
	return vm.NewInstance(p, vm.Config{Limits: limits})
}

func decodeText(in *vm.Instance, text string) (vm.Value, error) {
	return in.Call(0, vm.StrValue(text))
}

func encodeValue(in *vm.Instance, v vm.Value, indent int64) (string, error) {
	out, err := in.Call(1, v, vm.IntValue(indent))
	if err != nil {
		return "", err
	}
	text, _ := out.Text()
	return text, nil
}

func TestAnyReadsBackWhatItWrote(t *testing.T) {
	in := program(t, bytecode.IDAny, vm.Limits{})
	for _, text := range accepted {
		v, err := decodeText(in, text)
		if strings.Contains(text, "1E400") {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err, text)
		out, err := encodeValue(in, v, 0)
		require.NoError(t, err)
		require.JSONEq(t, text, out)
	}
	for _, text := range refused {
		_, err := decodeText(in, text)
		require.Error(t, err, text)
	}
}

func TestIndentedTextMeansTheSame(t *testing.T) {
	in := program(t, bytecode.IDAny, vm.Limits{})
	v, err := decodeText(in, `{"a":[1,{"b":[]},"x"],"c":{}}`)
	require.NoError(t, err)
	out, err := encodeValue(in, v, 2)
	require.NoError(t, err)
	require.Equal(t, "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    },\n    \"x\"\n  ],\n  \"c\": {}\n}", out)
}

const itemText = `[{"id":1,"name":"n","price":2.25,"active":true,"tags":["a","b \"q\""],"pos":{"x":3,"name":"p"},"n":null}]`

func TestStructsReadBackWhatTheyWrote(t *testing.T) {
	in := program(t, idItems, vm.Limits{})
	v, err := decodeText(in, itemText)
	require.NoError(t, err)
	out, err := encodeValue(in, v, 0)
	require.NoError(t, err)
	require.Equal(t, itemText, out)
}

// Whatever a text is cut to or changed to, it is decoded or refused, never more.
func TestDamagedTextsAreRefused(t *testing.T) {
	in := program(t, idItems, vm.Limits{})
	r := rand.New(rand.NewPCG(1, 2))
	for i := range itemText {
		_, err := decodeText(in, itemText[:i])
		require.Error(t, err, itemText[:i])
	}
	for range 5000 {
		b := []byte(itemText)
		b[r.IntN(len(b))] = `[]{}",:019ntx\ `[r.IntN(15)]
		v, err := decodeText(in, string(b))
		if err == nil {
			_, err = encodeValue(in, v, 0)
			require.NoError(t, err)
		}
	}
}

// The budget ends decoding and encoding wherever it runs out.
func TestDecodingIsPaidFor(t *testing.T) {
	text := "[" + strings.Repeat(itemText[1:len(itemText)-1]+",", 200) + itemText[1:]
	for memory := int64(1 << 10); memory < 1<<20; memory *= 2 {
		in := program(t, idItems, vm.Limits{Memory: memory})
		v, err := decodeText(in, text)
		if err == nil {
			_, err = encodeValue(in, v, 0)
		}
		if memory <= 16<<10 {
			require.Error(t, err, memory)
		}
	}
	in := program(t, idItems, vm.Limits{Steps: 100})
	_, err := decodeText(in, text)
	require.Error(t, err)
}

func FuzzDecode(f *testing.F) {
	for _, text := range accepted {
		f.Add(text)
	}
	f.Add(itemText)
	wholly := program(f, bytecode.IDAny, vm.Limits{})
	typed := program(f, idItems, vm.Limits{})
	f.Fuzz(func(t *testing.T, text string) {
		if v, err := decodeText(wholly, text); err == nil {
			once, err := encodeValue(wholly, v, 0)
			require.NoError(t, err)
			v, err = decodeText(wholly, once)
			require.NoError(t, err)
			twice, err := encodeValue(wholly, v, 0)
			require.NoError(t, err)
			require.Equal(t, once, twice)
		}
		if v, err := decodeText(typed, text); err == nil {
			_, err := encodeValue(typed, v, 3)
			require.NoError(t, err)
		}
	})
}

func benchText() string {
	return "[" + strings.Repeat(itemText[1:len(itemText)-1]+",", 999) + itemText[1:]
}

func BenchmarkDecode(b *testing.B) {
	text := benchText()
	in := program(b, idItems, vm.Limits{})
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		decodeText(in, text)
	}
}

func BenchmarkDecodeAny(b *testing.B) {
	text := benchText()
	in := program(b, bytecode.IDAny, vm.Limits{})
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		decodeText(in, text)
	}
}

func BenchmarkEncode(b *testing.B) {
	text := benchText()
	in := program(b, idItems, vm.Limits{})
	v, err := decodeText(in, text)
	require.NoError(b, err)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		encodeValue(in, v, 0)
	}
}

// The same in Go, to compare with.
type goItem struct {
	ID     int      `json:"id"`
	Name   string   `json:"name"`
	Price  float64  `json:"price"`
	Active bool     `json:"active"`
	Tags   []string `json:"tags"`
	Pos    struct {
		X    int
		Name string
	} `json:"pos"`
	N *int `json:"n"`
}

func BenchmarkGoDecode(b *testing.B) {
	text := []byte(benchText())
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var items []goItem
		json.Unmarshal(text, &items)
	}
}

func BenchmarkGoEncode(b *testing.B) {
	text := []byte(benchText())
	var items []goItem
	require.NoError(b, json.Unmarshal(text, &items))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		json.Marshal(items)
	}
}
