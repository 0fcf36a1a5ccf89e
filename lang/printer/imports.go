package printer

import (
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/syntax"
)

// sortImports sorts those that stand one below the other: modules by name, then
// files. Files keep their order, in which they run.
func sortImports(rows []row) {
	for i := 0; i < len(rows); i++ {
		from := i
		for i < len(rows) && rows[i].imports != nil && (i == from || !rows[i].blank) {
			i++
		}
		if group := rows[from:i]; len(group) > 1 {
			blank := group[0].blank
			slices.SortStableFunc(group, func(a, b row) int { return compareImports(a.imports, b.imports) })
			for k := range group {
				group[k].blank = k == 0 && blank
			}
			i--
		}
	}
}

func compareImports(a, b *syntax.ImportDecl) int {
	switch {
	case a.IsFile && b.IsFile:
		return 0
	case a.IsFile:
		return 1
	case b.IsFile:
		return -1
	}
	return strings.Compare(a.Path, b.Path)
}

// importOn returns the import that is all there is in the row of tokens [i, end).
func (p *printer) importOn(i, end int) *syntax.ImportDecl {
	d := p.imports[i]
	if d == nil || d.Sp.End > p.toks[end-1].Sp.End {
		return nil
	}
	for i++; i < end; i++ {
		if p.is(i, item) {
			return nil
		}
	}
	return d
}
