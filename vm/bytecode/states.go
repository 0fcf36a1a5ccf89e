package bytecode

// States tells what the verifier knows of each instruction of a program: what
// its checks rest on, for a loop that holds what it does against it.
type States struct {
	words []*State // nil: no instruction begins there, or nothing leads to it
}

// State is what is known of one instruction. Regs are told as objects (see
// verifier.object), the others as types of values.
type State struct {
	Func         *Func
	Next, Target uint32    // the words that follow it and that it jumps to; 0: it does not jump
	Regs         []RegType // before it: the object a pointer word leads to if it is not nil
	None         []uint16  // before it: registers whose pointer word is nil
	Needs        []RegType // before it: values that it uses
	Gives        []RegType // at Next, if it goes on there: values that it has made
	Leaps        []RegType // at Target, if it goes on there
}

// StatesOf verifies a program, whose natives are trusted, and tells what was known
// meanwhile.
func StatesOf(p *Program) (*States, error) {
	s := &States{words: make([]*State, len(p.Code))}
	v := &verifier{p: p, usedTables: make([]bool, len(p.Jumps)), states: s}
	if err := v.verify(&Program{}, nil); err != nil {
		return nil, err
	}
	return s, nil
}

// At returns the state of the instruction at a word.
func (s *States) At(word uint32) *State {
	if s == nil || int(word) >= len(s.words) {
		return nil
	}
	return s.words[word]
}

// note begins the state of the instruction at hand.
func (s *States) note(c *codeVerifier) {
	if s == nil {
		return
	}
	st := &State{Func: c.f, Next: c.next}
	for r, what := range c.state {
		switch what {
		case anyObject:
		case onlyNil:
			st.None = append(st.None, uint16(r))
		default:
			st.Regs = append(st.Regs, RegType{uint16(r), what})
		}
	}
	for _, format := range Ops[c.op].Operands {
		if format == "j16" || format == "j32" {
			st.Target = c.target()
		}
	}
	s.words[c.pc] = st
	n := notes{c, st, c.reg(0), c.reg(1), c.reg(2)}
	n.scalars()
	n.objects()
	n.lists()
	n.calls()
}

// needs adds a value that the instruction at hand uses.
func (s *States) needs(c *codeVerifier, reg int, id uint32) {
	if s != nil {
		st := s.words[c.pc]
		st.Needs = append(st.Needs, RegType{uint16(reg), id})
	}
}

// notes tells types of values that the verifier has no use for, since what it
// guards are pointer words.
type notes struct {
	*codeVerifier
	st      *State
	a, b, d int
}

func (n notes) uses(reg int, id uint32) { n.st.Needs = append(n.st.Needs, RegType{uint16(reg), id}) }
func (n notes) gives(id uint32)         { n.st.Gives = append(n.st.Gives, RegType{uint16(n.a), id}) }
func (n notes) leaps(reg int, id uint32) {
	n.st.Leaps = append(n.st.Leaps, RegType{uint16(reg), id})
}

func (n notes) typeIn(reg int) *Type {
	if id := n.state[reg]; id < uint32(len(n.p.Types)) {
		return &n.p.Types[id]
	}
	return &n.p.Types[IDInvalid]
}

func (n notes) scalars() {
	switch n.op {
	case EQ, NE, LT, LE, FEQ, FNE, FLT, FLE, NOT, SEQ, EQV, SAME, MHAS, ISTYPE, ISIFACE, HELD:
		n.gives(IDBool)
	case BOX, BOXOPT, BOXREF:
		n.gives(IDAny)
	case LDS, INTERP, TOSTR, FORMAT, TYPEOF:
		n.gives(IDStr)
	case LDB:
		n.gives(IDBytes)
	case LDE:
		n.gives(n.p.Enums[KOf(n.w)].Type)
	case LDFN:
		n.gives(n.p.Funcs[BOf(n.w)].Type)
	case CONCAT, CONCATN, SSLICE:
		n.gives(n.state[n.b])
	case STRNEXT:
		n.leaps(n.a, IDStr)
	case CAST:
		n.gives(uint32(COf(n.w)))
	}
}

