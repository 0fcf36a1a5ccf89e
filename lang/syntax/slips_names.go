package syntax

// OwnTypes are our types by the names that other languages have for them, without arguments.
var OwnTypes = map[string]string{
	"string": "str", "String": "str", "Str": "str", "char": "str", "rune": "str", "Int": "int", "Integer": "int", "integer": "int",
	"i8": "int", "i16": "int", "i32": "int", "i64": "int", "u8": "int", "u16": "int", "u32": "int", "u64": "int", "usize": "int", "isize": "int",
	"int8": "int", "int16": "int", "int32": "int", "int64": "int", "uint": "int", "uint64": "int", "long": "int", "byte": "int",
	"f32": "float", "f64": "float", "double": "float", "Float": "float", "float32": "float", "float64": "float",
	"boolean": "bool", "Bool": "bool", "Boolean": "bool", "Unit": "()", "unit": "()", "Any": "any", "object": "any", "Object": "any",
	"Duration": "duration", "error": "Error", "Exception": "Error", "exception": "Error",
}
