package bytecode

// tasks checks the opcodes of tasks, channels, mutexes and scopes.
func (c *codeVerifier) tasks(a, b int) bool {
	switch c.op {
	case SPAWN:
		i, ok := funcStarting(c.p, uint32(KOf(c.w)))
		if !ok {
			c.fail("no function begins at word %d", KOf(c.w))
		}
		f := &c.p.Funcs[i]
		if int(c.imm>>48&0xfff) < int(f.Frame) {
			c.fail("it makes no room for the registers of %s", f.Name)
		}
		if len(f.Captures) > 0 {
			c.fail("%s is a closure", f.Name)
		}
		c.spawn(a, f.Params, f.Result)
	case SPAWNC:
		_, t := c.kindOf(b, TFunc)
		c.spawn(a, t.Params, t.Result)
	case AWAIT:
		_, t := c.kindOf(b, TTask)
		if c.private == c.pc { // its handle is used again, by a task of another type
			c.set(b, anyObject)
		}
		c.set(a, c.object[t.Elem])
	case NEWSYNC:
		t := c.id("a new object", uint32(COf(c.w)))
		switch t.Kind {
		case TChan:
		case TMutex:
			c.need(b, t.Elem)
		default:
			c.fail("%s is not made so", t.Name)
		}
		c.set(a, uint32(COf(c.w)))
	case SEND:
		_, t := c.kindOf(a, TChan)
		c.need(b, t.Elem)
	case RECV:
		_, t := c.kindOf(b, TChan)
		c.leaves(RegType{uint16(a), t.Elem})
	case SELECT:
		c.selects(b)
	case LOCK:
		_, t := c.kindOf(b, TMutex)
		c.set(a, c.object[t.Elem])
	case HELD:
		c.kindOf(b, TMutex)
	case UNLOCK:
		_, t := c.kindOf(a, TMutex)
		c.need(b, t.Elem)
	case FAILSCOPE:
		c.dead = true
	case SLEEP, SCOPE:
	default:
		return false
	}
	return true
}

// spawn checks the arguments of a task and leaves its handle.
func (c *codeVerifier) spawn(a int, params []uint32, result uint32) {
	if n := int(uint16(c.imm >> 32)); n != len(params) {
		c.fail("it passes %d arguments, not %d", n, len(params))
	}
	c.needAll(a, params)
	t := c.id("a task", uint32(c.imm))
	if t.Kind != TTask || t.Elem != result {
		c.fail("%s is not the type of the task", t.Name)
	}
	c.room(a, 1)
	c.set(a, uint32(c.imm))
	if c.imm&SpawnPrivate == 0 {
		return
	}
	c.private = c.next
	if next := c.p.Code[c.next]; c.next >= c.f.End || OpOf(next) != AWAIT || int(BOf(next)/16) != a || c.mapOf(c.next) != nil {
		c.fail("no AWAIT of the private task follows")
	}
}

// leaves is a jump that sets a register only if it is not taken.
func (c *codeVerifier) leaves(r RegType) {
	c.implies(c.target())
	c.set(int(r.Reg), c.object[r.Type])
}

// selects checks the arms of a select. Where a value is received there is one
// of the channel's type or nothing afterwards.
func (c *codeVerifier) selects(b int) {
	n := int(COf(c.w))
	if n > MaxSelectArms {
		c.fail("it has %d arms", n)
	}
	c.room(b, 2*n)
	if c.imm&SelectAfter != 0 {
		c.room(b, 2*n+1)
	}
	for i := range n {
		_, t := c.kindOf(b+2*i, TChan)
		if c.imm>>i&1 != 0 {
			c.need(b+2*i+1, t.Elem)
		} else {
			c.set(b+2*i+1, c.object[t.Elem])
		}
	}
}
