package bind

import (
	"context"
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
	"github.com/runnel-lang/runnel/vm/host"
)

var (
	errorType   = reflect.TypeFor[error]()
	contextType = reflect.TypeFor[context.Context]()
)

// Of returns the codecs of a program, which all its instances share.
func Of(p *vm.Program) *Table {
	return p.Extension(func() any { return NewTable(p) }).(*Table)
}

var making sync.Mutex

// Locked is Codec for any goroutine.
func (b *Table) Locked(t reflect.Type, id uint32) (*Codec, error) {
	making.Lock()
	defer making.Unlock()
	return b.Codec(t, id)
}

// signature of a Go function beside that of a Runnel function:
//
//	func([context.Context,] params...) ([results...,] [error])
type signature struct {
	takesContext bool
	fails        bool
	params       []*Codec
	types        []reflect.Type
	result       *Codec // nil: none
	resultType   reflect.Type
	fields       []bytecode.Field // of the tuple that several results are
	parts        []*Codec
	tuple        uint32
}

func (b *Table) signature(t reflect.Type, params []uint32, result uint32) (*signature, error) {
	s := &signature{}
	if t.IsVariadic() {
		return nil, fmt.Errorf("%s: a variadic function cannot be bound", t)
	}
	ins, outs := Params(t), Results(t)
	s.takesContext = len(ins) < t.NumIn()
	s.fails = len(outs) < t.NumOut()
	if len(ins) != len(params) {
		return nil, fmt.Errorf("the script's function has %d parameters, %s has %d", len(params), t, len(ins))
	}
	for i, in := range ins {
		c, err := b.Codec(in, params[i])
		if err != nil {
			return nil, fmt.Errorf("parameter %d: %w", i+1, err)
		}
		s.params, s.types = append(s.params, c), append(s.types, in)
	}
	rt := &b.types[result]
	switch {
	case len(outs) == 0 && result == bytecode.IDUnit:
	case len(outs) == 1:
		c, err := b.Codec(outs[0], result)
		if err != nil {
			return nil, fmt.Errorf("result: %w", err)
		}
		s.result, s.resultType = c, outs[0]
	case len(outs) > 1 && rt.Kind == bytecode.TTuple && len(rt.Fields) == len(outs):
		s.fields, s.tuple = rt.Fields, result
		for i, out := range outs {
			c, err := b.Codec(out, rt.Fields[i].Type)
			if err != nil {
				return nil, fmt.Errorf("result %d: %w", i+1, err)
			}
			s.parts = append(s.parts, c)
		}
	default:
		return nil, fmt.Errorf("the script's function gives %s, %s gives %d results", rt.Name, t, len(outs))
	}
	return s, nil
}

// Params returns the parameters of a Go function that the script sees: all but a leading context.
func Params(t reflect.Type) []reflect.Type {
	var ps []reflect.Type
	for i := range t.NumIn() {
		if i > 0 || t.In(0) != contextType {
			ps = append(ps, t.In(i))
		}
	}
	return ps
}

// Results returns the results of a Go function that the script sees: all but a trailing error.
func Results(t reflect.Type) []reflect.Type {
	var rs []reflect.Type
	for i := range t.NumOut() {
		if i < t.NumOut()-1 || t.Out(i) != errorType {
			rs = append(rs, t.Out(i))
		}
	}
	return rs
}

// call calls a script's function with Go values.
func (s *signature) call(in *vm.Instance, call Call, args []reflect.Value) (out reflect.Value, err error) {
	ctx := context.Background()
	if s.takesContext {
		ctx, _ = args[0].Interface().(context.Context) // or nil
		args = args[1:]
	}
	if s.result != nil {
		out = reflect.Zero(s.resultType)
	}
	values := make([]vm.Value, len(args))
	if err := in.WithCall(ctx, func(c *vm.Call) {
		for i, arg := range args {
			p := reflect.New(s.types[i])
			p.Elem().Set(arg)
			values[i] = s.params[i].put(c, p.UnsafePointer())
		}
	}); err != nil {
		return out, err
	}
	v, err := call(ctx, values...)
	defer in.Received(v)
	if err != nil || s.result == nil {
		return out, err
	}
	p := reflect.New(s.resultType)
	if err := in.WithCall(ctx, func(c *vm.Call) { s.result.get(c, v, p.UnsafePointer()) }); err != nil {
		return out, err
	}
	return p.Elem(), nil
}

// Func makes Go functions of any type (see Params and Results) that call a
// function of a program.
func (b *Table) Func(t reflect.Type, f *bytecode.Func) (func(*vm.Instance, Call) reflect.Value, error) {
	making.Lock()
	defer making.Unlock()
	return b.caller(t, f.Params, f.Result)
}

// native makes a native of a Go function.
func (s *signature) native(fn reflect.Value) vm.Native {
	return func(c *vm.Call) {
		args := s.args(c)
		if s.takesContext {
			args[0] = reflect.ValueOf(c.Context())
		}
		c.EnterHost()
		out := fn.Call(args)
		c.ExitHost()
		s.give(c, out)
	}
}

