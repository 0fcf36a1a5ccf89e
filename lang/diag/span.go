package diag

import (
	"slices"
	"sort"
	"sync"
	"unicode/utf8"
)

// Span is a half-open range of global source positions: eight bytes, so every
// node can carry one. A position is a file's base plus a byte offset in it;
// line and column are computed only when a diagnostic is shown.
type Span struct{ Start, End uint32 }

// NoSpan marks something that has no place in the source.
var NoSpan = Span{}

// IsValid reports whether the span points into a file.
func (s Span) IsValid() bool { return s.Start != 0 }

// To joins s with a later span.
func (s Span) To(e Span) Span {
	if !s.IsValid() {
		return e
	}
	if !e.IsValid() || e.End < s.End {
		return s
	}
	return Span{s.Start, e.End}
}

// File is one source text of a FileSet. Base is the global position of its
// first byte; it is at least 1, so the zero Span is invalid.
type File struct {
	Name string
	Src  string
	Base uint32

	once  sync.Once
	lines []uint32 // offset of each line's first byte, made on first use
	marks []uint32 // how many characters begin before each multiple of markEvery
}

// FileSet hands out position ranges to files.
type FileSet struct{ files []*File }

// Clone returns a set with the same files, to which others can be added without
// a change of this one.
func (fs *FileSet) Clone() *FileSet { return &FileSet{files: slices.Clip(fs.files)} }

// Add registers a source text. It returns nil when the positions (4 GB in all)
// are used up.
func (fs *FileSet) Add(name, src string) *File {
	base := uint64(1)
	if n := len(fs.files); n > 0 {
		last := fs.files[n-1]
		base = uint64(last.Base) + uint64(len(last.Src)) + 1
	}
	if base+uint64(len(src))+1 > 1<<32-1 {
		return nil
	}
	f := &File{Name: name, Src: src, Base: uint32(base)}
	fs.files = append(fs.files, f)
	return f
}

// Files lists the files in the order they were added.
func (fs *FileSet) Files() []*File { return fs.files }

// File finds the file that holds a position, or nil.
func (fs *FileSet) File(pos uint32) *File {
	i := sort.Search(len(fs.files), func(i int) bool { return fs.files[i].Base > pos }) - 1
	if i < 0 || pos == 0 {
		return nil
	}
	f := fs.files[i]
	if pos > f.Base+uint32(len(f.Src)) {
		return nil
	}
	return f
}

// Span makes the span of the bytes [start, end) of the file.
func (f *File) Span(start, end int) Span {
	return Span{f.Base + uint32(start), f.Base + uint32(end)}
}

// Text is the source text of a span of this file.
func (f *File) Text(s Span) string { return f.Src[s.Start-f.Base : s.End-f.Base] }

// Pos returns the 1-based line and column (in runes) of a global position.
func (f *File) Pos(pos uint32) (line, col int) {
	off := pos - f.Base
	f.index()
	line = sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > off })
	start := f.lines[line-1]
	return line, f.characters(int(start), min(int(off), len(f.Src))) + 1
}

// characters counts them in a part of a line. In a long line it counts from a
// mark on: a program may be one line.
func (f *File) characters(from, to int) int {
	if to-from < markEvery {
		return utf8.RuneCountInString(f.Src[from:to])
	}
	return f.startsBefore(to) - f.startsBefore(from)
}

// runeAt is where the character begins that an offset is in.
func (f *File) runeAt(at int) int {
	at = max(0, min(at, len(f.Src)))
	for at > 0 && at < len(f.Src) && !utf8.RuneStart(f.Src[at]) {
		at--
	}
	return at
}

// markEvery is the number of bytes between two marks.
const markEvery = 1 << 10

// startsBefore counts the characters that begin before a byte of the file.
func (f *File) startsBefore(at int) int {
	mark := at / markEvery
	return int(f.marks[mark]) + starts(f.Src[mark*markEvery:at])
}

// starts counts the characters that begin in a part of a text.
func starts(s string) (n int) {
	for i := range len(s) {
		if utf8.RuneStart(s[i]) {
			n++
		}
	}
	return n
}

// Line returns the text of a 1-based line without its end.
func (f *File) Line(n int) string {
	f.index()
	if n < 1 || n > len(f.lines) {
		return ""
	}
	start := int(f.lines[n-1])
	end := len(f.Src)
	if n < len(f.lines) {
		end = int(f.lines[n]) - 1
	}
	if end > start && f.Src[end-1] == '\r' {
		end--
	}
	return f.Src[start:end]
}

// index finds the lines. Tasks on several threads may ask for a position at the
// same time.
func (f *File) index() {
	f.once.Do(func() {
		f.lines = append(f.lines, 0)
		for i := 0; i < len(f.Src); i++ {
			if f.Src[i] == '\n' {
				f.lines = append(f.lines, uint32(i+1))
			}
		}
		f.marks = append(f.marks, 0)
		for at := 0; at+markEvery <= len(f.Src); at += markEvery {
			f.marks = append(f.marks, f.marks[len(f.marks)-1]+uint32(starts(f.Src[at:at+markEvery])))
		}
	})
}
