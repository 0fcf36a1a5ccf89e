package actor_test

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// refDice are those of modelScript.
type refDice struct{ state int64 }

func (d *refDice) roll(n int) int {
	d.state = d.state*6364136223846793005 + 1442695040888963407
	return int((d.state >> 33) & 0x3fffffff % int64(n))
}

func dice(seed, a, b, c int) *refDice {
	d := &refDice{int64(seed)}
	for _, x := range []int{a, b, c} {
		d.state = (d.state ^ int64(x)) * 2862933555777941757
		d.roll(2)
	}
	return d
}

type refMsg struct{ fuel, tag int }

func (m refMsg) String() string { return fmt.Sprintf("%d.%d", m.fuel, m.tag) }

// refCommand is an action on its way. What a killed actor had queued is cut off.
type refCommand struct {
	from   int
	kind   string // of the action
	to     int
	msg    refMsg
	text   string // of an error; the type of an actor
	config string
	cut    bool
}

func (c refCommand) String() string {
	switch c.kind {
	case "Send":
		return fmt.Sprintf("%d> Send %d %s", c.from, c.to, c.msg)
	case "Spawn", "Fail":
		return fmt.Sprintf("%d> %s %d %s", c.from, c.kind, c.to, c.text)
	case "Kill":
		return fmt.Sprintf("%d> Kill %d", c.from, c.to)
	}
	return fmt.Sprintf("%d> %s", c.from, c.kind)
}

type refActor struct {
	id, n int
	typ   string
	taken []string // of an async one: what it was given
}

// refSystem tells naively what spec/actors.md, section 13, says of a system: one
// queue, first in, first out; middleware has another one, whose turn it is when
// nothing waits in the first.
type refSystem struct {
	seed   int
	tasks  bool // async actors: what they want is not known here
	sieve  func(refCommand) []refCommand
	queue  []*refCommand
	held   []*refCommand // before the middleware
	actors map[int]*refActor
	lives  []*refActor // all async ones
	kept   []refCommand
	lastID int
	made   bool
	busy   bool
	ended  bool

	log, outputs, trace, failures, letters []string
	stopping                               bool
}

func newRefSystem(seed int, sieve func(*refSystem) func(refCommand) []refCommand) *refSystem {
	s := &refSystem{seed: seed, actors: map[int]*refActor{}, lastID: 2}
	if sieve != nil {
		s.sieve = sieve(s)
	}
	s.want(refCommand{kind: "Spawn", to: 1, text: "Root"})
	return s
}

func (s *refSystem) say(format string, args ...any) {
	s.log = append(s.log, fmt.Sprintf(format, args...))
}

func (s *refSystem) drop(c refCommand, reason string) {
	s.letters = append(s.letters, fmt.Sprintf("letter %s %s", c, reason))
}

// want queues a command.
func (s *refSystem) want(c refCommand) {
	switch {
	case s.ended:
		s.drop(c, "Ended")
	case s.sieve != nil:
		s.held = append(s.held, &c)
	default:
		s.queue = append(s.queue, &c)
	}
}

// enter is a host's command, also in a handler. Where there are async actors the
// trace tells when.
func (s *refSystem) enter(c refCommand) {
	if s.made && !s.tasks {
		s.want(c)
		s.run()
	}
}

func (s *refSystem) run() {
	if s.busy {
		return
	}
	s.busy = true
	for len(s.queue)+len(s.held) > 0 || s.stopping {
		for len(s.queue) > 0 {
			s.carryOut(s.pop(&s.queue))
		}
		for len(s.held) > 0 {
			c := s.pop(&s.held)
			if c.cut {
				s.drop(c, "SenderKilled")
				continue
			}
			for _, c := range s.sieve(c) {
				s.queue = append(s.queue, &c)
			}
		}
		if s.stopping {
			s.stopping = false
			s.pass(refCommand{kind: "Terminate"})
		}
	}
	s.busy = false
}

// stop is that of a host, which no middleware holds up.
func (s *refSystem) stop() {
	if s.made && !s.tasks {
		s.stopping = true
		s.run()
	}
}

