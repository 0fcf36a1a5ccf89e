// Package lineedit reads texts of one or several lines at a terminal, which the
// program shares with what else reads and writes there.
//
//	bytes ─ input ─▶ keys ─▶ Editor ─▶ buffer ─▶ view ─▶ screen
//	          └────▶ Terminal.Input, while nobody edits      ▲
//	                 Terminal.Output ────────────────────────┘
//
// It stands on readline for what differs between operating systems: raw mode,
// the size of the terminal and its changes, the console of Windows. Readline's
// own editor is not used: it edits a single line, so a block could not be
// recalled; it moves the cursor by one cell for a character that takes two; it
// takes the Delete key for Ctrl-D, and Ctrl-Space for the end of input; in a
// terminal of few columns it divides by zero.
package lineedit
