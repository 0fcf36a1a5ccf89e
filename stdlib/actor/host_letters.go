package actor

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bind"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// DeadLetter is a message that no actor handled.
type DeadLetter struct {
	To      string // name and number of the actor
	Message any    // or the name of its type, if it has no Go value
	Reason  string // Stopped, Discarded, Timeout, Dropped or Overflow
}

// DeadLetters returns a channel with the dead letters from now on. While room
// letters wait in it, further ones are dropped.
//
//	lost, err := actor.DeadLetters(inst, 100)
//	for letter, err := range lost.All(ctx) { ... }
func DeadLetters(in Instance, room int) (*bind.Chan[DeadLetter], error) {
	inst := in.VM()
	d, err := deskIn(inst)
	if err != nil {
		return nil, err
	}
	v, err := inst.Invoke(context.Background(), d.entry("listen"), []vm.Value{vm.IntValue(int64(room))})
	if err != nil {
		return nil, err
	}
	k, err := bind.Of(inst.Program()).Locked(reflect.TypeFor[*bind.Chan[DeadLetter]](), d.letters)
	if err != nil {
		return nil, err
	}
	var lost *bind.Chan[DeadLetter]
	err = inst.WithCall(context.Background(), func(c *vm.Call) { lost = bind.Read[*bind.Chan[DeadLetter]](k, c, v) })
	return lost, err
}

// Codec returns the codec of dead letters: see bind.Own.
func (DeadLetter) Codec(b *bind.Table, id uint32) (*bind.Codec, error) {
	types := b.Program().Types
	t := &types[id]
	to, message, reason := t.FieldOf("to", bytecode.TStr, types), t.FieldOf("message", bytecode.TAny, types), t.FieldOf("reason", bytecode.TEnum, types)
	d := deskOf(b)
	if d.err != nil || id != types[d.letters].Elem || to == nil || message == nil || reason == nil || !types[reason.Type].Plain() {
		return nil, fmt.Errorf("actor.DeadLetter is not a Go type for %s", t.Name)
	}
	content, err := b.Codec(reflect.TypeFor[any](), message.Type)
	if err != nil {
		return nil, err
	}
	reasons := types[reason.Type].Variants
	get := func(c *vm.Call, v vm.Value, letter *DeadLetter) {
		obj := c.NotNil(v)
		text := c.Text(vm.Field(obj, to))
		*letter = DeadLetter{To: strings.Clone(text), Reason: reasons[vm.Field(obj, reason).Int()].Name}
		m := vm.Field(obj, message)
		if c.Try(func() { letter.Message = bind.Read[any](content, c, m) }) != nil { // a task, or what is nested too deep
			letter.Message = c.Type(m.TypeID()).Name
		}
	}
	put := func(c *vm.Call, _ *DeadLetter) vm.Value {
		c.Throw(vm.ErrValue, "a dead letter is not sent by hosts")
		return vm.Value{}
	}
	return bind.NewCodec(put, get), nil
}
