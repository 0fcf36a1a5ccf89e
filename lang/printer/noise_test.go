package printer

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/internal/testgen/progen"
	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
	"github.com/runnel-lang/runnel/lang/syntax/token"
)

var (
	generated = flag.Int("programs", longtest.Of(40, 1000), "how many generated programs are formatted")
	first     = flag.Uint64("first", 0, "the seed of the first one")
)

// 100 generated programs; with -programs, as many as that.
func TestGeneratedPrograms(t *testing.T) {
	for i := range uint64(*generated) {
		seed := *first + i
		src := progen.Program(seed)
		if _, ok := check(t, src); !ok {
			t.Fatalf("program %d has errors", seed)
		}
		if noisy := noise(src, seed); noisy != src {
			check(t, noisy)
		}
	}
}

// Programs of the repository, laid out otherwise: with -programs 1000 and more,
// each of them.
func TestNoisyPrograms(t *testing.T) {
	for path, src := range programs(t) {
		if !parses(src) || len(src) > 20_000 || *generated < 1000 && len(src)%8 != 0 {
			continue
		}
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(1 + *generated/1000) {
				check(t, noise(src, seed))
			}
		})
	}
}

func parses(src string) bool {
	_, diags := syntax.Parse(source(src))
	return !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
}

// edit gives what stands before a token another text, or the token itself.
type edit struct {
	at    int // the token
	token bool
	text  string
}

// noise lays a program out at random: other spaces, line breaks, empty lines,
// comments, separators and longer names wherever what comes out is still a
// program, though perhaps another one.
func noise(src string, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, uint64(len(src))))
	file, _ := syntax.Parse(source(src))
	p := &layout{src: src, toks: file.Tokens, base: file.Source.Base, edits: map[edit]bool{}}
	var list []edit
	for range min(20, len(p.toks)) {
		list = append(list, p.edit(r, r.IntN(len(p.toks))))
	}
	p.try(list)
	return p.text()
}

type layout struct {
	src   string
	toks  []token.Token
	base  uint32
	edits map[edit]bool
}

// try makes those of a list of edits that leave a program.
func (p *layout) try(list []edit) {
	if len(list) == 0 {
		return
	}
	for _, e := range list {
		p.edits[e] = true
	}
	if parses(p.text()) {
		return
	}
	for _, e := range list {
		delete(p.edits, e)
	}
	if len(list) > 1 {
		p.try(list[:len(list)/2])
		p.try(list[len(list)/2:])
	}
}

func (p *layout) edit(r *rand.Rand, i int) edit {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	before := p.before(i)
	switch r.IntN(8) {
	case 0:
		return edit{i, false, pick(" ", "", "   ", "\t")}
	case 1:
		return edit{i, false, pick("\n", "\n\n", "\n\n\n  ", "\r\n", "  \n\t")}
	case 2:
		return edit{i, false, before + pick("/* ", "/** ", "/* /* */") + fmt.Sprint(i) + pick(" */", "\n*/", " */ /* again */", " */\n")}
	case 3:
		return edit{i, false, before + pick("// ", "  // ", "/// ", "//") + fmt.Sprint(i) + pick("\n", "  \n", "\r\n", "\n\n", "\n// more\n  ")}
	case 4:
		return edit{i, false, pick("; ", ";", ", ", " ;\n", "\n;", "\n, ", " // then\n;", ";;", " /* then */, ", ",\n", "")}
	case 5:
		if strings.Contains(before, "\n") && !strings.Contains(before, "//") {
			return edit{i, false, pick(";", " ", ",")}
		}
	case 6:
		if kind := p.toks[i].Kind; kind == token.Comma || kind == token.Semi {
			return edit{i, true, ""}
		}
	case 7:
		if p.toks[i].Kind == token.Ident {
			return edit{i, true, p.at(i) + strings.Repeat("_long", r.IntN(20))}
		}
	}
	return edit{i, false, before + " "}
}

// before is what stands between a token and the one in front of it.
func (p *layout) before(i int) string {
	from := p.base
	if i > 0 {
		from = p.toks[i-1].Sp.End
	}
	return p.src[from-p.base : p.toks[i].Sp.Start-p.base]
}

func (p *layout) at(i int) string {
	return p.src[p.toks[i].Sp.Start-p.base : p.toks[i].Sp.End-p.base]
}

func (p *layout) text() string {
	changed := map[int]edit{}
	for e := range p.edits {
		changed[e.at] = e
	}
	var b strings.Builder
	for i := range p.toks {
		before, text := p.before(i), p.at(i)
		if e, ok := changed[i]; ok && e.token {
			text = e.text
		} else if ok {
			before = e.text
		}
		b.WriteString(before + text)
	}
	return b.String()
}
