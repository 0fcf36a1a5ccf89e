package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is typed by accident or in a hurry harms no session.
func TestSessionsBearSlips(t *testing.T) {
	for _, term := range []string{"TERM=xterm-256color", "TERM=dumb"} {
		t.Run(term, func(t *testing.T) {
			s, _ := begin(t, 80, 24, term)
			for _, st := range []step{
				{"let h = [1,", "[1,\n."},
				{"2,", "2,\n."},
				{"C-c\\", "\n>"},
				{"1 + 1", "> 1 + 1\n= 2  : int\n>"},
				{"loop {", "loop {\n."},
			} {
				st.take(t, s)
			}
			s.Type("C-d") // a terminal that can do nothing gives up the block; the other deletes nothing
			if term != "TERM=dumb" {
				s.Type("C-c")
			}
			s.Shows("\n>")
			step{"2 + 2", "> 2 + 2\n= 4  : int\n>"}.take(t, s)
			s.Type("C-d")
			require.Equal(t, 0, s.Ended())
		})
	}
}

// A long text can be pasted, and not each of its warnings is told.
func TestALongTextIsPasted(t *testing.T) {
	s, _ := begin(t, 80, 24)
	var b strings.Builder
	b.WriteString("fn big(n: int) -> int {\n")
	for i := range 500 {
		fmt.Fprintf(&b, "  let w%d = n + %d\n", i, i)
	}
	b.WriteString("  w499\n}\nbig(1)")
	s.Paste(b.String())
	s.Shows(". big(1)")
	s.Type("Enter")
	s.Shows("= 500  : int\n>")
	shown := s.Text()
	assert.Contains(t, shown, "\n494 warnings more\n= 500  : int\n")
	assert.Equal(t, 5, strings.Count(shown, "warning[W"))
}
