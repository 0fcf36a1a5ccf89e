package bind

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/runnel-lang/runnel/lang/names"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// Decl is what a module's declaration says in addition to types.
type Decl struct {
	Name   string
	Doc    string
	Params []string // names; without them a, b, c and so on
	// Methods are the methods of the Go type to offer; by default all exported
	// ones. Blocking are those of them that may wait.
	Methods, Blocking []string
	About             map[string]Decl // of methods
}

// declared is what a module made of Go things has declared so far.
type declared struct {
	names map[reflect.Type]string // of types
	sigs  map[reflect.Type]string // the same in the notation of bytecode.Signature
	// first are the declarations of types, later those of functions; they are
	// written when all types have a name.
	first, later []func()
	deep         int // of the type being written
}

// maxDeep bounds how deep a Go type is nested: a deeper one contains itself.
const maxDeep = 100

func of(m *vm.Module) *declared {
	if m.Extension == nil {
		ds := &declared{names: map[reflect.Type]string{}, sigs: map[reflect.Type]string{}}
		m.Extension = ds
		m.Finish = func() {
			for _, write := range append(ds.first, ds.later...) {
				write()
			}
		}
		m.Signatures = map[string]bytecode.Signature{}
	}
	return m.Extension.(*declared)
}

// fail has the use of the module fail.
func fail(m *vm.Module, err error) {
	m.Err = errors.Join(m.Err, fmt.Errorf("module %s: %w", m.Name, err))
}

func write(m *vm.Module, doc, text string) {
	m.Source += comment("", doc) + text + "\n"
}

// comment writes a documentation.
func comment(indent, doc string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(doc, "\n")) {
		b.WriteString(strings.TrimRight(indent+"/// "+line, " \n") + "\n")
	}
	return b.String()
}

// Func declares a native function that calls fn, on the IO pool if it blocks.
func Func(m *vm.Module, d Decl, fn any, blocking bool) {
	v := reflect.ValueOf(fn)
	if v.Kind() != reflect.Func || v.IsNil() {
		fail(m, fmt.Errorf("%s: %T is no function", d.Name, fn))
		return
	}
	Declare(m, d, v.Type())
	link(m, d.Name, v, blocking)
}

// Declare writes the declaration of a native function of a Go type.
func Declare(m *vm.Module, d Decl, t reflect.Type) {
	ds := of(m)
	ds.later = append(ds.later, func() {
		head, sig, err := ds.head(m, d.Name, d.Params, Params(t), Results(t), t.IsVariadic())
		if err != nil {
			fail(m, fmt.Errorf("%s: %w", d.Name, err))
			return
		}
		m.Signatures[d.Name] = bytecode.Signature("(" + strings.Join(sig[1:], ", ") + ") " + sig[0])
		write(m, d.Doc, "pub native fn "+head)
	})
}

func link(m *vm.Module, name string, fn reflect.Value, blocking bool) {
	m.Link(name, blocking, func(p *vm.Program, ref *bytecode.NativeRef) (vm.Native, error) {
		b := Of(p)
		making.Lock()
		defer making.Unlock()
		s, err := b.signature(fn.Type(), ref.Params, ref.Result)
		switch {
		case err != nil:
			return nil, fmt.Errorf("native function %s: %w", ref.Name, err)
		case blocking:
			return s.blocking(ref.Name, fn), nil
		}
		return s.native(fn), nil
	})
}

