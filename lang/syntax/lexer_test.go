package syntax

import (
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/lang/syntax/token"
)

// lex writes the tokens of a text: a fixed token as itself, others as kind:text.
func lex(t *testing.T, src string) string {
	t.Helper()
	toks, err := lexer.ConsumeAll(newScanner("test.rnl", src, 1))
	require.NoError(t, err)
	names := map[token.Kind]string{
		token.Comment: "comment", token.DocComment: "doc", token.Invalid: "invalid", token.BadLit: "bad",
		token.Unterminated: "broken", token.Ident: "name", token.Label: "label", token.Int: "int", token.Float: "float",
		token.Duration: "duration", token.Bytes: "bytes", token.RawStr: "raw", token.Str: "str", token.StrHead: "head",
		token.StrMid: "mid", token.StrTail: "tail", token.Spec: "spec",
		token.GtEq: ">|", token.GtGt: ">|", token.GtGtEq: ">|",
	}
	var out []string
	for _, tok := range toks[:len(toks)-1] {
		k := kindOf(&tok)
		switch name := names[k]; {
		case name == ">|":
			out = append(out, name)
		case name != "":
			out = append(out, name+":"+tok.Value)
		default:
			require.Equal(t, k.String(), tok.Value)
			out = append(out, tok.Value)
		}
	}
	return strings.Join(out, " ")
}

func TestLexer(t *testing.T) {
	for _, c := range [][2]string{
		{"", ""},
		{"let lets LET", "let name:lets name:LET"},
		{"a.let?.in", "name:a . name:let ?. name:in"},
		{"1 1_000 0xFF_f 0b10 0o17 00", "int:1 int:1_000 int:0xFF_f int:0b10 int:0o17 int:00"},
		{"1.5 1.e 1..2 1.5.6 1e9 1E-9 1e", "float:1.5 int:1 . name:e int:1 .. int:2 float:1.5 . int:6 float:1e9 float:1E-9 bad:1e"},
		{"t.0.1 t.0x1", "name:t . int:0 . int:1 name:t . int:0 name:x1"},
		{"1s 10ms 1.5h 1_000us 1e3s 1x 1_", "duration:1s duration:10ms duration:1.5h duration:1_000us bad:1e3s bad:1x bad:1_"},
		{"0z1 0x", "bad:0z1 int:0x"},
		{`"a" b"c" b "d\"e"`, `str:"a" bytes:b"c" name:b str:"d\"e"`},
		{"`a\nb`c", "raw:`a\nb` name:c"},
		{`"a${b}c${d}e"`, `head:"a${ name:b mid:}c${ name:d tail:}e"`},
		{`"${ {a: "${b}"}[c:d] :>3}"`, `head:"${ { name:a : head:"${ name:b tail:}" } [ name:c : name:d ] spec::>3 tail:}"`},
		{`"\${a} $b $"`, `str:"\${a} $b $"`},
		{"\"\"\"\na \"b\" \"\"\\\"\"\"\"\nc", "str:\"\"\"\na \"b\" \"\"\\\"\"\"\" name:c"},
		{"\"\"\"\n${a}\n ${\"${b}\"} \"\"\"c", "head:\"\"\"\n${ name:a mid:}\n ${ head:\"${ name:b tail:}\" tail:} \"\"\" name:c"},
		{"\"\"\"\na", "bad:\"\"\"\na"},
		{"\"\"\"\n${a\nb\n\"\"\" c", "head:\"\"\"\n${ name:a broken:\nb\n\"\"\" name:c"},
		{"\"\"\"\n${\"a\n${b} \"\"\" c", "head:\"\"\"\n${ broken:\"a\n${b} \"\"\" name:c"},
		{"\"\"\"\n${a}b", "head:\"\"\"\n${ name:a broken:}b"},
		{"'''\na'''b", "bad:'''\na''' name:b"},
		{"\"a\nb", `bad:"a name:b`},
		{"\"a${b\nc", "head:\"a${ name:b broken: name:c"},
		{"\"a${b}c\nd", "head:\"a${ name:b broken:}c name:d"},
		{"\"a${b(\n)", "head:\"a${ name:b ( broken: )"},
		{"\"a${", "head:\"a${ broken:"},
		{`"a${b")`, "head:\"a${ name:b broken:\" )"},
		{`"a${b b")`, "head:\"a${ name:b name:b broken:\" )"},
		{`"a${b "c ${d")`, "head:\"a${ name:b head:\"c ${ name:d broken:\" )"},
		{"`a", "bad:`a"},
		{"'a: break 'b 'c' 'd e' '", "label:'a : break label:'b bad:'c' bad:'d e' invalid:'"},
		{"// a\n/// b\n//// c\n/* d /* e */ f */ g", "comment:// a doc:/// b comment://// c comment:/* d /* e */ f */ name:g"},
		{"/* a", "invalid:/* a"},
		{"#!x\n#!y\nz", "comment:#!x invalid:#!y name:z"},
		{"> >= >> >>= >>> > =", "> >| = >| > >| >| = >| >| > > ="},
		{"a>=>b", "name:a > => name:b"},
		{"x>==y", "name:x > == name:y"},
		{"... ..= .. . ?. ?? ? ?..", ".. . ..= .. . ?. ?? ? ?. ."},
		{"-> => - = == === != ! ** * *= **=", "-> => - = == == = != ! ** * *= ** ="},
		{"<<= << <= < <- & && &= | || |= ^ ^= ~", "<<= << <= < < - & && &= | || |= ^ ^= ~"},
		{":: := : ; ++ += + -- -=", ":: := : ; ++ += + - - -="},
		{"a@b größe “x”", "name:a invalid:@ name:b name:gr invalid:öße invalid:“x”"},
		{"\xff\x00a", "invalid:\xff invalid:\x00 name:a"},
		{"\ufeffa", "name:a"},
	} {
		assert.Equal(t, c[1], lex(t, c[0]), "%q", c[0])
	}
}

func TestTokenPositions(t *testing.T) {
	l := newScanner("f", "a\n\t\"b${c}\"\n`d\n` e", 10)
	var got []lexer.Position
	for {
		tok, _ := l.Next()
		tok.Pos.Filename = ""
		got = append(got, tok.Pos)
		if tok.EOF() {
			break
		}
	}
	assert.Equal(t, []lexer.Position{
		{Offset: 10, Line: 1, Column: 1}, {Offset: 13, Line: 2, Column: 2}, {Offset: 17, Line: 2, Column: 6},
		{Offset: 18, Line: 2, Column: 7}, {Offset: 21, Line: 3, Column: 1}, {Offset: 26, Line: 4, Column: 3},
		{Offset: 27, Line: 4, Column: 4},
	}, got)
}

func TestKinds(t *testing.T) {
	for k := range token.NumKinds {
		assert.NotEmpty(t, k.String())
		assert.Equal(t, k.IsKeyword(), token.Lookup(k.String()) == k && k != token.Ident, k.String())
	}
	assert.Len(t, token.Keywords(), int(token.Yield-token.As)+1)
}
