package types

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/lang/diag"
	"github.com/runnel-lang/runnel/lang/syntax"
)

// maxImportDepth bounds a chain of imports.
const maxImportDepth = 500

// loader finds each module once, by the key of its source.
type loader struct {
	byKey map[string]*Module
	open  []opened // modules whose imports are being loaded, outermost first
	ahead map[string]*parsed

	fresh    map[*Module]bool   // of an entry: whether what was loaded is what its files say; nil: not asked
	replaced map[string]*Module // of an entry: what was loaded and is not fresh
}

// parsed is a source that is parsed by another goroutine.
type parsed struct {
	done  chan struct{}
	file  *syntax.File
	diags []diag.Diagnostic
	panic any
}

// parse parses a file of the program. One of the library is short.
func (c *checker) parse(f *diag.File, std bool) (*syntax.File, []diag.Diagnostic) {
	if std {
		return syntax.Parse(f)
	}
	file, diags := syntax.ParseContext(c.opts.Context, f)
	diag.Stop(c.opts.Context)
	return file, diags
}

// parseAhead begins to parse what an import leads to.
func (c *checker) parseAhead(list []Source) {
	for _, src := range list {
		if c.load.byKey[src.Key] != nil || c.load.ahead[src.Key] != nil {
			continue
		}
		df := c.prog.Files.Add(src.Name, src.Text)
		if df == nil {
			return
		}
		p := &parsed{done: make(chan struct{})}
		c.load.ahead[src.Key] = p
		go func() {
			defer close(p.done)
			defer func() { p.panic = recover() }()
			p.file, p.diags = syntax.Parse(df)
		}()
	}
}

// wait returns what was parsed.
func (p *parsed) wait() (*syntax.File, []diag.Diagnostic) {
	<-p.done
	if p.panic != nil {
		panic(p.panic)
	}
	return p.file, p.diags
}

type opened struct {
	key string
	mod *Module
	at  diag.Span // the import that opened it
}

func newInfo(f *syntax.File) *Info {
	return &Info{
		Types:       make([]Type, f.NumIDs+1),
		Uses:        make([]Object, f.NumIDs+1),
		Consts:      map[syntax.ID]Const{},
		Calls:       map[*syntax.Call]*CallInfo{},
		Operators:   map[syntax.Node]*CallInfo{},
		Members:     map[*syntax.Member]*MemberInfo{},
		Pats:        map[syntax.Pattern]*PatInfo{},
		Fors:        map[*syntax.For]*ForInfo{},
		Catches:     map[*syntax.CatchClause]*Local{},
		Locks:       map[*syntax.Lock]*Local{},
		Params:      map[*syntax.Param]*Local{},
		Selfs:       map[*syntax.FnDecl]*Local{},
		Captures:    map[syntax.Expr][]*Local{},
		LocalFns:    map[*syntax.FnDecl][]*Local{},
		Variants:    map[*syntax.Is]*syntax.VariantPattern{},
		Labels:      map[syntax.Expr]syntax.Expr{},
		Insts:       map[syntax.ID][]Type{},
		GlobalBinds: map[*syntax.BindPattern]*Global{},
		ConstBinds:  map[*syntax.BindPattern]*ConstObj{},
	}
}

func (c *checker) loadMain(f *syntax.File) {
	c.load.byKey, c.load.ahead = map[string]*Module{}, map[string]*parsed{}
	c.broken = c.opts.Broken
	m := &Module{Path: "main", Name: "main", Script: true, File: f, Info: newInfo(f), Doc: f.Doc, outer: c.opts.Outer}
	c.prog.Main = m
	c.load.open = append(c.load.open, opened{key: path.Clean(f.Source.Name), mod: m})
	c.declare(m)
	c.load.open = nil
	c.resolve(m)
	c.prog.Modules = append(c.prog.Modules, m)
}