// pass is want past the middleware.
func (s *refSystem) pass(c refCommand) {
	if s.ended {
		s.drop(c, "Ended")
		return
	}
	s.queue = append(s.queue, &c)
}

func (s *refSystem) pop(queue *[]*refCommand) refCommand {
	c := (*queue)[0]
	*queue = (*queue)[1:]
	return *c
}

func (s *refSystem) carryOut(c refCommand) {
	if c.cut {
		s.drop(c, "SenderKilled")
		return
	}
	s.trace = append(s.trace, "trace "+c.String())
	a := s.actors[c.to]
	switch c.kind {
	case "Send":
		switch {
		case a != nil && a.typ == "Task":
			a.taken = append(a.taken, c.msg.String())
		case a != nil:
			s.handle(a, c)
		case c.to == 2:
			s.outputs = append(s.outputs, c.msg.String())
		default:
			s.drop(c, "NoActor")
		}
	case "Spawn":
		if a == nil {
			s.start(c)
		}
	case "Kill":
		if a != nil {
			s.remove(a)
		}
	case "Fail":
		if a != nil {
			s.fail(a, c.text, c)
		} else {
			s.drop(c, "NoActor")
		}
	case "Terminate":
		s.end()
	}
}

func (s *refSystem) end() {
	s.ended = true
	for _, c := range append(s.queue, s.held...) {
		s.drop(*c, "Ended")
	}
	s.queue, s.held, s.actors = nil, nil, map[int]*refActor{}
}

func (s *refSystem) remove(a *refActor) {
	delete(s.actors, a.id)
	for _, queue := range [][]*refCommand{s.queue, s.held} {
		for _, c := range queue {
			own := c.from == a.id && (c.kind == "Send" || c.kind == "Spawn")
			c.cut = c.cut || own || c.kind == "Spawn" && c.to == a.id
		}
	}
	if len(s.actors) == 0 {
		s.want(refCommand{kind: "Terminate"})
	}
}

func (s *refSystem) fail(a *refActor, text string, cause refCommand) {
	s.failures = append(s.failures, fmt.Sprintf("failure %d %s %s at %s", a.id, a.typ, text, cause))
	if !s.tasks {
		s.say("failed %d", a.id)
		if a.id%4 == 0 {
			s.enter(refCommand{kind: "Send", to: 1, msg: refMsg{1, a.id}})
		}
		if a.id%5 == 0 {
			s.failures = append(s.failures, "failure 0 on_failure in on_failure at "+cause.String())
		}
	}
	s.remove(a)
}

func (s *refSystem) start(c refCommand) {
	a := &refActor{id: c.to, typ: c.text}
	s.actors[a.id] = a
	switch a.typ {
	case "Task":
		s.lives = append(s.lives, a)
		return
	case "Root":
		s.say("root 2 1")
	default:
		s.say("make %d %s", a.id, cmp.Or(c.config, "0"))
		if dice(s.seed, a.id, 0, 1).roll(16) == 0 {
			s.fail(a, "not made", c)
			return
		}
	}
	d := dice(s.seed, a.id, 0, 2)
	switch d.roll(8) {
	case 0:
		s.act(a, d, 2, c)
	case 1:
		if d.roll(4) == 0 {
			s.fail(a, "no start", c)
		}
	}
}

func (s *refSystem) handle(a *refActor, c refCommand) {
	a.n++
	s.say("enter %d %d %s", a.id, a.n, c.msg)
	if s.act(a, dice(s.seed, a.id, a.n, c.msg.tag+3), c.msg.fuel, c) {
		s.say("exit %d", a.id)
	}
}

