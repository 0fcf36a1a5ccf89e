package bytecode

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// fill sets every field that a value reaches to something that is not zero, and
// every list to two elements.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), n)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.String:
		v.SetString("text " + string(rune('a'+*n%26)))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(int64(*n * 300))
	case reflect.Uint8:
		v.SetUint(uint64(*n%255 + 1))
	case reflect.Uint16:
		v.SetUint(uint64(*n*7%65535 + 1))
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(*n) * 1000)
	default:
		panic(v.Kind())
	}
}

// A field that the file leaves out would be zero after decoding.
func TestFilesHoldEveryField(t *testing.T) {
	var p Program
	n := 0
	fill(reflect.ValueOf(&p).Elem(), &n)
	got, err := Decode(Encode(&p))
	require.NoError(t, err)
	for i := range p.Files {
		p.Files[i].Text = "" // left out on purpose
	}
	require.Equal(t, &p, got)
}

func TestEveryTruncationAndTrailingByteIsAnError(t *testing.T) {
	var p Program
	n := 0
	fill(reflect.ValueOf(&p).Elem(), &n)
	data := Encode(&p)
	for i := range data {
		_, err := Decode(data[:i])
		require.Error(t, err, "cut at %d", i)
	}
	_, err := Decode(append(data, 0))
	require.Error(t, err)
	_, err = Decode([]byte("print(1)"))
	require.Equal(t, ErrNotProgram, err)
}

func TestFilesOfAnotherVersionAreRefused(t *testing.T) {
	data := Encode(&Program{})
	data[len(Magic)]++
	_, err := Decode(data)
	require.ErrorContains(t, err, "another version")
	data[len(Magic)]--
	data[len(Magic)+1]++
	_, err = Decode(data)
	require.ErrorContains(t, err, "another version")
}
