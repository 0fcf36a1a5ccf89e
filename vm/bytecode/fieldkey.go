package bytecode

// FieldKey tells a field of a struct, or of the variant tag of an enum, from all others of a
// program.
func FieldKey(id uint32, tag, field int) int64 { return int64(id)<<32 | int64(tag)<<16 | int64(field) }