// act carries out what an actor does; false where it fails.
func (s *refSystem) act(a *refActor, d *refDice, fuel int, cause refCommand) bool {
	var all []refCommand
	add := func(c refCommand) {
		c.from = a.id
		all = append(all, c)
	}
	if fuel > 0 {
		for range d.roll(4) {
			kind, target := d.roll(26), 1+d.roll(3+len(s.kept))
			msg := refMsg{fuel - 1, d.roll(100)}
			send := refCommand{kind: "Send", to: target, msg: msg}
			switch {
			case kind < 7:
				add(send)
			case kind == 10:
				send.from = a.id
				s.want(send)
			case kind == 11:
				add(refCommand{kind: "Send", to: 2, msg: msg})
			case kind < 16:
				typ := "Node"
				if s.tasks && d.roll(2) == 0 {
					typ = "Task"
				}
				s.lastID++
				spawn := refCommand{kind: "Spawn", to: s.lastID, text: typ, config: strconv.Itoa(msg.tag)}
				s.kept = append(s.kept, spawn)
				if kind < 15 {
					add(spawn)
					add(refCommand{kind: "Send", to: s.lastID, msg: msg})
				}
			case kind < 18:
				if len(s.kept) > 0 {
					add(s.kept[d.roll(len(s.kept))])
				}
			case kind == 18:
				if d.roll(2) == 0 {
					add(refCommand{kind: "Kill", to: target})
				}
			case kind == 19:
				if d.roll(2) == 0 {
					add(refCommand{kind: "Fail", to: target, text: fmt.Sprintf("failed %d", msg.tag)})
				}
			case kind == 20:
				if d.roll(20) == 0 {
					add(refCommand{kind: "Terminate"})
				}
			case kind == 21:
				if d.roll(3) == 0 {
					s.fail(a, fmt.Sprintf("thrown %d", msg.tag), cause)
					return false
				}
			case kind == 22 || kind == 23:
				s.enter(refCommand{kind: "Send", to: 1, msg: msg})
			case kind == 24:
				if d.roll(2) == 0 {
					s.enter(refCommand{kind: "Kill", to: target})
				} else {
					s.enter(send)
				}
			case kind == 25 && d.roll(4) == 0:
				add(refCommand{kind: "Kill", to: a.id})
			}
		}
	}
	if len(all) == 0 {
		d.roll(2)
	}
	for _, c := range all {
		s.want(c)
	}
	return true
}

// ---- middleware ----

func (s *refSystem) delay() func(refCommand) []refCommand {
	var held []refCommand
	return func(c refCommand) []refCommand {
		held = append(held, c)
		if c.kind == "Send" && c.msg.tag%3 == 0 {
			return nil
		}
		all := held
		held = nil
		return all
	}
}

func pass(c refCommand) []refCommand { return []refCommand{c} }

func dropSome(c refCommand) []refCommand {
	if c.kind == "Send" && c.msg.tag%7 == 3 {
		return nil
	}
	return pass(c)
}

func changeSome(c refCommand) []refCommand {
	switch {
	case c.kind != "Send":
	case c.msg.tag%5 == 0:
		c.msg.tag++
	case c.msg.tag%11 == 0:
		return []refCommand{c, {kind: "Send", to: 2, msg: refMsg{0, c.msg.tag + 1}}}
	}
	return pass(c)
}

func mockSome(c refCommand) []refCommand {
	if c.kind == "Spawn" && c.to%2 == 0 {
		c.text, c.config = "Mock", "0"
	}
	return pass(c)
}

// refSieve is what the script's filter gives.
func refSieve(kind int) func(*refSystem) func(refCommand) []refCommand {
	if kind == 0 {
		return nil
	}
	return func(s *refSystem) func(refCommand) []refCommand {
		seen := func(f func(refCommand) []refCommand) func(refCommand) []refCommand {
			return func(c refCommand) []refCommand {
				s.say("see %s", c)
				return f(c)
			}
		}
		switch kind {
		case 2:
			return seen(dropSome)
		case 3:
			return seen(changeSome)
		case 4:
			return s.delay()
		case 5:
			return chained(seen(dropSome), changeSome)
		case 6:
			return chained(chained(seen(changeSome), s.delay()), dropSome)
		case 7:
			return seen(mockSome)
		}
		return pass
	}
}

func chained(left, right func(refCommand) []refCommand) func(refCommand) []refCommand {
	return func(c refCommand) (all []refCommand) {
		for _, c := range left(c) {
			all = append(all, right(c)...)
		}
		return all
	}
}

