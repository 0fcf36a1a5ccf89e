package bytecode

// objects checks the opcodes that make objects, read and write their fields,
// captured variables and globals, and those of values of any type.
func (c *codeVerifier) objects(a, b, d int) bool {
	switch c.op {
	case NEW:
		id := uint32(BOf(c.w))
		t := &c.p.Types[id]
		if id < NumFixedTypes || !hasFields(t) {
			c.fail("%s is not made so", t.Name)
		}
		c.needFields(d, t.Fields)
		c.set(a, id)
	case NEWENUM:
		c.needFields(d, c.variant(uint32(BOf(c.w)), int(AuxOf(c.w))).Fields)
		c.set(a, uint32(BOf(c.w)))
	case CLOSURE:
		f := &c.p.Funcs[BOf(c.w)]
		if f.Type == 0 {
			c.fail("%s is not a value", f.Name)
		}
		c.needFields(d, f.Captures)
		c.set(a, f.Type)

	case GETI:
		c.number(c.fields(b), COf(c.w))
	case GETP:
		c.set(a, c.pointer(c.fields(b), COf(c.w)))
	case SETI, ADDM, ADDMI, FADDM, FSUBM:
		c.number(c.mutable(a), BOf(c.w))
	case SETP:
		if !fits(c.state[d], c.pointer(c.mutable(a), BOf(c.w))) {
			c.fail("register %d is not of the field's type", d)
		}
	case ADDF, FADDF, FSUBF, FMULF:
		c.number(c.fields(d), uint16(AuxOf(c.w))*8)
	case TAG:
		c.kindOf(b, TEnum)
	case GETEI:
		c.number(c.variantOf(b).Fields, COf(c.w))
	case GETEP:
		c.set(a, c.pointer(c.variantOf(b).Fields, COf(c.w)))

	case UPI:
		c.number(c.f.Captures, BOf(c.w))
	case UPP:
		c.set(a, c.pointer(c.f.Captures, BOf(c.w)))
	case UCGETI, UCSETI, UCADDI:
		cell := &c.p.Types[c.pointer(c.f.Captures, BOf(c.w))]
		if cell.Kind != TCell {
			c.fail("what is captured is no cell")
		}
		c.number(cell.Fields, 8)

	case GGETI, GSETI:
		c.global(8)
	case GGETP, GGETO:
		c.set(a, c.global(0))
	case GSETP:
		if !fits(c.state[a], c.global(0)) {
			c.fail("register %d is not of the global's type", a)
		}
	case GINIT, GCHECK:
		c.index(int(KOf(c.w)), len(c.p.Globals))

	case ISTYPE, ISIFACE, SAME:
	case CAST:
		// To an optional that is not an object it always throws: no header has its type.
		id := uint32(COf(c.w))
		c.id("a cast", id)
		c.set(a, c.object[id])
	case CASTIFACE:
		c.set(a, c.state[b])
	case TYPEOF:
		c.need(b, uint32(COf(c.w)))
		c.set(a, IDStr)
	default:
		return false
	}
	return true
}

// hasFields: objects of the type are made of Fields.
func hasFields(t *Type) bool {
	switch t.Kind {
	case TStruct, TTuple, TCell, TBox, TFrame:
		return true
	case TOptional: // inside an optional
		return len(t.Fields) == 1
	}
	return false
}

// fields returns those of the object in a register.
func (c *codeVerifier) fields(reg int) []Field {
	_, t := c.kindOf(reg, TStruct, TTuple, TCell, TBox, TFrame, TOptional)
	return t.Fields
}

// mutable is fields for objects that may change: tuples do not, so that no key
// contains itself.
func (c *codeVerifier) mutable(reg int) []Field {
	_, t := c.kindOf(reg, TStruct, TCell, TFrame)
	return t.Fields
}

func (c *codeVerifier) needFields(first int, fields []Field) {
	c.room(first, len(fields))
	for i := range fields {
		c.need(first+i, fields[i].Type)
	}
}

// variant checks that a type is an enum of objects and gives one of its
// variants.
func (c *codeVerifier) variant(id uint32, tag int) *Variant {
	t := c.id("an enum", id)
	if t.Kind != TEnum || t.Plain() || tag >= len(t.Variants) {
		c.fail("%s has no variant %d that is an object", t.Name, tag)
	}
	return &t.Variants[tag]
}

// variantOf returns the variant that an access to an enum's field names.
func (c *codeVerifier) variantOf(reg int) *Variant {
	id, _ := c.kindOf(reg, TEnum)
	return c.variant(id, int(AuxOf(c.w)))
}

// number checks that a field's number word lies at an offset.
func (c *codeVerifier) number(fields []Field, off uint16) {
	for i := range fields {
		if fields[i].Rep != RepP && fields[i].Off == off {
			return
		}
	}
	c.fail("no number lies at %d", off)
}

// pointer returns what the field whose pointer word lies at an offset points to.
func (c *codeVerifier) pointer(fields []Field, off uint16) uint32 {
	for i := range fields {
		if fields[i].Rep != RepI && fields[i].POff == off {
			return c.object[fields[i].Type]
		}
	}
	c.fail("no reference lies at %d", off)
	return 0
}

// global returns what the pointer word of the global at hand points to; half is
// the word that the opcode touches.
func (c *codeVerifier) global(half int32) uint32 {
	k := KOf(c.w)
	if k%16 != half {
		c.fail("it touches the other half of the global")
	}
	return c.object[c.p.Globals[k/16].Type]
}
