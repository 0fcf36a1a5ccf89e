package diag

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// table is all codes in their order, those of each file codes_*.go.
var table = sync.OnceValue(func() []CodeInfo {
	all := slices.Concat(syntaxCodes, checkerCodes, compilerCodes)
	sort.Slice(all, func(i, j int) bool { return number(all[i].Code) < number(all[j].Code) })
	return all
})

// number is a code without its letter: errors and warnings are numbered in one
// sequence.
func number(c Code) string { return string(c[1:]) }

// Codes lists every code with its explanation.
func Codes() []CodeInfo { return table() }

// Explain looks up the explanation of a code such as E0102. The letter, its case
// and zeros before the number do not matter: each number is given once.
func Explain(c Code) (CodeInfo, bool) {
	text := strings.ToUpper(string(c))
	if text != "" && (text[0] == 'E' || text[0] == 'W') {
		text = text[1:]
	}
	n, err := strconv.ParseUint(text, 10, 16)
	for _, info := range table() {
		if err == nil && number(info.Code) == fmt.Sprintf("%04d", n) {
			return info, true
		}
	}
	return CodeInfo{}, false
}

// Section names what the codes of a range are about.
func Section(c Code) string {
	switch number(c)[1] {
	case '1':
		return "The text of a program"
	case '2':
		return "Names and modules"
	case '3':
		return "Types"
	case '4':
		return "Patterns and flow"
	case '5':
		return "Tasks"
	case '6':
		return "Warnings"
	case '7':
		return "Limits of the checker"
	}
	return "Limits of the compiler"
}