// ---- what a host does ----

func (s *refSystem) look() {
	phase := "Idle"
	if len(s.queue)+len(s.held) > 0 {
		phase = "Queued"
	}
	s.say("%s %t %s", phase, s.ended, strings.Join(s.outputs, " "))
	s.outputs = nil
}

func lastOf(lines []string) []string { return lines[max(0, len(lines)-100):] }

// refSync is what run_sync of modelScript logs.
func refSync(seed int) []string {
	d := dice(seed, 0, 0, 0)
	kind := d.roll(8)
	trace := d.roll(4) > 0
	d.roll(8)
	d.roll(4)
	s := newRefSystem(seed, refSieve(kind))
	s.run()
	s.made = true
	s.look()
	for range 1 + d.roll(6) {
		msg := refMsg{1 + d.roll(8), d.roll(100)}
		target := 1 + d.roll(9)
		dispatched := refCommand{kind: "Send", to: 1, msg: msg}
		switch d.roll(9) {
		case 4:
			s.want(dispatched)
		case 5:
			s.run()
		case 6:
			switch {
			case msg.tag < 30:
				s.enter(refCommand{kind: "Kill", to: target})
			case msg.tag < 60:
				s.enter(refCommand{kind: "Fail", to: target, text: "outside"})
			default:
				s.enter(refCommand{kind: "Send", to: target, msg: msg})
			}
		case 7:
			if msg.tag < 20 {
				s.stop()
			}
		case 8:
			for n := range msg.tag {
				s.want(refCommand{kind: "Send", to: 1, msg: refMsg{msg.fuel % 3, n}})
			}
		default:
			s.enter(dispatched)
		}
		s.look()
	}
	if trace {
		s.log = append(s.log, s.trace...)
	}
	s.say("failures %d", len(s.failures))
	s.log = append(s.log, lastOf(s.failures)...)
	s.say("letters %d", len(s.letters))
	return append(s.log, lastOf(s.letters)...)
}

// refAsync follows the trace of a system with async actors: what is not the next
// of the queue has to come from outside or from an async actor that lives. It
// gives the system as it was at the end of the trace.
func refAsync(seed int, trace []refCommand) (*refSystem, error) {
	s := newRefSystem(seed, nil)
	s.tasks, s.made = true, true
	for i, c := range trace {
		for len(s.queue) > 0 && s.queue[0].cut {
			s.carryOut(s.pop(&s.queue))
		}
		a := s.actors[c.from]
		switch {
		case s.ended:
			return s, fmt.Errorf("step %d comes after the end: %s", i, c)
		case len(s.queue) > 0 && s.queue[0].String() == c.String():
			c = s.pop(&s.queue)
		case c.from == 0 && c.kind != "Spawn":
		case a != nil && a.typ == "Task":
		case s.wasTask(c.from) && c.kind != "Send": // a Kill that a killed actor had queued
		case len(s.queue) > 0:
			return s, fmt.Errorf("step %d is %s, the next of the queue is %s", i, c, s.queue[0])
		default:
			return s, fmt.Errorf("step %d is %s, and nothing is queued", i, c)
		}
		s.carryOut(c)
	}
	return s, nil
}

func (s *refSystem) wasTask(id int) bool {
	for _, a := range s.lives {
		if a.id == id {
			return true
		}
	}
	return false
}

// readTrace reads what the script says of a trace.
func readTrace(lines []string) []refCommand {
	var all []refCommand
	for _, line := range lines {
		var c refCommand
		words := strings.SplitN(line, " ", 5) // trace 1> Send 2 3.4
		c.from, _ = strconv.Atoi(strings.TrimSuffix(words[1], ">"))
		c.kind = words[2]
		if len(words) > 3 {
			c.to, _ = strconv.Atoi(words[3])
		}
		if len(words) > 4 {
			c.text = words[4]
			if c.kind == "Send" {
				fmt.Sscanf(c.text, "%d.%d", &c.msg.fuel, &c.msg.tag)
			}
		}
		all = append(all, c)
	}
	return all
}
