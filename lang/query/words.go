package query

import (
	"github.com/runnel-lang/runnel/lang/syntax/token"
	"github.com/runnel-lang/runnel/lang/types"
)

// Words that may stand in a place.
var (
	memberWords      = []string{"fn", "let", "static"}
	declarationWords = []string{"fn", "struct", "enum", "interface", "type", "const", "let"}
	topWords         = []string{"fn", "struct", "enum", "interface", "type", "import", "pub", "test", "bench"}
	statementWords   = []string{"let", "var", "const", "defer", "for", "while", "loop", "return", "throw", "yield"}
	valueWords       = []string{"if", "match", "try", "scope", "lock", "select", "spawn", "await"}
)

// wordTypes are the types of the words that are values.
var wordTypes = map[string]types.Type{"true": types.Bool, "false": types.Bool}

func (l *completer) word(word string, group int) {
	k := candidate{group: group, value: wordTypes[word], Completion: Completion{Label: word, Kind: "keyword", Insert: word}}
	if word == "true" || word == "false" || word == "none" {
		k.Kind = "constant"
	}
	l.add(k)
}

func (l *completer) words(list []string) {
	for _, w := range list {
		l.word(w, groupKeyword)
	}
}

// keywords lists the words that can begin what stands at the word.
func (l *completer) keywords() {
	c := l.c
	switch {
	case c.kind(1) == token.Pub:
		l.list = nil
		l.words(declarationWords)
		return
	case c.startsStatement():
		l.words(statementWords)
		if len(c.open) == 0 {
			l.words(topWords)
		}
		if c.inLoop() {
			l.words([]string{"break", "continue"})
		}
	}
	l.words(valueWords)
	for _, w := range []string{"true", "false"} {
		l.word(w, groupKeyword)
	}
	none := candidate{group: groupKeyword, Completion: Completion{Label: "none", Kind: "constant", Insert: "none"}}
	if s := l.site; s.Want != nil && unwrapped(s.Want) != types.Prune(s.Want) {
		none.value = s.Want
	}
	l.add(none)
}

// inLoop reports whether the word is in the body of a loop of its function.
func (c *surroundings) inLoop() bool {
	for i := len(c.open) - 1; i >= 0; i-- {
		switch c.open[i].head {
		case token.For, token.While, token.Loop:
			return c.open[i].kind == token.LBrace
		case token.Fn:
			return false
		}
	}
	return false
}

// infix lists the words that can follow an operand on its line.
func (l *completer) infix() {
	c := l.c
	t := c.top()
	var list []string
	switch {
	case t.kind == token.EOF && t.head == token.For && !t.bound:
		list = []string{"in"}
	case t.kind == token.EOF && t.head == token.Lock || c.kind(2) == token.Import:
		list = []string{"as"}
	case c.inPattern():
		list = []string{"if"}
	case c.kind(1) == token.RBrace:
		list = c.afterBlock()
	default:
		list = []string{"as", "is"}
	}
	l.words(list)
}

// afterBlock are the words that continue after the block that ends before the word.
func (c *surroundings) afterBlock() []string {
	before := contextAt(c.text[:c.toks[len(c.toks)-1].Sp.Start], int(c.toks[len(c.toks)-1].Sp.Start))
	switch before.top().head {
	case token.If:
		return []string{"else"}
	case token.Try, token.Catch:
		return []string{"catch"}
	}
	return nil
}

// labels lists the loops around a label that is begun.
func (l *completer) labels() {
	c := l.c
	if c.start == 0 || c.text[c.start-1] != '\'' {
		return
	}
	for _, o := range c.open {
		if o.label != "" {
			l.add(candidate{Completion: Completion{Label: o.label, Kind: "label", Insert: o.label}})
		}
	}
}
