package re

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/vm"
)

// payer is what work and memory are charged to: a vm.Call.
type payer interface {
	Steps(n int)
	Charge(n int)
}

// machine runs a pattern's program over a text as Go's regexp does for long
// ones: all ways to match continue in step, the preferred one first. But it begins
// anywhere in the text, pays for the work as it does it, so that it ends where
// its task is to end, and needs no recursion.
type machine struct {
	c      payer
	prog   *syntax.Prog
	prefix string
	text   string
	caps   int // positions that each way keeps: two for each group, 0 where none is wanted
	queues [2]queue
	free   [][]int // arrays of positions to be used again
	stack  []branch
	match  []int
	work   int // not yet paid for
}

// queue is a sparse set of instructions in order of preference.
type queue struct {
	sparse []uint32
	dense  []way
}

// way is one path through the program; a set position of groups belongs to what
// waits for a rune or has matched.
type way struct {
	pc  uint32
	cap []int
}

// branch is what add comes back to: another instruction, or an old position of
// a group.
type branch struct {
	pc   uint32
	slot int // of the position, or -1
	old  int
}

const (
	noRune    = -1 // before and behind the text
	workSteps = 16 // instructions for one step of the budget
	workSlice = 16 << 10
)

func newMachine(c payer, prog *syntax.Prog, text string, caps int) *machine {
	n := len(prog.Inst)
	c.Charge(2*n*(vm.SizeOf[way]()+4) + 2*n*vm.SizeOf[branch]())
	m := &machine{c: c, prog: prog, text: text, caps: caps, match: make([]int, caps)}
	m.prefix, _ = prog.Prefix()
	for i := range m.queues {
		m.queues[i] = queue{make([]uint32, n), make([]way, 0, n)}
	}
	return m
}

// search finds the first match from pos on. The positions are valid until the
// next search.
func (m *machine) search(pos int) (groups []int, found bool) {
	for i := range m.match {
		m.match[i] = -1
	}
	now, next := &m.queues[0], &m.queues[1]
	anchored := m.prog.StartCond()&syntax.EmptyBeginText != 0
	for before := m.runeBefore(pos); ; {
		if len(now.dense) == 0 {
			if found || anchored && pos > 0 {
				break
			}
			if m.prefix != "" {
				skip := m.skip(pos)
				if skip < 0 {
					break
				}
				if skip > 0 {
					pos += skip
					before = m.runeBefore(pos)
				}
			}
		}
		r, size := m.runeAt(pos)
		if !found {
			if m.caps > 0 {
				m.match[0] = pos
			}
			m.add(now, uint32(m.prog.Start), pos, m.match, syntax.EmptyOpContext(before, r))
		}
		after, _ := m.runeAt(pos + size)
		found = m.step(now, next, pos, size, r, syntax.EmptyOpContext(r, after), found)
		if size == 0 || found && m.caps == 0 {
			break
		}
		before, pos = r, pos+size
		now, next = next, now
	}
	m.clear(now)
	m.clear(next)
	m.pay(0)
	return m.match, found
}

// skip returns how far the prefix is that a match begins with, or -1.
func (m *machine) skip(pos int) int {
	const slice = 1 << 20
	for at := pos; ; at += slice {
		end := min(len(m.text), at+slice+len(m.prefix)-1)
		m.pay(end - at)
		if i := strings.Index(m.text[at:end], m.prefix); i >= 0 {
			return at - pos + i
		}
		if end == len(m.text) {
			return -1
		}
	}
}

// pay charges for work when it is some.
func (m *machine) pay(work int) {
	if m.work += work; m.work >= workSlice {
		m.c.Steps(m.work / workSteps)
		m.work = 0
	}
}

func (m *machine) runeAt(pos int) (rune, int) {
	if pos >= len(m.text) {
		return noRune, 0
	}
	if c := m.text[pos]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(m.text[pos:])
}

func (m *machine) runeBefore(pos int) rune {
	if pos == 0 {
		return noRune
	}
	r, _ := utf8.DecodeLastRuneInString(m.text[:pos])
	return r
}

// step takes every way in now over a rune to next, up to one that has matched.
func (m *machine) step(now, next *queue, pos, size int, r rune, cond syntax.EmptyOp, found bool) bool {
	m.pay(len(now.dense))
	for i := range now.dense {
		w := &now.dense[i]
		in := &m.prog.Inst[w.pc]
		over := false
		switch in.Op {
		case syntax.InstMatch:
			if m.caps > 0 {
				copy(m.match, w.cap)
				m.match[1] = pos
			}
			m.clearFrom(now, i)
			return true
		case syntax.InstRune:
			over = r >= 0 && in.MatchRune(r)
		case syntax.InstRune1:
			over = r == in.Rune[0]
		case syntax.InstRuneAny:
			over = r >= 0
		case syntax.InstRuneAnyNotNL:
			over = r >= 0 && r != '\n'
		}
		if over {
			m.add(next, in.Out, pos+size, w.cap, cond)
		}
		m.release(w)
	}
	now.dense = now.dense[:0]
	return found
}

// add puts all instructions that can be reached without a rune into a queue, the
// preferred ones first. cap is as before when it returns.
func (m *machine) add(q *queue, pc uint32, pos int, cap []int, cond syntax.EmptyOp) {
	m.stack = append(m.stack[:0], branch{pc: pc, slot: -1})
	for len(m.stack) > 0 {
		b := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if b.slot >= 0 {
			cap[b.slot] = b.old
			continue
		}
		m.follow(q, b.pc, pos, cap, cond)
	}
}

// follow continues from an instruction to the next that waits for a rune; the
// branches on the way are left on the stack.
func (m *machine) follow(q *queue, pc uint32, pos int, cap []int, cond syntax.EmptyOp) {
	for {
		if at := q.sparse[pc]; at < uint32(len(q.dense)) && q.dense[at].pc == pc {
			return
		}
		q.sparse[pc] = uint32(len(q.dense))
		q.dense = append(q.dense, way{pc: pc})
		m.work++
		in := &m.prog.Inst[pc]
		switch in.Op {
		case syntax.InstFail:
			return
		case syntax.InstAlt, syntax.InstAltMatch:
			m.stack = append(m.stack, branch{pc: in.Arg, slot: -1})
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^cond != 0 {
				return
			}
		case syntax.InstNop:
		case syntax.InstCapture:
			if slot := int(in.Arg); slot < m.caps {
				m.stack = append(m.stack, branch{slot: slot, old: cap[slot]})
				cap[slot] = pos
			}
		default:
			q.dense[len(q.dense)-1].cap = m.copied(cap)
			return
		}
		pc = in.Out
	}
}

// copied is an array of the same positions.
func (m *machine) copied(cap []int) []int {
	if m.caps == 0 {
		return nil
	}
	m.work += m.caps / 8
	if len(m.free) == 0 {
		m.c.Charge(m.caps * 8)
		m.free = append(m.free, make([]int, m.caps))
	}
	last := len(m.free) - 1
	own := m.free[last]
	m.free = m.free[:last]
	copy(own, cap)
	return own
}

func (m *machine) release(w *way) {
	if w.cap != nil {
		m.free = append(m.free, w.cap)
		w.cap = nil
	}
}

func (m *machine) clear(q *queue) { m.clearFrom(q, 0) }

func (m *machine) clearFrom(q *queue, i int) {
	for ; i < len(q.dense); i++ {
		m.release(&q.dense[i])
	}
	q.dense = q.dense[:0]
}
