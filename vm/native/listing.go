package native

// Listing is the machine code of a function, for people to read, in the code of those that
// are compiled with it. Offsets are from the beginning of Code.
type Listing struct {
	Code       []byte
	Start, End int            // of the function
	Parts      []Part         // of the function, by offset
	Functions  map[int]uint32 // word of the function that begins at an offset
}

// Constants is the Word of what is no code: floats of eight bytes, behind the code.
const Constants = ^uint32(0)

// Part begins the code of an instruction.
type Part struct {
	Offset int
	Word   uint32 // of the bytecode; in another function, where that is inlined
	Cold   bool   // what is rarely needed, which stands behind the rest
}
