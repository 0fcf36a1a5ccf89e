package types

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// checker is the state of one Check and of the lazy checks after it.
//
//	load      parse a module, declare its names, load what it imports
//	resolve   signatures: type parameters, fields, parameters, results
//	check     top-level statements, then bodies (of the library: when asked)
//	finish    spawned code, unused names
type checker struct {
	prog *Program
	opts Options

	steps    uint // of the work that is watched
	reports  []*diag.Diagnostic
	reported [4]int                    // how many there have been: see kindOf
	likened  int                       // names looked through for one that may be meant
	follows  map[*diag.Diagnostic]bool // reports that follow from another one
	core     coreTypes
	lib      prelude
	load     loader
	fns      map[*FuncDecl]*fnState
	consts   map[*ConstObj]*constDef
	fields   map[*TypeDecl]bool // whose field defaults are to be checked; not those of names outside
	checks   []func()           // type arguments of signatures, checked once all are resolved
	broken   bool               // something could not be parsed: names may seem unused
	ready    bool               // signatures are resolved: check type arguments at once
	spawns   []spawnSite
	mutated  map[Object]bool // vars that are assigned
	globals  map[*Global]bool
	lits     map[*syntax.Lambda]*frame   // of lambdas already checked
	fixed    map[diag.Span]bool          // declarations of what was reported as assigned to
	negated  *syntax.Unary               // the `!` whose operand is checked as a condition
	keys     map[*syntax.Ident]bool      // keys of map literals that are bare names
	keyAt    report                      // what told of the first bare key of the outermost map literal
	inMap    int                         // map literals around
	assigned map[string]bool             // names that are assigned to and declared nowhere
	lost     map[*Module]map[string]bool // the words of statements that could not be parsed
	// consequences are where names are not known for a syntax error that is reported.
	consequences []diag.Span
	lambdas      map[Object]*frame // of lets whose value is a lambda
	decided      map[Object]*later // lets that do not say their whole type
	current      diag.Span         // the statement that is checked

	compared map[[2]*TypeDecl]bool // types and interfaces, see nearMisses

	env
	inference
	depth int // of nested expressions, patterns, type expressions
}

// env is where the checker is; checking another body meanwhile replaces it.
type env struct {
	mod     *Module
	info    *Info
	frame   *frame
	names   []binding
	bound   map[string]int // where names were bound last: see innermost
	either  Type           // a hint that is not a demand: it may be an optional of that as well
	facts   []fact
	tparams []*TypeParam
	self    Type            // type of self, nil outside methods
	on      *TypeDecl       // the type that the functions around stand in, nil outside types
	test    bool            // in a test
	binding *syntax.LetStmt // whose value is checked
}

// fnState says how far the body of a function is checked, and what it does.
type fnState struct {
	started bool
	effects effects
	used    bool
}

// maxDepth bounds the nesting of what is checked.
const maxDepth = 30_000

// Check parses what main imports, and checks all of it. The Program is of use
// only when no diagnostic is an error.
func Check(fs *diag.FileSet, main *syntax.File, opts Options) (*Program, []diag.Diagnostic) {
	c := &checker{
		prog:     &Program{Files: fs, Prelude: &Prelude{}},
		opts:     opts,
		fns:      map[*FuncDecl]*fnState{},
		consts:   map[*ConstObj]*constDef{},
		fields:   map[*TypeDecl]bool{},
		mutated:  map[Object]bool{},
		globals:  map[*Global]bool{},
		lits:     map[*syntax.Lambda]*frame{},
		fixed:    map[diag.Span]bool{},
		keys:     map[*syntax.Ident]bool{},
		assigned: map[string]bool{},
		decided:  map[Object]*later{},
		lost:     map[*Module]map[string]bool{},
		follows:  map[*diag.Diagnostic]bool{},
		lambdas:  map[Object]*frame{},
		compared: map[[2]*TypeDecl]bool{},
	}
	c.prog.c = c
	if stopped := c.within(opts.Context, func() { c.checkMain(main) }); stopped != nil {
		return c.prog, stopped
	}
	return c.prog, c.take()
}

