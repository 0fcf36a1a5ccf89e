// Package re holds the native functions of module re, on Go's regexp.
package re

import (
	_ "embed"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

//go:embed re.rnl
var source string

// Module is what the import of re gives.
var Module = vm.NewModule("re", source)

// regex is the Go value of a re.Regex.
type regex struct {
	*regexp.Regexp
	insts  int  // instructions of its program, about: how long a step over a byte may take
	memory int  // bytes
	looks  bool // it looks at what stands before a match
	prog   func() *syntax.Prog
}

// What a compiled pattern takes, in bytes.
const (
	regexSize    = 512
	instSize     = 64
	anchoredSize = 160 // of an instruction of a pattern that begins with ^: it may have a second program
	runeSize     = 4

	nodeSize  = 160      // of a pattern's syntax tree, for each byte
	classSize = 12 << 10 // of a class of Unicode such as \pL
)

// cache keeps compiled patterns, so that re.find(pattern, s) in a loop is
// cheap. When it is full it starts again. All programs of the process share it,
// and none pays for it: it is small.
var cache = struct {
	sync.Mutex
	m      map[string]*regex
	memory int
}{m: map[string]*regex{}}

// maxInsts bounds a pattern's program: compiling it takes milliseconds, and Go's
// recursion into it is as deep.
const (
	maxInsts = 50_000
	maxRunes = 1 << 20 // in its sets of characters
)

const cacheSize, cacheMemory = 256, 4 << 20

func init() {
	Module.Native("compile", func(c *vm.Call) {
		r := compile(c, c.Str(0))
		c.SetObject(c.NewNative(c.Ref().Result, r, r.memory))
	})
	Module.Native("escape", func(c *vm.Call) {
		text := c.Str(0)
		c.Charge(2 * len(text))
		c.Steps(1 + len(text)/bytesPerStep)
		c.SetStr(regexp.QuoteMeta(text))
	})
	Module.Native("Regex.pattern", func(c *vm.Call) { c.SetStr(vm.NativeArg[*regex](c, 0).String()) })
	Module.Native("Regex.matches", func(c *vm.Call) {
		r, text := receiver(c)
		_, found := newFinder(c, r, text, false).next(0)
		c.SetBool(found)
	})
	Module.Native("Regex.find", func(c *vm.Call) {
		r, text := receiver(c)
		if groups, ok := newFinder(c, r, text, true).next(0); !ok {
			c.SetNone()
		} else {
			c.SetObject(newMaker(c, c.Type(c.Ref().Result).Elem, r, text).match(groups))
		}
	})
	Module.Native("Regex.find_all", func(c *vm.Call) {
		r, text := receiver(c)
		result := c.Ref().Result
		out := c.NewList(result, 0)
		c.Pin(out.Object())
		maker := newMaker(c, c.Type(result).Elem, r, text)
		limit := int(c.Int(2))
		newFinder(c, r, text, true).each(limit, func(groups []int) { out.Push(maker.match(groups).Value()) })
		c.SetObject(out.Object())
	})
	Module.Native("Regex.count", func(c *vm.Call) {
		r, text := receiver(c)
		n := 0
		newFinder(c, r, text, true).each(-1, func([]int) { n++ })
		c.SetInt(int64(n))
	})
	Module.Native("Regex.replace", replace)
	Module.Native("Regex.split", split)
}

const bytesPerStep = 16

// receiver returns the regex and the text of a method call.
func receiver(c *vm.Call) (*regex, string) { return vm.NativeArg[*regex](c, 0), c.Str(1) }

func compile(c *vm.Call, pattern string) *regex {
	c.Steps(1 + len(pattern))
	cache.Lock()
	r := cache.m[pattern]
	cache.Unlock()
	if r != nil {
		return r
	}
	c.ChargeObject(len(pattern)*nodeSize + strings.Count(strings.ToLower(pattern), `\p`)*classSize)
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		c.Throw(vm.ErrValue, "re: %s", mistake(err))
	}
	r = measure(tree)
	if r.insts > maxInsts || runes(tree) > maxRunes {
		c.Throw(vm.ErrValue, "re: the pattern is too large: it stands for more than %d instructions", maxInsts)
	}
	c.ChargeObject(r.memory)
	c.Steps(r.insts)
	if r.Regexp, err = regexp.Compile(pattern); err != nil {
		c.Throw(vm.ErrValue, "re: %v", err)
	}
	if r.memory <= cacheMemory/16 {
		cache.Lock()
		if len(cache.m) >= cacheSize || cache.memory+r.memory > cacheMemory {
			clear(cache.m)
			cache.memory = 0
		}
		cache.m[strings.Clone(pattern)] = r
		cache.memory += r.memory
		cache.Unlock()
	}
	return r
}