// head writes name(params) -> result. sig has the result and the parameters in
// the notation of signatures.
func (ds *declared) head(m *vm.Module, name string, names []string, params, results []reflect.Type, variadic bool) (head string, sig []string, err error) {
	if variadic {
		return "", nil, errors.New("a variadic function cannot be bound")
	}
	if len(names) > 0 && len(names) != len(params) {
		return "", nil, fmt.Errorf("%d names for %d parameters", len(names), len(params))
	}
	var b strings.Builder
	b.WriteString(name + "(")
	sig = []string{"unit"}
	for i, p := range params {
		typ, s, err := ds.expr(m, p)
		if err != nil {
			return "", nil, err
		}
		param := string(rune('a' + i%26))
		if len(names) > 0 {
			param = names[i]
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(param + ": " + typ)
		sig = append(sig, s)
	}
	b.WriteByte(')')
	var types, sigs []string
	for _, r := range results {
		if r.Kind() == reflect.Func {
			return "", nil, errGoFunc
		}
		typ, s, err := ds.expr(m, r)
		if err != nil {
			return "", nil, err
		}
		types, sigs = append(types, typ), append(sigs, s)
	}
	switch len(types) {
	case 0:
	case 1:
		b.WriteString(" -> " + types[0])
		sig[0] = sigs[0]
	default:
		b.WriteString(" -> (" + strings.Join(types, ", ") + ")")
		sig[0] = "tuple<" + strings.Join(sigs, ", ") + ">"
	}
	return b.String(), sig, nil
}

// expr writes a Go type as a Runnel type, and in the notation of signatures.
// Structs that the module has not declared yet are declared by the way.
func (ds *declared) expr(m *vm.Module, t reflect.Type) (typ, sig string, err error) {
	if name, ok := ds.names[t]; ok {
		return name, ds.sigs[t], nil
	}
	if ds.deep++; ds.deep > maxDeep {
		return "", "", fmt.Errorf("%s contains itself: give it a struct", t)
	}
	defer func() { ds.deep-- }()
	if l, ok := reflect.Zero(t).Interface().(chanLink); ok {
		return ds.wrapped(m, l.elemType(), "chan<%s>", "chan<%s>")
	}
	switch {
	case t == durationType:
		return "duration", "duration", nil
	case t == bytesType:
		return "bytes", "bytes", nil
	case t == anyType:
		return "any", "any", nil
	case t == variantType:
		return "", "", fmt.Errorf("%s cannot be bound in a signature: only a script declares enums", t)
	case t == timeType:
		return "", "", fmt.Errorf("%s cannot be bound in a signature: give a %s since 1970", t, reflect.TypeFor[time.Duration]())
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "int", "int", nil
	case reflect.Float32, reflect.Float64:
		return "float", "float", nil
	case reflect.Bool:
		return "bool", "bool", nil
	case reflect.String:
		return "str", "str", nil
	case reflect.Pointer:
		return ds.wrapped(m, t.Elem(), "%s?", "opt<%s>")
	case reflect.Slice:
		return ds.wrapped(m, t.Elem(), "[%s]", "list<%s>")
	case reflect.Map:
		if t.Elem().Size() == 0 {
			return ds.wrapped(m, t.Key(), "set<%s>", "set<%s>")
		}
		key, ksig, err := ds.expr(m, t.Key())
		if err != nil {
			return "", "", err
		}
		return ds.wrapped(m, t.Elem(), "map<"+key+", %s>", "map<"+ksig+", %s>")
	case reflect.Struct:
		return ds.structure(m, t)
	case reflect.Func:
		return ds.fn(m, t)
	}
	return "", "", fmt.Errorf("%s cannot be bound", t)
}

func (ds *declared) wrapped(m *vm.Module, elem reflect.Type, typ, sig string) (string, string, error) {
	t, s, err := ds.expr(m, elem)
	return fmt.Sprintf(typ, t), fmt.Sprintf(sig, s), err
}

func (ds *declared) fn(m *vm.Module, t reflect.Type) (typ, sig string, err error) {
	if n := t.NumOut(); n == 0 || t.Out(n-1) != errorType {
		return "", "", fmt.Errorf("%s must have an error as its last result: a script may fail", t)
	}
	head, sigs, err := ds.head(m, "fn", nil, Params(t), Results(t), t.IsVariadic())
	if err != nil {
		return "", "", err
	}
	open, close := strings.IndexByte(head, '('), strings.LastIndexByte(head, ')')
	if i := strings.Index(head, ") -> "); i >= 0 {
		close = i
	}
	var types []string
	for _, p := range Params(t) {
		typ, _, err := ds.expr(m, p)
		if err != nil {
			return "", "", err
		}
		types = append(types, typ)
	}
	return head[:open+1] + strings.Join(types, ", ") + head[close:], "fn<" + strings.Join(sigs, ", ") + ">", nil
}

func (ds *declared) structure(m *vm.Module, t reflect.Type) (typ, sig string, err error) {
	if err := Struct(m, Decl{Name: t.Name()}, t); err != nil {
		return "", "", err
	}
	return ds.names[t], ds.sigs[t], nil
}

// Struct declares a Go struct, whose values are copied when they pass between Go and the script.
func Struct(m *vm.Module, d Decl, t reflect.Type) error {
	ds := of(m)
	if _, done := ds.names[t]; done {
		return nil
	}
	if d.Name == "" || strings.ContainsAny(d.Name, "[]") {
		return fmt.Errorf("%s needs a name: declare it with Type", t)
	}
	ds.names[t], ds.sigs[t] = d.Name, "any" // for those that contain themselves
	var b strings.Builder
	b.WriteString("pub struct " + d.Name + " {\n")
	var sigs []string
	for _, f := range reflect.VisibleFields(t) {
		name := FieldName(f)
		if name == "" || len(f.Index) > 1 {
			continue
		}
		typ, sig, err := ds.expr(m, f.Type)
		if err != nil {
			delete(ds.names, t)
			return fmt.Errorf("field %s of %s: %w", f.Name, t, err)
		}
		if doc := f.Tag.Get("doc"); doc != "" {
			b.WriteString(comment("  ", doc))
		}
		b.WriteString("  " + name + ": " + typ)
		if def := f.Tag.Get("default"); def != "" {
			b.WriteString(" = " + def)
		}
		b.WriteString("\n")
		sigs = append(sigs, sig)
	}
	if len(sigs) == 0 && t.NumField() > 0 {
		delete(ds.names, t)
		return fmt.Errorf("%s has no fields that a script could see: declare its pointer with Type, as a handle", t)
	}
	b.WriteString("}")
	ds.sigs[t] = "struct<" + strings.Join(sigs, ", ") + ">"
	if d.Doc == "" {
		d.Doc = "Go's " + t.String() + "."
	}
	write(m, d.Doc, b.String())
	return nil
}

// Type declares a Go type under a name: a struct as a struct, whose values are
// copied; any other type as a native struct, opaque to scripts, with the
// methods of the Go type.
func Type(m *vm.Module, d Decl, t reflect.Type) {
	if d.Name == "" {
		d.Name = t.Name()
		if t.Kind() == reflect.Pointer {
			d.Name = t.Elem().Name()
		}
	}
	ds := of(m)
	if t.Kind() == reflect.Struct {
		ds.first = append(ds.first, func() {
			if err := Struct(m, d, t); err != nil {
				fail(m, err)
			}
		})
		return
	}
	ds.names[t], ds.sigs[t] = d.Name, m.Name+"."+d.Name
	ds.first = append(ds.first, func() {
		text, err := ds.methods(m, d, t)
		if err != nil {
			fail(m, fmt.Errorf("type %s: %w", t, err))
			return
		}
		write(m, d.Doc, "pub native struct "+d.Name+" {\n"+text+"}")
	})
}

func (ds *declared) methods(m *vm.Module, d Decl, t reflect.Type) (string, error) {
	var b strings.Builder
	for _, name := range slices.Concat(d.Methods, d.Blocking, slices.Collect(maps.Keys(d.About))) {
		if _, ok := t.MethodByName(name); !ok {
			return "", fmt.Errorf("it has no method %s", name)
		}
	}
	for i := range t.NumMethod() {
		method := t.Method(i)
		if d.Methods != nil && !slices.Contains(d.Methods, method.Name) {
			continue
		}
		ft := method.Type
		var params []reflect.Type
		for k := 1; k < ft.NumIn(); k++ {
			if k > 1 || ft.In(1) != contextType {
				params = append(params, ft.In(k))
			}
		}
		name, about := names.Snake(method.Name), d.About[method.Name]
		head, sig, err := ds.head(m, name, about.Params, params, Results(ft), ft.IsVariadic())
		if err != nil {
			return "", fmt.Errorf("method %s: %w (list those to be bound)", method.Name, err)
		}
		m.Signatures[d.Name+"."+name] = bytecode.Signature("(" + strings.Join(append([]string{ds.sigs[t]}, sig[1:]...), ", ") + ") " + sig[0])
		doc := about.Doc
		if doc == "" {
			doc = "Go's " + t.String() + "." + method.Name + "."
		}
		b.WriteString(comment("  ", doc) + "  native fn " + head + "\n")
		link(m, d.Name+"."+name, contextFirst(method.Func), slices.Contains(d.Blocking, method.Name))
	}
	return b.String(), nil
}

// contextFirst moves the context of a method in front of the receiver.
func contextFirst(fn reflect.Value) reflect.Value {
	t := fn.Type()
	if t.NumIn() < 2 || t.In(1) != contextType {
		return fn
	}
	ins := []reflect.Type{contextType, t.In(0)}
	for i := 2; i < t.NumIn(); i++ {
		ins = append(ins, t.In(i))
	}
	var outs []reflect.Type
	for i := range t.NumOut() {
		outs = append(outs, t.Out(i))
	}
	return reflect.MakeFunc(reflect.FuncOf(ins, outs, false), func(args []reflect.Value) []reflect.Value {
		args[0], args[1] = args[1], args[0]
		return fn.Call(args)
	})
}

// Const declares a constant.
func Const(m *vm.Module, d Decl, value any) {
	v := reflect.ValueOf(value)
	var text string
	switch {
	case value == nil:
		fail(m, fmt.Errorf("%s: nil is no constant", d.Name))
		return
	case v.Type() == durationType:
		text = strconv.FormatInt(v.Int(), 10) + "ns"
	case v.CanInt():
		text = strconv.FormatInt(v.Int(), 10)
	case v.CanUint() && v.Uint() <= 1<<63-1:
		text = strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		text = strconv.FormatFloat(v.Float(), 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
	case v.Kind() == reflect.Bool:
		text = strconv.FormatBool(v.Bool())
	case v.Kind() == reflect.String:
		text = quote(v.String())
	default:
		fail(m, fmt.Errorf("%s: a %T cannot be a constant", d.Name, value))
		return
	}
	write(m, d.Doc, "pub const "+d.Name+" = "+text)
}

// quote writes a text as a literal of Runnel.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\' || r == '$':
			b.WriteString("\\" + string(r))
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, "\\u{%x}", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