// blocking is native for a function that runs on the IO pool.
func (s *signature) blocking(name string, fn reflect.Value) vm.Native {
	return func(c *vm.Call) {
		args, in := s.args(c), c.Instance()
		c.Await(vm.Blocking{Name: name, Foreign: true, Charge: c.TakeCharged(), Work: func(ctx context.Context) (any, error) {
			if s.takesContext {
				args[0] = reflect.ValueOf(in.Within(ctx))
			}
			return called(fn, args)
		}, Finish: func(c *vm.Call, value any, err error) {
			if err != nil {
				c.ThrowHost(err)
			}
			s.give(c, value.([]reflect.Value))
		}})
	}
}

// called makes a panic the error that it is in natives that do not block.
func called(fn reflect.Value, args []reflect.Value) (out []reflect.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &host.Panic{Value: r, Stack: debug.Stack()}
		}
	}()
	return fn.Call(args), nil
}

// args reads the arguments; the place of a context is left free.
func (s *signature) args(c *vm.Call) []reflect.Value {
	args := make([]reflect.Value, 0, len(s.params)+1)
	if s.takesContext {
		args = append(args, reflect.Value{})
	}
	for i, codec := range s.params {
		p := reflect.New(s.types[i])
		codec.get(c, c.Value(i), p.UnsafePointer())
		args = append(args, p.Elem())
	}
	return args
}

// give sets the results of a Go function or throws its error.
func (s *signature) give(c *vm.Call, out []reflect.Value) {
	if s.fails {
		last := len(out) - 1
		if err, _ := out[last].Interface().(error); err != nil {
			c.ThrowHost(err)
		}
		out = out[:last]
	}
	switch {
	case s.result != nil:
		c.SetValue(s.result.put(c, address(out[0])))
	case s.parts != nil:
		obj := c.NewStruct(s.tuple)
		c.Pin(obj.Object())
		for i, part := range s.parts {
			obj.Set(i, part.put(c, address(out[i])))
		}
		c.SetValue(obj.Value())
	}
}

func address(v reflect.Value) unsafe.Pointer {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.UnsafePointer()
}

// ---- typed, without reflection ----

// Arg makes an argument for a call by a host. c is nil if Plain and Small allow it; the value is then plain.
func Arg[T any](k *Codec, c *vm.Call, x T) vm.Value {
	switch k.kind {
	case kindInt:
		return vm.IntValue(*(*int64)(unsafe.Pointer(&x)))
	case kindFloat:
		return vm.FloatValue(*(*float64)(unsafe.Pointer(&x)))
	case kindBool:
		return vm.BoolValue(*(*bool)(unsafe.Pointer(&x)))
	case kindStr:
		if c != nil {
			break
		}
		s := *(*string)(unsafe.Pointer(&x))
		if !utf8.ValidString(s) {
			s = strings.ToValidUTF8(s, "\uFFFD")
		}
		return vm.StrValue(s)
	}
	return argSlow(k, c, x)
}

//go:noinline
func argSlow[T any](k *Codec, c *vm.Call, x T) vm.Value { return k.put(c, unsafe.Pointer(&x)) }

// Read converts a value to a Go value. c is nil if the value is plain.
func Read[T any](k *Codec, c *vm.Call, v vm.Value) (x T) {
	switch k.kind {
	case kindInt:
		*(*int64)(unsafe.Pointer(&x)) = v.Int()
		return x
	case kindFloat:
		*(*float64)(unsafe.Pointer(&x)) = v.Float()
		return x
	case kindBool:
		*(*bool)(unsafe.Pointer(&x)) = v.Bool()
		return x
	case kindStr:
		if v.TypeID() == bytecode.IDStr { // a race may leave nil
			*(*string)(unsafe.Pointer(&x)), _ = v.Text()
		}
		return x
	}
	return readSlow[T](k, c, v)
}

//go:noinline
func readSlow[T any](k *Codec, c *vm.Call, v vm.Value) (x T) {
	k.get(c, v, unsafe.Pointer(&x))
	return x
}

// Give is Arg for the result of a native, which is charged to the instance.
func Give[T any](k *Codec, c *vm.Call, x T) {
	switch k.kind {
	case kindInt:
		c.SetInt(*(*int64)(unsafe.Pointer(&x)))
	case kindFloat:
		c.SetFloat(*(*float64)(unsafe.Pointer(&x)))
	case kindBool:
		c.SetBool(*(*bool)(unsafe.Pointer(&x)))
	default:
		c.SetValue(argSlow(k, c, x))
	}
}

// Small reports whether a value may be moved without being charged in advance:
// all Plain ones except long texts.
func Small[T any](k *Codec, x T) bool {
	return k.kind != kindStr || len(*(*string)(unsafe.Pointer(&x))) <= vm.SmallText
}

// Text reports whether values are texts, which may be long.
func (k *Codec) Text() bool { return k.kind == kindStr }

// Plain reports whether values are moved without a vm.Call.
func (k *Codec) Plain() bool { return k.kind != kindOther }
