package spec

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// documents are the project's Markdown files that people write.
func documents(t *testing.T) []string {
	var all []string
	for _, pattern := range []string{"*.md", "../*.md", "../doc/*.md", "../doc/book/*.md", "../bench/*.md", "../examples/*.md", "../examples/*/*.md"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		all = append(all, found...)
	}
	require.Greater(t, len(all), 20)
	return all
}

// proseLines calls f with each line outside fences.
func proseLines(t *testing.T, path string, f func(number int, line string)) {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	inside := false
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inside = !inside
		} else if !inside {
			f(i+1, line)
		}
	}
	require.False(t, inside, "%s: a fence is not closed", path)
}

var (
	linkForm    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading     = regexp.MustCompile(`^##+ (.*)$`)
	notInAnchor = regexp.MustCompile(`[^a-z0-9 _-]`)
)

// anchorsOf returns the places in a document that links can name.
func anchorsOf(t *testing.T, path string) map[string]bool {
	anchors := map[string]bool{}
	proseLines(t, path, func(_ int, line string) {
		if title := heading.FindStringSubmatch(line); title != nil {
			anchors[strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(title[1]), ""), " ", "-")] = true
		}
	})
	return anchors
}

// Links within the repository lead to files and headings that exist.
func TestLinksOfTheDocuments(t *testing.T) {
	links := 0
	for _, document := range documents(t) {
		proseLines(t, document, func(number int, line string) {
			for _, m := range linkForm.FindAllStringSubmatch(line, -1) {
				if strings.Contains(m[1], "://") {
					continue
				}
				links++
				file, anchor, _ := strings.Cut(m[1], "#")
				target := document
				if file != "" {
					target = filepath.Join(filepath.Dir(document), file)
				}
				_, err := os.Stat(target)
				require.NoError(t, err, "%s:%d: %s", document, number, m[1])
				if anchor != "" {
					require.Contains(t, anchorsOf(t, target), anchor, "%s:%d", document, number)
				}
			}
		})
	}
	require.Greater(t, links, 200)
}

// wide are documents whose lines may be long: a generated one.
var wide = map[string]bool{"bytecode.md": true}

// Prose has at most 100 columns. Tables, indented code and what `bench -readme` writes
// have as many as they need.
func TestProseHasAtMost100Columns(t *testing.T) {
	for _, document := range documents(t) {
		if wide[document] {
			continue
		}
		measured := false
		proseLines(t, document, func(number int, line string) {
			if strings.HasPrefix(line, "<!-- ") {
				measured = strings.HasPrefix(line, "<!-- measured:")
			}
			if measured || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "    ") {
				return
			}
			require.LessOrEqual(t, utf8.RuneCountInString(line), 100, "%s:%d", document, number)
		})
	}
}
