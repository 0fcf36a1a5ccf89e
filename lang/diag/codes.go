package diag

import "sort"

// sections are the parts of the table of codes, one for each file codes_*.go.
var sections = [][]CodeInfo{syntaxCodes, checkerCodes, compilerCodes}

// table is all codes in their order.
var table = func() []CodeInfo {
	var all []CodeInfo
	for _, s := range sections {
		all = append(all, s...)
	}
	sort.Slice(all, func(i, j int) bool { return number(all[i].Code) < number(all[j].Code) })
	return all
}()

// number is a code without its letter: errors and warnings are numbered in one
// sequence.
func number(c Code) string { return string(c[1:]) }

// Codes lists every code with its explanation.
func Codes() []CodeInfo { return table }

// Explain looks up the explanation of a code such as E0102.
func Explain(c Code) (CodeInfo, bool) {
	for _, info := range table {
		if info.Code == c {
			return info, true
		}
	}
	return CodeInfo{}, false
}