// checkMain checks a program from its main file on.
func (c *checker) checkMain(main *syntax.File) {
	c.openPrelude()
	c.loadMain(main)
	c.runChecks()
	c.ready = true
	for _, m := range c.prog.Modules {
		c.checkModule(m)
	}
	if c.opts.At == 0 {
		c.checkSpawns()
		c.reportUnused()
	}
}

// tick counts work, and looks from time to time whether the check is to end. What
// it has begun of the library it ends: that is short, and kept for a later entry.
func (c *checker) tick() {
	if c.steps++; c.steps%1024 == 0 && (c.mod == nil || !c.mod.Std) {
		diag.Stop(c.opts.Context)
	}
}

// within runs f until a context ends; then it gives the diagnostic that says so, and
// what f was at is of no use.
func (c *checker) within(ctx context.Context, f func()) (stopped []diag.Diagnostic) {
	c.opts.Context = ctx
	defer func() {
		c.opts.Context = nil // later questions about the program are not bound by it
		switch r := recover().(type) {
		case nil:
		case *diag.Stopped:
			stopped = []diag.Diagnostic{r.Diagnostic()}
		default:
			stopped = append(c.take(), diag.Defect(r))
		}
	}()
	diag.Stop(ctx)
	f()
	return nil
}

// Body returns the Info under which fn's body and its parameters' defaults are
// typed, checking it first when it is a library function not yet checked.
func (p *Program) Body(fn *FuncDecl) *Info {
	p.c.body(fn)
	return fn.Module.Info
}

// CheckLibrary checks every body of the prelude and of the library modules
// loaded, and gives what was found.
func (p *Program) CheckLibrary() []diag.Diagnostic {
	c := p.c
	c.loadWholePrelude()
	for _, m := range append(slices.Clone(p.Prelude.Modules), p.Modules...) {
		if !m.Std {
			continue
		}
		for _, t := range m.Types {
			c.fieldDefaults(t)
			c.checkRules(t)
			c.bodies(t)
		}
		for _, f := range m.Funcs {
			c.body(f)
		}
	}
	for _, e := range p.Prelude.Extends {
		for _, f := range e.Methods {
			c.body(f)
		}
	}
	return c.take()
}

// LateDiagnostics returns what Body found since Check: errors in the bodies of
// library functions.
func (p *Program) LateDiagnostics() []diag.Diagnostic { return p.c.take() }

// ---- diagnostics ----

// report is a diagnostic under construction.
type report struct {
	*diag.Diagnostic
	c *checker
}

func (c *checker) err(code diag.Code, at diag.Span, format string, args ...any) report {
	return c.add(code, diag.Error, at, format, args)
}

func (c *checker) warn(code diag.Code, at diag.Span, format string, args ...any) report {
	return c.add(code, diag.Warning, at, format, args)
}

func (c *checker) add(code diag.Code, sev diag.Severity, at diag.Span, format string, args []any) report {
	d := &diag.Diagnostic{Code: code, Severity: sev, Span: at, Message: fmt.Sprintf(format, args...)}
	follows := namesInvalid(d.Message)
	if kind := kindOf(sev, follows); c.reported[kind] < maxReports {
		c.reports = append(c.reports, d)
		c.reported[kind]++
		if follows {
			c.follows[d] = true
		}
	}
	return report{d, c}
}

// maxReports is the most reports of a kind that are kept: nobody mends more at once.
const maxReports = 1000

// kindOf tells errors from warnings, and what is wrong from what follows from it: many
// of one kind do not hide the others.
func kindOf(sev diag.Severity, follows bool) (kind int) {
	if sev == diag.Error {
		kind += 2
	}
	if follows {
		kind++
	}
	return kind
}

// followsFrom marks what was reported at a place as the consequence of another
// report.
func (c *checker) followsFrom(code diag.Code, at diag.Span) {
	for _, d := range c.reports {
		if d.Code == code && d.Span == at {
			c.follows[d] = true
		}
	}
}

// namesInvalid reports whether a text names a type that is wrong already: it
// says nothing to the user.
func namesInvalid(text string) bool { return strings.Contains(text, Invalid.String()) }

