package http

import (
	"github.com/runnel-lang/runnel/vm"
)

// pair is a header, a parameter, a field of a form.
type pair struct{ name, value string }

// setPairs sets the result, a [(str, str)].
func setPairs(c *vm.Call, pairs []pair) {
	c.SetObject(newPairs(c, c.Ref().Result, pairs).Object())
}

// newPairs makes a [(str, str)], which is pinned.
func newPairs(c *vm.Call, id uint32, pairs []pair) *vm.List {
	c.Steps(1 + len(pairs))
	list := c.NewList(id, len(pairs))
	c.Pin(list.Object())
	for _, p := range pairs {
		tuple := newTexts(c, c.Type(id).Elem, p.name, p.value)
		list.Push(tuple.Value())
	}
	return list.List()
}

// newTexts makes a tuple that begins with texts.
func newTexts(c *vm.Call, id uint32, texts ...string) vm.StructWriter {
	tuple := c.NewStruct(id)
	c.Pin(tuple.Object())
	for i, text := range texts {
		tuple.Set(i, c.NewStr(text).Value())
	}
	c.Unpin()
	return tuple
}

// pairsArg reads a [(str, str)].
func pairsArg(c *vm.Call, i int) []pair {
	view := c.ReadList(c.List(i))
	c.Steps(1 + view.Len())
	fields := c.Type(c.Type(c.Ref().Params[i]).Elem).Fields
	pairs := make([]pair, view.Len())
	for k := range pairs {
		tuple := c.NotNil(view.At(k))
		pairs[k] = pair{textOf(c, vm.Field(tuple, &fields[0])), textOf(c, vm.Field(tuple, &fields[1]))}
	}
	return pairs
}

// textsArg reads a [str].
func textsArg(c *vm.Call, i int) []string {
	view := c.ReadList(c.List(i))
	c.Steps(1 + view.Len())
	texts := make([]string, view.Len())
	for k := range texts {
		texts[k] = textOf(c, view.At(k))
	}
	return texts
}

func textOf(c *vm.Call, v vm.Value) string { return c.Text(v) }

// intsArg reads a tuple of ints or durations.
func intsArg(c *vm.Call, i int) []int64 {
	tuple := c.Object(i)
	fields := c.Type(c.Ref().Params[i]).Fields
	ints := make([]int64, len(fields))
	for k := range fields {
		ints[k] = vm.Field(tuple, &fields[k]).Int()
	}
	return ints
}

// setOptional sets a result of type str?.
func setOptional(c *vm.Call, text string, ok bool) {
	if ok {
		c.SetStr(text)
	} else {
		c.SetNone()
	}
}
