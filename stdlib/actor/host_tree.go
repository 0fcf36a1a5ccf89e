package actor

import (
	"context"
	"reflect"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bind"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Info is the state of an actor.
type Info struct {
	ID         int64
	Name       string // as it was started with: ""
	Type       string // of the actor: "Counter"; "" between two lives
	State      string // "Idle", "Busy", "Stopping", "Down" between two lives
	Queued     int    // messages that wait
	Supervisor int64  // its number, 0 for none
	Restarts   int
	Err        string // what it crashed with last
}

// Node is an actor with the actors it supervises, in the order in which they are started.
type Node struct {
	Info
	Children []*Node
}

// Inspection is what an actor is doing, and its value, at a moment.
type Inspection struct {
	Info
	Value    string // its value as text: "Counter(n: 7)"
	Handling string // the message that it handles: the variant of an enum, else the type
	Doing    string // "waits for messages", "sleeps at shop.rnl:12"
}

// Tree returns the live actors: those without a supervisor, by number, and
// below them the others. It can be called from any goroutine while the script
// runs.
//
//	roots, err := actor.Tree(inst)
func Tree(in Instance) ([]*Node, error) {
	d, err := deskIn(in.VM())
	if err != nil {
		return nil, err
	}
	var rows []row
	if err := d.read(in.VM(), "rows", d.rows, reflect.ValueOf(&rows)); err != nil {
		return nil, err
	}
	top := &Node{}
	path := []*Node{top}
	for _, r := range rows {
		n := &Node{Info: r.info()}
		path = append(path[:r.Depth+1], n)
		above := path[r.Depth]
		above.Children = append(above.Children, n)
	}
	return top.Children, nil
}

// TreeText returns the tree as text, one line per actor. If values is above 0,
// each line shows the actor's value, cut to that many bytes.
func TreeText(in Instance, values int) (text string, err error) {
	d, err := deskIn(in.VM())
	if err != nil {
		return "", err
	}
	err = d.read(in.VM(), "tree_text", bytecode.IDStr, reflect.ValueOf(&text), vm.IntValue(int64(values)))
	return text, err
}

// Inspect returns what the actor is doing, and its value, even while it handles
// a message: all tasks pause meanwhile. The text of the value is cut to the
// given number of bytes.
func (r *Ref) Inspect(bytes int) (i Inspection, err error) {
	in := r.object.Instance()
	var s seen
	err = r.desk.read(in, "inspect", r.desk.seen, reflect.ValueOf(&s), r.object.Value(), vm.IntValue(int64(bytes)))
	return Inspection{s.Row.info(), s.Value, s.Handling, s.Doing}, err
}

// row is a Row of the script, and seen a Seen.
type row struct {
	Depth      int
	ID         int64
	Name       string
	TypeName   string
	State      string
	Queued     int
	Supervisor int64
	Restarts   int
	Error      string
}

type seen struct {
	Row      row
	Value    string
	Handling string
	Doing    string
}

func (r row) info() Info {
	return Info{r.ID, r.Name, r.TypeName, r.State, r.Queued, r.Supervisor, r.Restarts, r.Error}
}

// read calls a function of host.rnl and reads its result, which is of type id, into what to
// points to.
func (d *desk) read(in *vm.Instance, name string, id uint32, to reflect.Value, args ...vm.Value) error {
	v, err := in.InvokeRetained(context.Background(), d.entry(name), args)
	defer in.Received(v)
	if err != nil {
		return err
	}
	k, err := bind.Of(in.Program()).Locked(to.Type().Elem(), id)
	if err != nil {
		return err
	}
	return in.WithCall(context.Background(), func(c *vm.Call) { k.Get(c, v, bind.PlaceAt(to)) })
}