func (r report) text(format string, args ...any) report {
	if s := fmt.Sprintf(format, args...); !namesInvalid(s) {
		r.Text = s
	}
	return r
}

func (r report) label(at diag.Span, format string, args ...any) report {
	if s := fmt.Sprintf(format, args...); at.IsValid() && !namesInvalid(s) {
		r.Labels = append(r.Labels, diag.Label{Span: at, Text: s})
	}
	return r
}

func (r report) note(format string, args ...any) report {
	if s := fmt.Sprintf(format, args...); !namesInvalid(s) {
		r.Notes = append(r.Notes, s)
	}
	return r
}

func (r report) help(format string, args ...any) report {
	if s := fmt.Sprintf(format, args...); !namesInvalid(s) {
		r.Help = append(r.Help, s)
	}
	return r
}

func (r report) fix(title string, edits ...diag.Edit) report {
	r.Fixes = append(r.Fixes, diag.Fix{Title: title, Edits: edits})
	return r
}

// take empties the list of diagnostics: in source order, each once.
func (c *checker) take() []diag.Diagnostic {
	cause := c.opts.Broken
	for _, d := range c.reports {
		cause = cause || d.Severity == diag.Error && !c.follows[d]
	}
	out := make([]diag.Diagnostic, 0, len(c.reports))
	for _, d := range c.reports {
		if !cause || !c.follows[d] {
			out = append(out, *d)
		}
	}
	full := slices.Max(c.reported[:]) == maxReports
	c.reports, c.reported, c.likened = nil, [4]int{}, 0
	clear(c.follows)
	out = c.withoutConsequences(out)
	slices.SortStableFunc(out, func(a, b diag.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Code, b.Code))
	})
	out = slices.CompactFunc(out, func(a, b diag.Diagnostic) bool {
		return a.Code == b.Code && a.Span == b.Span && a.Message == b.Message
	})
	if full && len(out) > 0 {
		last := &out[len(out)-1]
		last.Notes = append(last.Notes, "there may be more errors and warnings: they are not shown")
	}
	return out
}

// source is the text of a span, on one line and not too long.
func (c *checker) source(at diag.Span) string {
	f := c.prog.Files.File(at.Start)
	if f == nil || !at.IsValid() || int(at.End-f.Base) > len(f.Src) || at.End < at.Start {
		return ""
	}
	return f.Text(at)
}

// lineFrom is the rest of a line of the source.
func (c *checker) lineFrom(at uint32) string {
	f := c.prog.Files.File(at)
	if f == nil {
		return ""
	}
	rest, _, _ := strings.Cut(string(f.Src[at-f.Base:]), "\n")
	return rest
}

// place names a position as `file:line`.
func (c *checker) place(at diag.Span) string {
	f := c.prog.Files.File(at.Start)
	if f == nil {
		return "?"
	}
	line, _ := f.Pos(at.Start)
	return fmt.Sprintf("%s:%d", f.Name, line)
}

// enter guards a recursion: it reports once that the program is nested too
// deeply, and is false then.
func (c *checker) enter(at diag.Span) bool {
	c.tick()
	if c.depth >= maxDepth {
		c.err(diag.TooDeep, at, "this is nested too deeply").
			note("more than %d levels", maxDepth).
			help("move a part of it into a `let` or a function of its own")
		return false
	}
	c.depth++
	return true
}

func (c *checker) leave() { c.depth-- }

// in runs f in another place, with its own names, facts and inference.
func (c *checker) in(e env, f func()) {
	env, inf := c.env, c.inference
	c.env, c.inference = e, inference{}
	f()
	c.env, c.inference = env, inf
}

// listed joins names as prose: `a`, `b` and `c`.
func listed(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = "`" + n + "`"
	}
	if len(q) < 2 {
		return strings.Join(q, "")
	}
	return strings.Join(q[:len(q)-1], ", ") + " and " + q[len(q)-1]
}

// wereCount says how many were: "1 was", "2 were".
func wereCount(n int) string {
	if n == 1 {
		return "1 was"
	}
	return fmt.Sprintf("%d were", n)
}

func plural(n int, one string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", one)
	}
	return fmt.Sprintf("%d %ss", n, one)
}
