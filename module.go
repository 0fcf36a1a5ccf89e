package runnel

import (
	_ "embed"
	"reflect"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bind"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// What a host offers its scripts: modules made of Go functions, types and
// constants. Their Runnel signatures follow from the Go types, so a script that
// misuses them does not compile. A mistake in making a module is told by New.

// NewModule makes an empty module. doc is its documentation.
func NewModule(name, doc string) *Module {
	m := vm.NewModule(name, "")
	if doc != "" {
		m.Source = "/// " + doc + "\n\n"
	}
	return m
}

// About adds details to a function, type or constant that is offered.
type About func(*bind.Decl)

// Doc documents the item.
func Doc(text string) About { return func(d *bind.Decl) { d.Doc = text } }

// Params names the parameters of a function; without it they are a, b, c and so on.
func Params(names ...string) About { return func(d *bind.Decl) { d.Params = names } }

// Name names a type; without it the type has its Go name.
func Name(name string) About { return func(d *bind.Decl) { d.Name = name } }

// Methods selects the methods of a type to offer, by their Go names. Without it
// all exported methods are offered.
func Methods(names ...string) About {
	return func(d *bind.Decl) { d.Methods = append([]string{}, names...) }
}

// BlockingMethods selects methods, by their Go names, to run as with Blocking.
func BlockingMethods(names ...string) About { return func(d *bind.Decl) { d.Blocking = names } }

// Method documents a method, given by its Go name, and names its parameters.
func Method(name, doc string, params ...string) About {
	return func(d *bind.Decl) {
		if d.About == nil {
			d.About = map[string]bind.Decl{}
		}
		d.About[name] = bind.Decl{Doc: doc, Params: params}
	}
}

func decl(name string, about []About) bind.Decl {
	d := bind.Decl{Name: name}
	for _, a := range about {
		a(&d)
	}
	if d.Doc == "" {
		d.Doc = "Offered by the host."
	}
	return d
}

// Func offers a Go function. Its first parameter may be a context.Context, the
// context of the host's call that runs the script; its last result may be an
// error, which the script sees as a HostError. Its other parameters and results
// have types that package vm/bind supports; several results make a tuple. A
// panic becomes a HostError, too.
//
// It runs on the goroutine that runs the script, and no other task runs there
// meanwhile; use Blocking for a function that may wait. Cancelling the script's
// task, or a timeout of it, does not interrupt the function: the context ends
// with the host's call.
func Func(m *Module, name string, fn any, about ...About) {
	d := decl(name, about)
	if fast := bind.Fast(fn); fast != nil && !reflect.ValueOf(fn).IsNil() {
		bind.Declare(m, d, reflect.TypeOf(fn))
		m.Native(name, fast)
		return
	}
	bind.Func(m, d, fn, false)
}

// Blocking offers a Go function that may wait: it runs on a goroutine of the IO
// pool, and only the calling task waits for it. Its context is cancelled when
// that task is.
//
// At most Limits.Blocking such calls run at a time in an instance (1,024 by
// default), and at most 3,072 in all instances, because each may hold a thread.
// Further calls queue in the order in which they were made; Usage says how many
// are waiting.
func Blocking(m *Module, name string, fn any, about ...About) {
	bind.Func(m, decl(name, about), fn, true)
}

// Func1 is Func for functions of one parameter, without reflection in calls.
func Func1[A, R any](m *Module, name string, fn func(A) (R, error), about ...About) {
	bind.Declare(m, decl(name, about), reflect.TypeFor[func(A) (R, error)]())
	m.Link(name, false, func(p *vm.Program, ref *bytecode.NativeRef) (vm.Native, error) {
		codecs, result, err := typed[R](p, ref, reflect.TypeFor[A]())
		if err != nil {
			return nil, err
		}
		pa := codecs[0]
		return func(c *vm.Call) {
			a := bind.Read[A](pa, c, c.Value(0))
			c.EnterHost()
			r, err := fn(a)
			c.ExitHost()
			give(c, result, r, err)
		}, nil
	})
}

// Func2 is Func for functions of two parameters, without reflection in calls.
func Func2[A, B, R any](m *Module, name string, fn func(A, B) (R, error), about ...About) {
	bind.Declare(m, decl(name, about), reflect.TypeFor[func(A, B) (R, error)]())
	m.Link(name, false, func(p *vm.Program, ref *bytecode.NativeRef) (vm.Native, error) {
		codecs, result, err := typed[R](p, ref, reflect.TypeFor[A](), reflect.TypeFor[B]())
		if err != nil {
			return nil, err
		}
		pa, pb := codecs[0], codecs[1]
		return func(c *vm.Call) {
			a, b := bind.Read[A](pa, c, c.Value(0)), bind.Read[B](pb, c, c.Value(1))
			c.EnterHost()
			r, err := fn(a, b)
			c.ExitHost()
			give(c, result, r, err)
		}, nil
	})
}

// Func3 is Func for functions of three parameters, without reflection in calls.
func Func3[A, B, C, R any](m *Module, name string, fn func(A, B, C) (R, error), about ...About) {
	bind.Declare(m, decl(name, about), reflect.TypeFor[func(A, B, C) (R, error)]())
	m.Link(name, false, func(p *vm.Program, ref *bytecode.NativeRef) (vm.Native, error) {
		codecs, result, err := typed[R](p, ref, reflect.TypeFor[A](), reflect.TypeFor[B](), reflect.TypeFor[C]())
		if err != nil {
			return nil, err
		}
		pa, pb, pc := codecs[0], codecs[1], codecs[2]
		return func(c *vm.Call) {
			a, b, d := bind.Read[A](pa, c, c.Value(0)), bind.Read[B](pb, c, c.Value(1)), bind.Read[C](pc, c, c.Value(2))
			c.EnterHost()
			r, err := fn(a, b, d)
			c.ExitHost()
			give(c, result, r, err)
		}, nil
	})
}

func typed[R any](p *vm.Program, ref *bytecode.NativeRef, params ...reflect.Type) (codecs []*bind.Codec, result *bind.Codec, err error) {
	table := bind.Of(p)
	for i, t := range params {
		c, err := table.Locked(t, ref.Params[i])
		if err != nil {
			return nil, nil, err
		}
		codecs = append(codecs, c)
	}
	result, err = table.Locked(reflect.TypeFor[R](), ref.Result)
	return codecs, result, err
}

func give[R any](c *vm.Call, result *bind.Codec, r R, err error) {
	if err != nil {
		c.ThrowHost(err)
	}
	bind.Give(result, c, r)
}

// Type offers a Go type. A struct becomes a Runnel struct with its exported
// fields (the tag `runnel:"name"` names a field, `doc:"text"` documents it, and
// `default:"expression"` gives it a default); its values are copied when they
// pass between Go and the script. Any other type, such as a pointer to a
// struct, becomes an opaque handle: the script can keep it, pass it back, and
// call its methods, whose names are Go's in snake case.
func Type[T any](m *Module, about ...About) {
	bind.Type(m, decl("", about), reflect.TypeFor[T]())
}

// Const offers a constant: a bool, number, text or time.Duration.
func Const(m *Module, name string, value any, about ...About) {
	bind.Const(m, decl(name, about), value)
}

//go:embed host.rnl
var hostSource string

// hostModule is offered to every script: its way to Instance.Send and Outputs.
var hostModule = func() *Module {
	m := vm.NewModule("host", hostSource)
	m.Native("inputs", func(c *vm.Call) { c.SetObject(c.Instance().Port(vm.Inputs, c.Ref().Result).Object()) })
	m.Native("outputs", func(c *vm.Call) { c.SetObject(c.Instance().Port(vm.Outputs, c.Ref().Result).Object()) })
	m.Signatures = map[string]bytecode.Signature{"inputs": "() chan<any>", "outputs": "() chan<any>"}
	return m
}()
