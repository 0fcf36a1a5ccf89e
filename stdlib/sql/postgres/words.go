package postgres

import "strings"

// statements returns the words of each statement of a text, in upper case, without
// what is quoted or a comment.
func statements(text string) [][]string {
	s := splitter{text: text}
	for s.at < len(s.text) {
		s.next()
	}
	s.end()
	return s.all
}

type splitter struct {
	text  string
	at    int
	words []string
	depth int // of BEGIN ATOMIC and CASE in the body of a function
	all   [][]string
}

func (s *splitter) end() {
	if len(s.words) > 0 {
		s.all = append(s.all, s.words)
	}
	s.words, s.depth = nil, 0
}

func (s *splitter) next() {
	rest := s.text[s.at:]
	switch c := rest[0]; {
	case strings.HasPrefix(rest, "--"):
		s.skip(strings.IndexByte(rest, '\n') + 1)
	case strings.HasPrefix(rest, "/*"):
		s.at += comment(rest)
	case c == '\'':
		s.at += quotedBy(rest, '\'', false)
	case (c == 'e' || c == 'E') && len(rest) > 1 && rest[1] == '\'':
		s.at += 1 + quotedBy(rest[1:], '\'', true)
	case c == '"':
		s.at += quotedBy(rest, '"', false)
	case c == '$':
		s.at += dollars(rest)
	case isLetter(c):
		n := 1
		for n < len(rest) && (isLetter(rest[n]) || isDigit(rest[n]) || rest[n] == '$') {
			n++
		}
		s.at += n
		s.word(strings.ToUpper(rest[:n]))
	case isDigit(c): // a letter right after it is not a word
		n := 1
		for n < len(rest) && (isLetter(rest[n]) || isDigit(rest[n])) {
			n++
		}
		s.at += n
	default:
		s.at++
		if c == ';' && s.depth == 0 {
			s.end()
		}
	}
}

// skip goes on n bytes, to the end where there are none.
func (s *splitter) skip(n int) {
	if n <= 0 {
		n = len(s.text) - s.at
	}
	s.at += n
}

func (s *splitter) word(w string) {
	s.words = append(s.words, w)
	n := len(s.words)
	switch {
	case s.words[0] != "CREATE":
	case w == "ATOMIC" && n > 1 && s.words[n-2] == "BEGIN", w == "CASE" && s.depth > 0:
		s.depth++
	case w == "END" && s.depth > 0:
		s.depth--
	}
}

// comment measures a comment, in which others may be.
func comment(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], "/*"):
			depth++
			i++
		case strings.HasPrefix(text[i:], "*/"):
			i++
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// quotedBy measures what is between quotes; a quote in it is doubled.
func quotedBy(text string, quote byte, escapes bool) int {
	for i := 1; i < len(text); i++ {
		switch {
		case escapes && text[i] == '\\':
			i++
		case text[i] != quote:
		case i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return len(text)
}

// dollars measures $tag$ ... $tag$, or the sign of a parameter.
func dollars(text string) int {
	n := 1
	for n < len(text) && (isLetter(text[n]) || n > 1 && isDigit(text[n])) {
		n++
	}
	if n == len(text) || text[n] != '$' {
		return 1
	}
	tag := text[:n+1]
	if end := strings.Index(text[len(tag):], tag); end >= 0 {
		return len(tag) + end + len(tag)
	}
	return len(text)
}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= 0x80
}
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
