package bytecode

import "strings"

// Rep says which halves of a 16-byte value a type uses.
type Rep uint8

const (
	RepI Rep = iota // the number word: int, float, bool, duration, (), enums without fields
	RepP            // the pointer word: a heap object, nil where the type is optional
	RepV            // both: any, interfaces, optionals of scalars
)

func (r Rep) String() string { return [...]string{"i", "p", "v"}[r] }

// TypeKind says what a runtime type is.
type TypeKind uint8

const (
	TInvalid TypeKind = iota
	TInt
	TFloat
	TBool
	TDuration
	TUnit
	TNone // the dynamic type of none inside an any
	TStr
	TBytes
	TBuffer
	TAny       // any; dynamic type in the value
	TInterface // like any, but its values satisfy the interface
	TOptional  // Elem
	TList      // Elem
	TMap       // Key, Elem
	TSet       // Key
	TTuple     // Fields (Name "")
	TStruct    // Fields
	TEnum      // Variants
	TFunc      // Params, Result
	TTask      // Elem
	TChan      // Elem
	TMutex     // Elem
	TNative    // an opaque Go object of the library
	TCell      // a captured variable: Fields has one entry
	TBox       // an optional inside an optional: Fields has one entry
	TFrame     // where a generator keeps what it needs to go on: Fields
)

// Fixed type ids, the same in every program.
const (
	IDInvalid = iota
	IDInt
	IDFloat
	IDBool
	IDDuration
	IDUnit
	IDNone
	IDStr
	IDBytes
	IDBuffer
	IDAny
	IDLimit // the error of an exceeded limit: text and kind
	NumFixedTypes
)

// Type describes a runtime type: its id is its index in Program.Types, and
// stands in the header of every heap object of the type.
type Type struct {
	Kind     TypeKind
	Rep      Rep
	Name     string   // as a user writes it
	Decl     string   // native: its declaration, "module.Name"
	Elem     uint32   // list, optional, map value, task, chan, mutex
	Key      uint32   // map, set
	Params   []uint32 // func; of a native its type arguments
	Result   uint32   // func
	Layout   Layout   // struct, tuple, cell, box; closures have theirs in the Func
	Fields   []Field
	Variants []Variant
}

// Layout of a heap object: an 8-byte header, then Scalars 8-byte words, then
// Refs pointers.
type Layout struct{ Scalars, Refs uint16 }

// Size in bytes, header included.
func (l Layout) Size() int { return 8 + 8*int(l.Scalars) + 8*int(l.Refs) }

// Field of a struct, tuple or variant. Off is the byte offset of its number
// word (RepI, RepV), POff of its pointer word (RepP, RepV).
type Field struct {
	Name string
	Type uint32
	Rep  Rep
	Off  uint16
	POff uint16
}

// Hidden reports whether a field is not shown when its struct is printed.
func (f *Field) Hidden() bool { return strings.HasPrefix(f.Name, "_") }

// Variant of an enum with fields: an object whose header's aux is the tag.
type Variant struct {
	Name   string
	Fields []Field
	Layout Layout
}

// Plain reports whether an enum has no variant with fields; it is then RepI
// and its value is the tag.
func (t *Type) Plain() bool { return t.Rep == RepI }

// FieldOf finds a field by its name; nil unless its type is of the kind, where that
// is not TInvalid.
func (t *Type) FieldOf(name string, kind TypeKind, types []Type) *Field {
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Name == name && (types[f.Type].Kind == kind || kind == TInvalid) {
			return f
		}
	}
	return nil
}

// MaxFieldOff bounds field offsets: an access through nil must stay inside the
// page the system never maps, where it is a recoverable fault.
const MaxFieldOff = 4000

// Place lays fields out: scalars first, then pointers.
func Place(fields []Field) Layout {
	var l Layout
	for i := range fields {
		if fields[i].Rep != RepP {
			fields[i].Off = 8 + 8*l.Scalars
			l.Scalars++
		}
	}
	for i := range fields {
		if fields[i].Rep != RepI {
			fields[i].POff = 8 + 8*l.Scalars + 8*l.Refs
			l.Refs++
		}
	}
	return l
}

// FixedTypes are the first entries of every program's type table.
func FixedTypes() []Type {
	return []Type{
		IDInvalid:  {Kind: TInvalid, Name: "<invalid>"},
		IDInt:      {Kind: TInt, Name: "int"},
		IDFloat:    {Kind: TFloat, Name: "float"},
		IDBool:     {Kind: TBool, Name: "bool"},
		IDDuration: {Kind: TDuration, Name: "duration"},
		IDUnit:     {Kind: TUnit, Name: "()"},
		IDNone:     {Kind: TNone, Name: "none"},
		IDStr:      {Kind: TStr, Rep: RepP, Name: "str"},
		IDBytes:    {Kind: TBytes, Rep: RepP, Name: "bytes"},
		IDBuffer:   {Kind: TBuffer, Rep: RepP, Name: "buffer"},
		IDAny:      {Kind: TAny, Rep: RepV, Name: "any"},
		IDLimit: {Kind: TStruct, Rep: RepP, Name: "LimitError", Layout: Layout{1, 1}, Fields: []Field{
			{Name: "text", Type: IDStr, Rep: RepP, POff: 16},
			{Name: "kind", Type: IDInt, Rep: RepI, Off: 8},
		}},
	}
}
