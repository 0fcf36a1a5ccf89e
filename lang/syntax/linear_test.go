package syntax

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/runnel-lang/runnel/internal/testgen/linear"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/lang/diag"
)

// words are pieces of programs, whole ones and such as break others.
var pieces = strings.Split("a|1|1.5|1e|2s|0x|let |fn |f|struct S|enum E|if |else |match |for |in |while |return |spawn |await |select |"+
	"lock |try |catch |throw |defer |import |pub |const |var |interface |type |test |scope |break |continue |as |is |none |true |"+
	"(|)|[|]|{|}|<|>|,|;|:|.|..|...|?|?.|??|!|!=|==|=|=>|->|+|-|*|**|/|%|&|&&|\\|^|~|<<|>>|>>=|+=|@|$|#|'|'a|'a: |\"|\"${|${|b\"|\\\"|\\'|`|"+
	"//|///|/*|*/| |\n|\t|\r|é|\u2028|\xff|\x00|_|let x = |(a, |f(|a<|[1, |{a: ", "|")

var allPieces = flag.Bool("all-pieces", false, "TestRepeatedPiecesAreLinear takes every pair of pieces")

// Whatever is repeated, a text of twice the length takes about twice the time.
func TestRepeatedPiecesAreLinear(t *testing.T) {
	try := func(piece string) {
		grows := linear.Grows(10_000, 400_000, func(n int) {
			var fs diag.FileSet
			Parse(fs.Add("x", strings.Repeat(piece, n/len(piece))))
		})
		assert.Empty(t, grows, "%q", piece)
	}
	if !*allPieces {
		for range longtest.Of(30, 1000) {
			try(pieces[rand.IntN(len(pieces))] + pieces[rand.IntN(len(pieces))])
		}
		for _, piece := range []string{"#\n", `'\`, `b"\`, "[)", `){a: `, `"${)`} {
			try(piece)
		}
		return
	}
	for _, a := range pieces {
		for _, b := range pieces {
			try(a + b)
		}
	}
}

// onOneLine are mistakes whose reading looks ahead, or back.
var onOneLine = []string{
	"print(7 -- -1)", "x -- y", "print(x ? 1 : 2)", "a, b := 1", "x === y", "print('a')", "let j = [x for x in xs]", "f = (a) => a", "x = #y",
	"let a = function(x) { x }", "if x := f(); x { }", "for (i = 0; i < 3; i++) { }", "print \"a\"", "x = y if z else w", "int x = 3", "a ~= b", "b.empty?",
}

// However many mistakes stand on one line, each costs the same. Reading ahead is fast, so
// that only long lines tell.
func TestMistakesOnOneLineAreLinear(t *testing.T) {
	for _, one := range longtest.Sample(onOneLine, 3) {
		assert.Empty(t, linear.Grows(5_000, 20_000, func(n int) {
			var fs diag.FileSet
			Parse(fs.Add("x", strings.Repeat(one+"; ", n)))
		}), one)
	}
}
