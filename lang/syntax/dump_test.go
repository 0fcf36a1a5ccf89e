package syntax

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
)

// dump writes a tree as s-expressions: (Type field ...), without spans, ids and
// what is not set.
func dump(x any) string {
	var b strings.Builder
	dumpValue(&b, reflect.ValueOf(x))
	return b.String()
}

func dumpFile(f *File) string {
	var lines []string
	for _, s := range f.Items {
		lines = append(lines, dump(s))
	}
	return strings.Join(lines, "\n")
}

var opText = map[BinOp]string{
	OpAdd: "+", OpSub: "-", OpMul: "*", OpDiv: "/", OpMod: "%", OpPow: "**", OpShl: "<<", OpShr: ">>", OpAnd: "&",
	OpXor: "^", OpOr: "|", OpEq: "==", OpNe: "!=", OpLt: "<", OpLe: "<=", OpGt: ">", OpGe: ">=", OpAndAnd: "&&",
	OpOrOr: "||", OpCoalesce: "??",
}

func dumpValue(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			dumpNode(b, v)
		} else {
			b.WriteString("nil")
		}
	case reflect.Slice:
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(' ')
			}
			dumpValue(b, v.Index(i))
		}
		b.WriteByte(']')
	case reflect.Struct:
		dumpNode(b, v)
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	default:
		fmt.Fprint(b, v.Interface())
	}
}

func dumpNode(b *strings.Builder, v reflect.Value) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch n := v.Interface().(type) {
	case Name:
		b.WriteString(n.Text)
		return
	case Ident:
		if len(n.TypeArgs) == 0 {
			b.WriteString(n.Name)
			return
		}
	case IntLit:
		fmt.Fprint(b, n.Value)
		return
	case FloatLit:
		fmt.Fprintf(b, "%g", n.Value)
		if n.Value == float64(int64(n.Value)) {
			b.WriteString(".")
		}
		return
	case StrLit:
		fmt.Fprintf(b, "%q", n.Value)
		return
	case BoolLit:
		fmt.Fprint(b, n.Value)
		return
	case SelfExpr:
		b.WriteString("self")
		return
	case NoneLit:
		b.WriteString("none")
		return
	case ExprStmt:
		dumpValue(b, reflect.ValueOf(n.X))
		if n.Semi {
			b.WriteByte(';')
		}
		return
	case BindPattern:
		if n.Type == nil {
			b.WriteString(n.Name.Text)
			return
		}
	case NamedType:
		if n.Module.Text == "" && len(n.Args) == 0 {
			b.WriteString(n.Name.Text)
			return
		}
	case Binary:
		fmt.Fprintf(b, "(%s ", opText[n.Op])
		dumpValue(b, reflect.ValueOf(n.X))
		b.WriteByte(' ')
		dumpValue(b, reflect.ValueOf(n.Y))
		b.WriteByte(')')
		return
	}
	t := v.Type()
	b.WriteString("(" + t.Name())
	for i := range t.NumField() {
		f := v.Field(i)
		if op, ok := f.Interface().(UnOp); ok {
			b.WriteString(" " + [...]string{"!", "-", "~"}[op])
			continue
		}
		if t.Field(i).Anonymous || f.IsZero() || f.Type() == reflect.TypeFor[diag.Span]() {
			continue
		}
		switch op := f.Interface().(type) {
		case bool:
			b.WriteString(" " + strings.ToLower(t.Field(i).Name))
			continue
		case BinOp:
			b.WriteString(" " + opText[op] + "=")
			continue
		}
		b.WriteByte(' ')
		switch t.Field(i).Name {
		case "Else", "Guard", "Default", "Result", "Type", "Label", "Spec", "Doc", "Alias", "Bound":
			b.WriteString(strings.ToLower(t.Field(i).Name) + ":")
		}
		dumpValue(b, f)
	}
	b.WriteByte(')')
}