// mistake tells what is wrong with a pattern.
func mistake(err error) string {
	e, ok := err.(*syntax.Error)
	if !ok {
		return err.Error()
	}
	return fmt.Sprintf("%s: `%s`", e.Code, vm.Brief(e.Expr))
}

// measure bounds what a pattern is compiled to, so that it is paid for before:
// repetitions multiply the instructions of what is in them, and share its sets
// of characters.
func measure(re *syntax.Regexp) *regex {
	r, per := &regex{insts: instructions(re)}, instSize
	if re.Op == syntax.OpBeginText || re.Op == syntax.OpConcat && re.Sub[0].Op == syntax.OpBeginText {
		per = anchoredSize
	}
	r.memory = regexSize + r.insts*(per+instSize) + 2*runes(re)*runeSize // with the program of a machine
	r.looks = looksBack(re)
	r.prog = sync.OnceValue(func() *syntax.Prog {
		tree, err := syntax.Parse(r.String(), syntax.Perl)
		if err == nil {
			var prog *syntax.Prog
			if prog, err = syntax.Compile(tree.Simplify()); err == nil {
				return prog
			}
		}
		panic(err) // it has been compiled before
	})
	return r
}

// looksBack reports whether what stands before a match decides on it.
func looksBack(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginLine, syntax.OpBeginText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	}
	return slices.ContainsFunc(re.Sub, looksBack)
}

func runes(re *syntax.Regexp) int {
	n := len(re.Rune)
	for _, sub := range re.Sub {
		n += runes(sub)
	}
	return n
}

func instructions(re *syntax.Regexp) int {
	n := 0
	for _, sub := range re.Sub {
		n += instructions(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpConcat:
		return n
	case syntax.OpAlternate:
		return n + len(re.Sub)
	case syntax.OpCapture:
		return n + 2
	case syntax.OpRepeat:
		return (n + 1) * max(1, re.Min, re.Max)
	}
	return n + 1
}

// maker builds re.Match structs of one text.
type maker struct {
	c      *vm.Call
	id     uint32
	fields []bytecode.Field // text, start, end, groups, names
	source string
	names  *vm.List
}

func newMaker(c *vm.Call, id uint32, r *regex, source string) *maker {
	m := &maker{c: c, id: id, fields: c.Type(id).Fields, source: source}
	names := c.NewList(m.fields[4].Type, r.NumSubexp()+1)
	c.Pin(names.Object())
	for _, name := range r.SubexpNames() {
		names.Push(c.NewStr(name).Value())
	}
	m.names = names.List()
	return m
}

func (m *maker) match(groups []int) vm.Object {
	c := m.c
	obj := c.NewStruct(m.id)
	c.Pin(obj.Object())
	whole := c.NewStr(m.source[groups[0]:groups[1]])
	obj.Set(0, whole.Value())
	obj.Set(1, vm.IntValue(int64(groups[0])))
	obj.Set(2, vm.IntValue(int64(groups[1])))
	list := c.NewList(m.fields[3].Type, len(groups)/2)
	obj.Set(3, list.Value())
	obj.Set(4, m.names.Value())
	list.Push(whole.Value())
	for i := 2; i < len(groups); i += 2 {
		if groups[i] < 0 {
			list.Push(vm.Value{})
			continue
		}
		list.Push(c.NewStr(m.source[groups[i]:groups[i+1]]).Value())
	}
	c.Unpin()
	return obj.Object()
}

func replace(c *vm.Call) {
	r, text := receiver(c)
	with, limit := c.Str(2), int(c.Int(3))
	plain := !strings.Contains(with, "$")
	var out []byte
	last := 0
	newFinder(c, r, text, true).each(limit, func(groups []int) {
		grown := groups[0] - last + len(with)
		if !plain {
			grown += len(with) / 2 * (groups[1] - groups[0])
		}
		if cap(out)-len(out) < grown {
			c.ChargeObject(cap(out) + grown)
		}
		out = append(out, text[last:groups[0]]...)
		if plain {
			out = append(out, with...)
		} else {
			out = r.ExpandString(out, with, text, groups)
		}
		last = groups[1]
	})
	c.Charge(len(out) + len(text) - last)
	out = append(out, text[last:]...)
	c.SetStr(vm.TextView(out))
}

func split(c *vm.Call) {
	r, text := receiver(c)
	limit := int(c.Int(2))
	list := c.NewList(c.Ref().Result, 0)
	c.SetObject(list.Object())
	if limit == 0 {
		return
	}
	push := func(part string) { list.Push(c.NewStr(part).Value()) }
	last := 0
	newFinder(c, r, text, true).each(max(limit-1, -1), func(groups []int) {
		// An empty match at either end separates nothing.
		if groups[1] > 0 && groups[0] < len(text) {
			push(text[last:groups[0]])
			last = groups[1]
		}
	})
	push(text[last:])
}
