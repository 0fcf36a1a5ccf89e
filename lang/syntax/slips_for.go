package syntax

import (
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// The heads of loops as other languages write them. The words of a head are looked
// at as they stand there: from them comes what to write instead, and the names that
// its body uses.

// words are the tokens of the head at the lookahead, up to what begins its body, and
// whether its parentheses are around all of them.
type words struct {
	text  []string
	kinds []token.Kind
	span  diag.Span
	paren bool
}

// headWords looks at the head of a loop.
func (p *parser) headWords() (w words) {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	w.span = point(p.start)
	depth := 0
	for t := p.tok; t.Pos.Line == p.tok.Pos.Line && len(w.text) < 100; t = p.lex.Peek() {
		k := kindOf(t)
		switch k {
		case token.EOF, token.LBrace:
			return w
		case token.LParen:
			if len(w.text) == 0 {
				w.paren = true
			}
			depth++
		case token.RParen:
			depth--
		case token.Colon:
			if next := p.after(); depth == 0 && next != t.Pos.Line {
				return w // a body by indentation
			}
		case token.Ident:
			if depth == 0 && (t.Value == "do" || t.Value == "then") {
				return w
			}
		}
		w.text, w.kinds = append(w.text, t.Value), append(w.kinds, k)
		w.span.End = uint32(t.Pos.Offset + len(t.Value))
		if depth == 0 && w.paren && k == token.RParen {
			return w
		}
		p.lex.Next()
	}
	return w
}

// after is the line of the token after the one that is peeked at.
func (p *parser) after() int {
	cp := p.lex.Mark()
	defer p.lex.Return(cp)
	p.lex.Next()
	return p.lex.Peek().Pos.Line
}

// inner leaves the parentheses around all of the head away.
func (w words) inner() words {
	if n := len(w.text); w.paren && n > 1 && w.kinds[n-1] == token.RParen {
		w.text, w.kinds = w.text[1:n-1], w.kinds[1:n-1]
	}
	return w
}

func (w words) index(kinds ...token.Kind) int {
	for i, k := range w.kinds {
		for _, want := range kinds {
			if k == want {
				return i
			}
		}
	}
	return -1
}

func (w words) word(text string) int {
	for i, t := range w.text {
		if t == text && (w.kinds[i] == token.Ident || w.kinds[i] == token.In || w.kinds[i] == token.Colon) {
			return i
		}
	}
	return -1
}

func (w words) from(i, j int) words {
	w.text, w.kinds = w.text[i:j], w.kinds[i:j]
	return w
}

// String joins the words as they are usually spaced.
func (w words) String() string {
	var b strings.Builder
	for i, t := range w.text {
		if i > 0 && binaryOps[w.kinds[i]].prec != precNone && binaryOps[w.kinds[i]].prec != precRange {
			b.WriteByte(' ')
		} else if i > 0 && (w.kinds[i-1] == token.Comma || binaryOps[w.kinds[i-1]].prec != precNone && binaryOps[w.kinds[i-1]].prec != precRange && i > 1) {
			b.WriteByte(' ')
		}
		b.WriteString(t)
	}
	return b.String()
}

// names are the names that the words bind.
func (w words) names() (list []string) {
	for i, k := range w.kinds {
		last := i+1 == len(w.kinds) || w.kinds[i+1] != token.Ident && w.kinds[i+1] != token.Lt && w.kinds[i+1] != token.LBrack
		if k == token.Ident && last && (i == 0 || w.kinds[i-1] != token.Colon && w.kinds[i-1] != token.Dot) {
			list = append(list, w.text[i])
		}
	}
	return list
}

// loopSlip reads a `for` that is a `loop` or a `while` here, or gives nil.
func (p *parser) loopSlip(start uint32, label Name) Expr {
	if p.kind == token.LBrace {
		at := diag.Span{Start: p.start - 4, End: p.start}
		d := p.report(diag.ForeignSyntax, p.here(), "a loop without a condition is written `loop`")
		if p.text(at) == "for " {
			at.End--
			d.Span = at
			d.Fixes = []diag.Fix{{Title: "write `loop`", Edits: []diag.Edit{{Span: at, New: "loop"}}}}
		} else {
			d.Help = append(d.Help, "write `loop { ... }`")
		}
		l := &Loop{Label: label, Body: p.body()}
		l.ExprBase = p.base(start)
		return l
	}
	w := p.headWords()
	if w.paren || len(w.kinds) < 2 || p.kind != token.Ident && p.kind != token.True && p.kind != token.Bang ||
		w.index(token.In, token.Comma, token.ColonEq, token.Eq, token.Semi, token.Colon) >= 0 || w.word("of") >= 0 || w.word("range") >= 0 ||
		w.index(token.Lt, token.LtEq, token.Gt, token.GtEq, token.EqEq, token.NotEq, token.AndAnd, token.OrOr, token.LParen, token.Bang) < 0 {
		return nil
	}
	at := diag.Span{Start: p.start - 4, End: p.start - 1}
	d := p.report(diag.ForeignSyntax, diag.Span{Start: p.start, End: w.span.End}, "a loop with a condition is written `while`")
	if p.text(at) == "for" {
		d.Span = at
		d.Fixes = []diag.Fix{{Title: "write `while`", Edits: []diag.Edit{{Span: at, New: "while"}}}}
	} else {
		d.Help = append(d.Help, "write `while "+w.String()+" { ... }`")
	}
	loop := &While{Label: label, Cond: p.cond()}
	loop.Body = p.body()
	loop.ExprBase = p.base(start)
	return loop
}

// text is what stands in the source.
func (p *parser) text(at diag.Span) string {
	from, to := int(at.Start)-int(p.src.Base), int(at.End)-int(p.src.Base)
	if from < 0 || to > len(p.src.Src) || from > to {
		return ""
	}
	return p.src.Src[from:to]
}

// forSlip reads other kinds of for up to their bodies; it reports whether it was one.
func (p *parser) forSlip(f *For) bool {
	w := p.headWords()
	in := w.inner()
	var instead string // the head as it is written here
	var names []string
	switch {
	case in.index(token.Semi) >= 0:
		instead, names = in.threeParts()
	case in.word("range") >= 0 && in.word("range") < len(in.text)-1 && (in.word("range") == 0 || in.kinds[in.word("range")-1] == token.ColonEq || in.kinds[in.word("range")-1] == token.Eq):
		instead, names = in.goRange()
	case in.index(token.ColonEq) >= 0 && in.index(token.In) < 0:
	case in.index(token.Eq) > 0 && in.index(token.In) < 0:
		instead, names = in.luaFor()
	case w.paren && len(in.text) < len(w.text) || w.index(token.Let, token.Var, token.Const) == 0:
		instead, names = in.eachOf()
		if instead == "" && w.paren && w.index(token.Let, token.Var, token.Const) < 0 {
			return false // a pattern
		}
	default:
		return false
	}
	what := "a `for` goes through a collection, a range or an iterator"
	switch {
	case w.paren && in.index(token.Semi) < 0:
		what = "a `for` has no parentheses"
	case w.index(token.Let, token.Var, token.Const) == 0:
		what = "a `for` declares its variable without `" + w.text[0] + "`"
	case in.index(token.Semi) >= 0:
		what = "there is no `for` of three parts in Runnel"
	}
	d := p.report(diag.ForeignSyntax, w.span, "%s", what)
	if instead != "" {
		d.Fixes = []diag.Fix{{Title: "write `for " + instead + "`", Edits: []diag.Edit{{Span: w.span, New: instead}}}}
	} else {
		d.Help = append(d.Help, forms)
		if in.index(token.Semi) >= 0 {
			d.Help = append(d.Help, "for other steps write `var i = 0` and `while i < n { ...; i += 1 }`")
		}
	}
	at := p.start
	p.quiet = true
	for p.kind != token.EOF && p.start < w.span.End {
		p.next()
	}
	p.quiet = p.aborted
	f.X = &BadExpr{p.base(at)}
	for i := 0; i < len(names) && i < 2; i++ {
		f.Vars = append(f.Vars, &BindPattern{PatternBase{point(at), p.id()}, Name{names[i], point(at)}, nil, false})
	}
	if len(f.Vars) == 0 {
		f.Vars = append(f.Vars, &BindPattern{PatternBase{point(at), p.id()}, Name{"_", point(at)}, nil, false})
	}
	return true
}

// threeParts returns `i in a..b` for `i = a; i < b; i++`.
func (w words) threeParts() (instead string, names []string) {
	first := w.index(token.Semi)
	rest := w.from(first+1, len(w.text))
	second := rest.index(token.Semi)
	init := w.from(0, first)
	eq := init.index(token.Eq, token.ColonEq)
	if eq < 1 {
		return "", nil
	}
	i := init.text[eq-1]
	names = []string{i}
	if second < 3 || init.index(token.Comma) >= 0 || eq+1 >= len(init.text) {
		return "", names
	}
	cond, step := rest.from(0, second), rest.from(second+1, len(rest.text))
	if cond.text[0] != i || cond.index(token.AndAnd, token.OrOr) >= 0 {
		return "", names
	}
	lo, from := init.from(eq+1, len(init.text)).String(), 2
	op := cond.kinds[1]
	if op == token.GtEq {
		from = 3
	}
	if from >= len(cond.text) {
		return "", names
	}
	hi := cond.from(from, len(cond.text)).String()
	up, by := step.step(i)
	switch {
	case by == "":
	case up && (op == token.Lt || op == token.NotEq):
		instead = lo + ".." + hi
	case up && op == token.LtEq:
		instead = lo + "..=" + hi
	case !up && op == token.GtEq && by == "1":
		return i + " in (" + hi + "..=" + lo + ").reverse()", names
	case !up && op == token.Gt && by == "1":
		return i + " in (" + hi + " + 1..=" + lo + ").reverse()", names
	}
	switch {
	case instead == "":
		return "", names
	case by != "1":
		instead = "(" + instead + ").step_by(" + by + ")"
	}
	return i + " in " + instead, names
}

// step reads i++, ++i, i += n and so on; by is "" for anything else.
func (w words) step(i string) (up bool, by string) {
	text := strings.Join(w.text, "")
	switch text {
	case i + "++", "++" + i, i + "+=1", i + "=" + i + "+1":
		return true, "1"
	case i + "--", "--" + i, i + "-=1", i + "=" + i + "-1":
		return false, "1"
	}
	if rest, ok := strings.CutPrefix(text, i+"+="); ok {
		return true, rest
	}
	return false, ""
}

// goRange returns `i, x in xs` for `i, x := range xs`.
func (w words) goRange() (instead string, names []string) {
	at := w.word("range")
	over := w.from(at+1, len(w.text)).String()
	if at == 0 {
		return "_ in 0.." + over, nil
	}
	names = w.from(0, at-1).names()
	switch {
	case len(names) == 2 && names[0] == "_":
		return names[1] + " in " + over, names[1:]
	case len(names) == 1 && w.kinds[len(w.kinds)-1] == token.Int:
		return names[0] + " in 0.." + over, names
	case len(names) == 1:
		return names[0] + ", _ in " + over, names
	case len(names) == 0:
		return "_ in " + over, nil
	}
	return strings.Join(names, ", ") + " in " + over, names
}

// stepSlip reads the steps of `for i in 0..10 step 2`, of Kotlin and Swift.
func (p *parser) stepSlip(f *For) {
	r, ok := f.X.(*RangeLit)
	if !ok || p.nl || !p.at("step") && !p.at("by") || !startsOperand(p.next2()) {
		return
	}
	d := p.report(diag.ForeignSyntax, p.here(), "a range counts in steps by its method `step_by`")
	p.next()
	p.errAt = -1
	n := p.head()
	d.Fixes = []diag.Fix{{Title: "write `step_by`", Edits: []diag.Edit{{Span: point(r.Sp.Start), New: "("}, {Span: diag.Span{Start: r.Sp.End, End: n.Span().Start}, New: ").step_by("}, {Span: point(n.Span().End), New: ")"}}}}
}

// luaFor returns `i in a..=b` for `i = a, b` and `(a..=b).step_by(n)` for `a, b, n`.
func (w words) luaFor() (instead string, names []string) {
	eq := w.index(token.Eq)
	i := w.text[eq-1]
	names = []string{i}
	parts := w.from(eq+1, len(w.text)).split()
	switch {
	case len(parts) == 2:
		return i + " in " + parts[0] + "..=" + parts[1], names
	case len(parts) == 3 && parts[2] == "-1":
		return i + " in (" + parts[1] + "..=" + parts[0] + ").reverse()", names
	case len(parts) == 3 && !strings.HasPrefix(parts[2], "-"):
		return i + " in (" + parts[0] + "..=" + parts[1] + ").step_by(" + parts[2] + ")", names
	}
	return "", names
}

// split parts the words at the commas outside of brackets.
func (w words) split() (parts []string) {
	depth, from := 0, 0
	for i, k := range w.kinds {
		switch k {
		case token.LParen, token.LBrack:
			depth++
		case token.RParen, token.RBrack:
			depth--
		case token.Comma:
			if depth == 0 {
				parts = append(parts, w.from(from, i).String())
				from = i + 1
			}
		}
	}
	return append(parts, w.from(from, len(w.text)).String())
}

// eachOf returns `x in xs` for `const x of xs`, `int x : xs` and `x in xs`.
func (w words) eachOf() (instead string, names []string) {
	at := w.index(token.In)
	for _, word := range []string{"of", ":"} {
		if at < 0 {
			at = w.word(word)
		}
	}
	if at < 1 || at == len(w.text)-1 {
		return "", nil
	}
	names = w.from(0, at).names()
	if len(names) == 0 || len(names) > 2 {
		return "", nil
	}
	return strings.Join(names, ", ") + " in " + w.from(at+1, len(w.text)).String(), names
}
