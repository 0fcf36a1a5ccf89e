package bytecode

// ErrNames are the prelude structs that the runtime's own errors become, by
// vm.ErrKind. The first field of each is `text: str`.
var ErrNames = [...]string{
	"PlainError", "IndexError", "KeyError", "DivisionError", "NoneError", "CastError", "ValueError", "AssertError",
	"RaceError", "Uninitialised", "ModifiedError", "IoError", "Closed", "Timeout", "Deadlock", "TaskCancelled",
	"Cancelled", "CannotSuspend", "HostError",
}
