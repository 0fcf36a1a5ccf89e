package diag

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPositions(t *testing.T) {
	var fs FileSet
	empty := fs.Add("empty", "")
	f := fs.Add("f", "aä\r\nb\n")
	assert.Equal(t, []*File{empty, f}, fs.Files())
	assert.Same(t, empty, fs.File(empty.Base))
	assert.Same(t, f, fs.File(f.Base))
	assert.Same(t, f, fs.File(f.Base+7))
	assert.Nil(t, fs.File(f.Base+8))
	assert.Nil(t, fs.File(0))

	for _, c := range [][3]int{{0, 1, 1}, {1, 1, 2}, {3, 1, 3}, {5, 2, 1}, {6, 2, 2}, {7, 3, 1}} {
		line, col := f.Pos(f.Base + uint32(c[0]))
		assert.Equal(t, [2]int{c[1], c[2]}, [2]int{line, col}, c[0])
	}
	assert.Equal(t, "aä", f.Line(1))
	assert.Equal(t, "b", f.Line(2))
	assert.Equal(t, "", f.Line(3))
	assert.Equal(t, "", f.Line(4))
	line, col := empty.Pos(empty.Base)
	assert.Equal(t, [2]int{1, 1}, [2]int{line, col})
	assert.Equal(t, "ä", f.Text(f.Span(1, 3)))
}

func TestSpanTo(t *testing.T) {
	a, b := Span{3, 5}, Span{7, 9}
	assert.Equal(t, Span{3, 9}, a.To(b))
	assert.Equal(t, b, NoSpan.To(b))
	assert.Equal(t, a, a.To(NoSpan))
}