// importModule loads what imp names, or gives nil after a report.
func (c *checker) importModule(from *Module, imp *syntax.ImportDecl) *Module {
	if c.opts.Loader == nil {
		c.err(diag.ModuleNotFound, imp.PathSp, "there is no module `%s`", imp.Path)
		return nil
	}
	src, err := c.opts.Loader.Load(from, imp.Path, imp.IsFile)
	if err != nil {
		if imp.IsFile && errors.Is(err, fs.ErrNotExist) {
			d := c.err(diag.ModuleNotFound, imp.PathSp, "there is no file `%s.rnl` to import", strings.TrimSuffix(imp.Path, ".rnl"))
			if name := path.Base(imp.Path); slices.Contains(c.opts.Loader.Names(), name) {
				d.fix("the library's module is imported without quotes", diag.Edit{Span: imp.PathSp, New: name})
			} else if help := foreignModules()[name]; help != "" {
				d.help("%s", help)
			} else {
				d.help("the path is relative to the file that imports it")
			}
			return nil
		}
		d := c.err(diag.ModuleNotFound, imp.PathSp, "cannot import `%s`: %v", imp.Path, err)
		if !imp.IsFile {
			if help := foreignModules()[imp.Path]; help != "" {
				d.help("%s", help)
			} else if !d.didYouMean(imp.Path, imp.PathSp, c.opts.Loader.Names()) {
				d.help("a file beside this one is imported as `import \"./%s\"`", imp.Path)
			}
		}
		return nil
	}
	if i := slices.IndexFunc(c.load.open, func(o opened) bool { return o.key == src.Key }); i >= 0 {
		c.reportCycle(c.load.open[i:], imp)
		return nil
	}
	if m, ok := c.load.byKey[src.Key]; ok {
		if m == nil || c.isFresh(m, src) {
			return m
		}
		c.load.replaced[src.Key] = m
	}
	if len(c.load.open) > maxImportDepth {
		c.err(diag.TooDeep, imp.PathSp, "more than %d modules import one another", maxImportDepth)
		return nil
	}
	key := imp.Path
	if imp.IsFile {
		key = src.Key // the same relative path means another file elsewhere
	}
	c.parseAhead(src.With)
	m := c.parseModule(src, moduleName(imp.Path), key)
	c.load.byKey[src.Key] = m
	if m == nil {
		c.err(diag.ModuleNotFound, imp.PathSp, "cannot import `%s`: the program is too large", imp.Path)
		return nil
	}
	c.load.open = append(c.load.open, opened{src.Key, m, imp.PathSp})
	c.declare(m)
	c.load.open = c.load.open[:len(c.load.open)-1]
	c.resolve(m)
	c.prog.Modules = append(c.prog.Modules, m)
	return m
}

// isFresh reports whether a module is what its file says now, and what it imports too:
// an entry of a session that imports it again has it loaded again otherwise.
func (c *checker) isFresh(m *Module, src Source) bool {
	fresh, known := c.load.fresh[m]
	if known || m.Std || c.load.fresh == nil {
		return fresh || !known
	}
	fresh = m.File.Source.Src == src.Text
	for _, item := range m.File.Items {
		imp, ok := item.(*syntax.ImportDecl)
		if !fresh || !ok || !imp.IsFile {
			continue
		}
		src, err := c.opts.Loader.Load(m, imp.Path, true)
		dep := c.load.byKey[src.Key]
		fresh = err == nil && slices.Contains(m.Imports, dep) && c.isFresh(dep, src)
	}
	c.load.fresh[m] = fresh
	return fresh
}

// parseModule parses a source; nil when no positions are left for it.
func (c *checker) parseModule(src Source, name, path string) *Module {
	var f *syntax.File
	var diags []diag.Diagnostic
	if ahead := c.load.ahead[src.Key]; ahead != nil {
		f, diags = ahead.wait()
	} else {
		df := c.prog.Files.Add(src.Name, src.Text)
		if df == nil {
			return nil
		}
		f, diags = c.parse(df, src.Std)
	}
	for i := range diags {
		c.broken = c.broken || diags[i].Severity == diag.Error
		c.reports = append(c.reports, &diags[i])
	}
	return &Module{Path: path, Name: name, Std: src.Std, File: f, Info: newInfo(f), Doc: f.Doc}
}

// moduleName is how a module imported by path is called by default.
func moduleName(p string) string {
	return strings.TrimSuffix(path.Base(p), ".rnl")
}

func (c *checker) reportCycle(chain []opened, imp *syntax.ImportDecl) {
	names := make([]string, 0, len(chain)+1)
	for _, o := range chain {
		names = append(names, o.mod.Name)
	}
	names = append(names, chain[0].mod.Name)
	d := c.err(diag.ImportCycle, imp.PathSp, "the imports form a cycle: %s", strings.Join(names, " -> ")).
		help("move what both need into a module of its own")
	for _, o := range chain[1:] {
		d.label(o.at, "imports `%s`", o.mod.Name)
	}
}
