package vm

// Natives of map<K, V> and set<T>, see prelude/map.rnl and prelude/set.rnl.
func init() {
	for _, of := range []string{"map", "set"} {
		registerNative(of+".len", func(c *Call) { c.SetInt(int64(mapLen(c.Map(0)))) })
		registerNative(of+".has", func(c *Call) {
			_, ok := mapGet(c.w, c.Map(0), c.Value(1))
			c.SetBool(ok)
		})
		registerNative(of+".clear", func(c *Call) { mapClear(c.w, c.Map(0)) })
		registerNative(of+".update", func(c *Call) { mapUpdate(c, c.Map(0), c.Map(1)) })
		registerNative(of+".copy", func(c *Call) { c.setPtr(ptr(mapCopyNative(c))) })
	}
	registerNative("map.get", func(c *Call) { c.setOption(mapGet(c.w, c.Map(0), c.Value(1))) })
	registerNative("map.remove", func(c *Call) { c.setOption(mapRemove(c.w, c.Map(0), c.Value(1))) })
	registerNative("map.keys", func(c *Call) { mapToList(c, true) })
	registerNative("map.values", func(c *Call) { mapToList(c, false) })
	registerNative("map.merge", func(c *Call) {
		other := c.Map(1)
		out := mapCopyNative(c)
		c.pin(ptr(out))
		mapUpdate(c, out, other)
		c.setPtr(ptr(out))
	})
	registerNative("set.add", func(c *Call) { c.SetBool(mapSet(c.w, c.Map(0), c.Value(1), Value{})) })
	registerNative("set.remove", func(c *Call) {
		_, ok := mapRemove(c.w, c.Map(0), c.Value(1))
		c.SetBool(ok)
	})
	registerNative("set.to_list", func(c *Call) { mapToList(c, true) })
	registerNative("set.union", func(c *Call) {
		other := c.Map(1)
		out := mapCopyNative(c)
		c.pin(ptr(out))
		mapUpdate(c, out, other)
		c.setPtr(ptr(out))
	})
	registerNative("set.intersect", func(c *Call) { setWhere(c, true) })
	registerNative("set.diff", func(c *Call) { setWhere(c, false) })
	registerNative("set.is_subset", setIsSubset)
}

// mapUpdate sets the entries that from has now in m.
func mapUpdate(c *Call, m, from *Map) {
	t := from.t
	for pos, key, val, ok := t.entry(0); ok; pos, key, val, ok = t.entry(pos) {
		c.Steps(1)
		mapSet(c.w, m, key, val)
	}
}

func mapCopyNative(c *Call) *Map {
	m := c.Map(0)
	c.Steps(mapLen(m))
	return mapCopy(c.w, c.ref.Result, m)
}

// mapToList sets the result to a list of the keys or values.
func mapToList(c *Call, keys bool) {
	m := c.Map(0)
	t, n := m.t, mapLen(m)
	out := newList(c.w, c.ref.Result, n)
	c.pin(ptr(out))
	class, elem := elemsOf(c.prog(), out), c.Type(c.ref.Result).Elem
	for pos, key, val, ok := t.entry(0); ok; pos, key, val, ok = t.entry(pos) {
		c.Steps(1)
		if keys {
			val = key
		}
		pushElem(c.w, class, out, c.checked(elem, val))
	}
	c.setPtr(ptr(out))
}

// setWhere sets the result to the elements that the other set has, or has not.
func setWhere(c *Call, has bool) {
	m, other := c.Map(0), c.Map(1)
	t := m.t
	out := newMap(c.w, c.ref.Result)
	c.pin(ptr(out))
	for pos, key, _, ok := t.entry(0); ok; pos, key, _, ok = t.entry(pos) {
		c.Steps(1)
		if _, in := mapGet(c.w, other, key); in == has {
			mapSet(c.w, out, key, Value{})
		}
	}
	c.setPtr(ptr(out))
}

func setIsSubset(c *Call) {
	m, other := c.Map(0), c.Map(1)
	t := m.t
	for pos, key, _, ok := t.entry(0); ok; pos, key, _, ok = t.entry(pos) {
		c.Steps(1)
		if _, in := mapGet(c.w, other, key); !in {
			c.SetBool(false)
			return
		}
	}
	c.SetBool(true)
}
