package query

// Hover is what is known of a name.
type Hover struct {
	Place Place
	Code  string // its declaration on one line
	Doc   string
}

// Hover tells what the name at an offset is.
func (f *File) Hover(at int) (Hover, bool) {
	at = f.inside(at)
	a := f.near(at)
	n, ok := a.nameAt(at)
	if !ok {
		return Hover{}, false
	}
	code := describe(n.Symbol, n.Type)
	if code == "" {
		return Hover{}, false
	}
	p, _ := a.place(n.Span)
	return Hover{Place: p, Code: code, Doc: docOf(n.Symbol)}, true
}