// word returns the type of the field of which the instruction moves the only word.
func word(fields []Field, rep Rep, off uint16) (id uint32, ok bool) {
	for i := range fields {
		f := &fields[i]
		if f.Rep == rep && (rep == RepI && f.Off == off || rep == RepP && f.POff == off) {
			return f.Type, true
		}
	}
	return 0, false
}

func (n notes) objects() {
	rep := RepI
	switch n.op {
	case GETP, GETEP, UPP, GGETP, GGETO, SETP, GSETP:
		rep = RepP
	}
	give := func(fields []Field, off uint16) {
		if id, ok := word(fields, rep, off); ok {
			n.gives(id)
		}
	}
	use := func(reg int, fields []Field, off uint16) {
		if id, ok := word(fields, rep, off); ok {
			n.uses(reg, id)
		}
	}
	switch n.op {
	case NEW, NEWENUM, NEWLIST, MKLIST, NEWMAP:
		n.gives(uint32(BOf(n.w)))
	case NEWSYNC:
		n.gives(uint32(COf(n.w)))
	case CLOSURE:
		n.gives(n.p.Funcs[BOf(n.w)].Type)
	case GETI, GETP:
		give(n.typeIn(n.b).Fields, COf(n.w))
	case GETEI, GETEP:
		if t := n.typeIn(n.b); int(AuxOf(n.w)) < len(t.Variants) {
			give(t.Variants[AuxOf(n.w)].Fields, COf(n.w))
		}
	case SETI, SETP:
		use(n.d, n.typeIn(n.a).Fields, BOf(n.w))
	case UPI, UPP:
		give(n.f.Captures, BOf(n.w))
	case UCGETI, UCADDI, UCSETI:
		cell, ok := word(n.f.Captures, RepP, BOf(n.w))
		if !ok {
			return
		}
		if fields := n.p.Types[cell].Fields; n.op == UCSETI {
			use(n.a, fields, 8)
		} else {
			give(fields, 8)
		}
	case GGETI, GGETP, GGETO, GSETI, GSETP:
		id := n.p.Globals[KOf(n.w)/16].Type
		switch {
		case n.p.Types[id].Rep != rep:
		case n.op == GSETI, n.op == GSETP:
			n.uses(n.a, id)
		default:
			n.gives(id)
		}
	}
}

func (n notes) lists() {
	switch n.op {
	case LGETB, LGETI, LGETIK, LGETP, LGETO, LGETV:
		n.gives(n.typeIn(n.b).Elem)
	case FORLB, FORLI, FORLP, FORLO, FORLV:
		n.leaps(n.a, n.typeIn(n.b).Elem)
	case LSETB, LSETI:
		n.uses(n.d, n.typeIn(n.a).Elem)
	case LPUSHB, LPUSHI:
		n.uses(n.b, n.typeIn(n.a).Elem)
	case LSLICE:
		n.gives(n.state[n.b])
	case MGET:
		n.gives(n.typeIn(n.b).Elem)
	case MNEXT:
		t := n.typeIn(n.b)
		n.leaps(int(uint32(n.imm)/16), t.Key)
		if v := uint32(n.imm >> 32); v != 1<<32-1 {
			n.leaps(int(v/16), t.Elem)
		}
	}
}

func (n notes) calls() {
	switch n.op {
	case CALL:
		if i, ok := funcStarting(n.p, uint32(KOf(n.w))); ok {
			n.gives(n.p.Funcs[i].Result)
		}
	case CALLC:
		n.gives(n.typeIn(n.b).Result)
	case CALLI:
		n.gives(n.p.Selectors[BOf(n.w)].Result)
	case CALLN:
		n.gives(n.p.Natives[BOf(n.w)].Result)
	case SPAWN, SPAWNC:
		n.gives(uint32(n.imm))
	case AWAIT, RECV, LOCK:
		n.gives(n.typeIn(n.b).Elem)
	case RETI:
		n.uses(n.a, n.f.Result)
	}
}
