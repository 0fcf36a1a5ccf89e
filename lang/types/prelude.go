package types

import (
	"strings"
)

// prelude loads the prelude's files when a name or a method of a built-in type
// that they declare is first asked for. To know what they declare without
// parsing them, their lines are scanned: declarations begin in column one.
type prelude struct {
	byName map[string]*preludeFile
	byHead map[string][]*preludeFile // by the built-in type they extend
	files  []*preludeFile
	exts   map[string][]*Extend
}

type preludeFile struct {
	src Source
	mod *Module // nil until loaded
}

// coreTypes are the interfaces of the prelude that the language knows.
type coreTypes struct{ decls map[string]*TypeDecl }

func (k *coreTypes) is(d *TypeDecl, name string) bool { return d.Name == name && k.decls[name] == d }

// coreNames are the interfaces with a meaning to the checker.
var coreNames = []string{"Error", "Ordered", "Hashable", "Number", "AddOp", "SubOp", "SinceOp", "MulOp", "DivOp", "RemOp", "PowOp", "NegOp", "Comparable", "Show"}

func (c *checker) openPrelude() {
	p := &c.lib
	p.byName, p.byHead, p.exts = map[string]*preludeFile{}, map[string][]*preludeFile{}, map[string][]*Extend{}
	for _, src := range c.opts.Prelude {
		f := &preludeFile{src: src}
		p.files = append(p.files, f)
		scanDeclarations(src.Text, func(name string) {
			if p.byName[name] == nil {
				p.byName[name] = f
			}
		}, func(head string) {
			if fs := p.byHead[head]; len(fs) == 0 || fs[len(fs)-1] != f {
				p.byHead[head] = append(fs, f)
			}
		})
	}
	c.core.decls = map[string]*TypeDecl{}
	for _, name := range coreNames {
		if d, ok := c.preludeName(name).(*TypeDecl); ok {
			c.core.decls[name] = d
		}
	}
}

// scanDeclarations finds the names and extended types a prelude file declares.
func scanDeclarations(text string, name, extends func(string)) {
	for len(text) > 0 {
		line := text
		if i := strings.IndexByte(text, '\n'); i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			text = ""
		}
		if line == "" || line[0] < 'a' || line[0] > 'z' {
			continue
		}
		for {
			word, rest, _ := strings.Cut(line, " ")
			switch word {
			case "pub", "native":
				line = rest
				continue
			case "fn", "struct", "enum", "interface", "type", "let", "const":
				name(leadingIdent(rest))
			case "extend", "":
				extends(extendHead(rest))
			default:
				if strings.HasPrefix(word, "extend<") {
					extends(extendHead(line[len("extend"):]))
				}
			}
			break
		}
	}
}

func leadingIdent(s string) string {
	s = strings.TrimLeft(s, " ")
	i := 0
	for i < len(s) && (s[i] == '_' || s[i] >= '0' && s[i] <= '9' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z') {
		i++
	}
	return s[:i]
}

// extendHead is the head of the type in `<T: Ordered> [T] {`.
func extendHead(s string) string {
	s = strings.TrimLeft(s, " ")
	if strings.HasPrefix(s, "<") {
		depth := 0
		for i := 0; i < len(s); i++ {
			if s[i] == '<' {
				depth++
			} else if s[i] == '>' {
				if depth--; depth == 0 {
					s = strings.TrimLeft(s[i+1:], " ")
					break
				}
			}
		}
	}
	target, _, _ := strings.Cut(s, "{")
	target = strings.TrimSpace(target)
	switch {
	case strings.HasSuffix(target, "?"):
		return "optional"
	case strings.HasPrefix(target, "["):
		return "list"
	case strings.HasPrefix(target, "("):
		return "tuple"
	case strings.HasPrefix(target, "fn"):
		return "fn"
	}
	return leadingIdent(target)
}

// headOf names the constructor of a built-in type, "" for other types.
func headOf(t Type) string {
	switch t := t.(type) {
	case *Basic:
		return t.Name
	case *App:
		switch t.Ctor {
		case CList:
			return "list"
		case COptional:
			return "optional"
		case CTuple:
			return "tuple"
		}
		return ctorNames[t.Ctor]
	case *Func:
		return "fn"
	}
	return ""
}

// preludeName finds a top-level name of the prelude, or nil.
func (c *checker) preludeName(name string) Object {
	f := c.lib.byName[name]
	if f == nil {
		return nil
	}
	c.loadPrelude(f)
	if f.mod == nil {
		return nil
	}
	return f.mod.scope[name]
}

// extends lists what extends the built-in types with a head.
func (c *checker) extends(head string) []*Extend {
	if fs := c.lib.byHead[head]; len(fs) > 0 {
		delete(c.lib.byHead, head)
		for _, f := range fs {
			c.loadPrelude(f)
		}
	}
	return c.lib.exts[head]
}

func (c *checker) loadPrelude(f *preludeFile) {
	if f.mod != nil {
		return
	}
	src := f.src
	src.Std = true
	name := moduleName(src.Name)
	f.mod = c.parseModule(src, name, "prelude/"+name)
	if f.mod == nil {
		return
	}
	f.mod.prelude = true
	c.prog.Prelude.Modules = append(c.prog.Prelude.Modules, f.mod)
	ready := c.ready
	c.ready = false
	c.declare(f.mod)
	c.resolve(f.mod)
	for _, e := range f.mod.extends {
		head := headOf(e.Target)
		c.lib.exts[head] = append(c.lib.exts[head], e)
		c.prog.Prelude.Extends = append(c.prog.Prelude.Extends, e)
	}
	if ready {
		c.runChecks()
	}
	c.ready = ready
}

func (c *checker) loadWholePrelude() {
	for _, f := range c.lib.files {
		c.loadPrelude(f)
	}
}
