package spec

import (
	"os"
	"strings"
	"testing"
)

// block is a program in a text of the definition.
type block struct {
	section string // the heading it stands under
	line    int    // of its first line
	check   bool   // only type-checked
	src     string
}

// blocks finds the fenced programs of a Markdown text.
func blocks(text string) []block {
	var out []block
	section, in := "", false
	for i, line := range strings.SplitAfter(text, "\n") {
		switch fence := strings.TrimSpace(line); {
		case in && fence == "```":
			in = false
		case in:
			out[len(out)-1].src += line
		case fence == "```runnel", fence == "```runnel check":
			in = true
			out = append(out, block{section: section, line: i + 2, check: fence != "```runnel"})
		case strings.HasPrefix(fence, "## "):
			section = strings.TrimPrefix(fence, "## ")
		}
	}
	return out
}

func languageBlocks(t *testing.T) []block {
	t.Helper()
	return blocksOf(t, "language.md", 80)
}

// blocksOf returns the programs of a text, which has so many at least.
func blocksOf(t *testing.T, name string, least int) []block {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	bs := blocks(string(text))
	if len(bs) < least {
		t.Fatalf("%s has only %d programs: are the fences right?", name, len(bs))
	}
	return bs
}
