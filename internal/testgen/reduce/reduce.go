// Package reduce makes programs that show a mistake short.
package reduce

import "strings"

// Program makes a failing program smaller while it fails in the same way.
func Program(src string, fails func(string) bool) string {
	for {
		before := src
		src = dropLines(src, fails)
		src = unwrapBlocks(src, fails)
		src = simplifyGroups(src, fails)
		if src == before {
			return src
		}
	}
}

// dropLines leaves out runs of lines, long ones first.
func dropLines(src string, fails func(string) bool) string {
	lines := strings.SplitAfter(strings.TrimRight(src, "\n"), "\n")
	for size := len(lines) / 2; size > 0; size /= 2 {
		for i := 0; i+size <= len(lines); {
			shorter := strings.Join(lines[:i], "") + strings.Join(lines[i+size:], "")
			if fails(shorter) {
				lines = append(lines[:i:i], lines[i+size:]...)
			} else {
				i++
			}
		}
	}
	return strings.Join(lines, "")
}

// unwrapBlocks leaves out blocks of several lines, or only their first and last
// lines.
func unwrapBlocks(src string, fails func(string) bool) string {
	lines := strings.SplitAfter(src, "\n")
	for i := 0; i < len(lines); i++ {
		depth := 0
		for j := i; j < len(lines); j++ {
			depth += strings.Count(lines[j], "{") - strings.Count(lines[j], "}")
			if depth > 0 || j == i {
				continue
			}
			all := strings.Join(lines[:i], "") + strings.Join(lines[j+1:], "")
			inner := strings.Join(lines[:i], "") + strings.Join(lines[i+1:j], "") + strings.Join(lines[j+1:], "")
			if fails(all) {
				return unwrapBlocks(all, fails)
			}
			if fails(inner) {
				return unwrapBlocks(inner, fails)
			}
			break
		}
	}
	return src
}

// simplifyGroups replaces what stands in brackets, with the word before it, by
// a part of it or by a literal.
func simplifyGroups(src string, fails func(string) bool) string {
	for i := 0; i < len(src); i++ {
		if !strings.ContainsRune("([{", rune(src[i])) {
			continue
		}
		end := closing(src, i)
		if end < 0 {
			continue
		}
		start := wordBefore(src, i)
		inner := src[i+1 : end]
		tries := []string{"", "0", "1.0", "true", `""`, "[]", "none", "({})"}
		tries = append(tries, arguments(inner)...)
		for _, t := range append(tries, inner) {
			for _, from := range []int{start, i} {
				if s := src[:from] + t + src[end+1:]; len(s) < len(src) && fails(s) {
					return simplifyGroups(s, fails)
				}
			}
		}
		if s := src[:i+1] + src[end:]; inner != "" && fails(s) {
			return simplifyGroups(s, fails)
		}
	}
	return src
}

// closing finds the bracket that closes the one at i.
func closing(src string, i int) int {
	depth := 0
	for ; i < len(src); i++ {
		switch src[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// wordBefore is where a name with its members and type arguments begins that
// ends at i.
func wordBefore(src string, i int) int {
	angles := 0
	for i > 0 {
		switch c := src[i-1]; {
		case c == '>' && (i < 2 || src[i-2] != '-' && src[i-2] != '='):
			angles++
		case c == '<':
			if angles == 0 {
				return i
			}
			angles--
		case angles > 0, c == '.', c == '_', '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		default:
			return i
		}
		i--
	}
	return i
}

// arguments splits at the commas outside of brackets.
func arguments(s string) (parts []string) {
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	return append(parts, strings.TrimSpace(s[from:]))
}

// Kind is what two failures of the same cause have in common: the first line
// of the message without numbers.
func Kind(err error) string {
	if err == nil {
		return ""
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, line)
}
