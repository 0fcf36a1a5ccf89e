package vm

import "unsafe"

// Overflow makes the channel look closed to senders that would wait for room.
// Handling overflow this way costs nothing to senders that find room.
func (c *Chan) Overflow() {
	c.lock.Lock()
	c.lossy = true
	c.lock.Unlock()
}

// TakeOldest removes the value that has waited longest in the buffer, other
// than those that were put first or that the owner of a mailbox has already
// taken.
func (c *Chan) TakeOldest(call *Call) (v Value, ok bool) {
	c.lock.Lock()
	if ok = c.n > 0; ok {
		v = c.pop()
	}
	c.lock.Unlock()
	if ok {
		call.t.received(c, nil)
	}
	return v, ok
}

// Waiting sets the call's result to a list of the values in the buffer, oldest first.
func (c *Chan) Waiting(call *Call) {
	c.lock.Lock()
	n := int(c.n)
	c.lock.Unlock()
	call.Steps(n)
	call.Charge(n * int(unsafe.Sizeof(Value{})))
	found := make([]Value, 0, n)
	c.lock.Lock()
	for i := range min(n, int(c.n)) {
		found = append(found, c.buf[(int(c.head)+i)%len(c.buf)])
	}
	c.lock.Unlock()
	l := call.NewList(call.Ref().Result, len(found))
	for _, v := range found {
		l.Push(v)
	}
	call.SetObject(l.Object())
}

// TakeOut removes the i-th value of the buffer if it is v, and reports whether it was.
func (c *Chan) TakeOut(call *Call, i int, v Value) bool {
	v = pack(c.Aux, &v)
	call.Steps(i)
	c.lock.Lock()
	ok := i >= 0 && i < int(c.n) && c.buf[(int(c.head)+i)%len(c.buf)] == v
	if ok {
		for ; i > 0; i-- { // those before it move up
			c.buf[(int(c.head)+i)%len(c.buf)] = c.buf[(int(c.head)+i-1)%len(c.buf)]
		}
		c.pop()
	}
	c.lock.Unlock()
	if ok {
		call.t.received(c, nil)
	}
	return ok
}
