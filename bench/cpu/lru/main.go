//go:build ignore

// A cache of 1,000 entries that forgets the least recently used, in n look-ups: a map and a ring.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type entry struct {
	key, value    int
	before, after *entry
}

type cache struct {
	room           int
	entries        map[int]*entry
	newest, oldest *entry
	hits           int
}

func (c *cache) unlink(e *entry) {
	if e.before != nil {
		e.before.after = e.after
	} else {
		c.newest = e.after
	}
	if e.after != nil {
		e.after.before = e.before
	} else {
		c.oldest = e.before
	}
}

func (c *cache) first(e *entry) {
	e.before, e.after = nil, c.newest
	if c.newest != nil {
		c.newest.before = e
	} else {
		c.oldest = e
	}
	c.newest = e
}

func (c *cache) get(key int) int {
	if e := c.entries[key]; e != nil {
		c.hits++
		c.unlink(e)
		c.first(e)
		return e.value
	}
	if len(c.entries) >= c.room {
		last := c.oldest
		c.unlink(last)
		delete(c.entries, last.key)
	}
	e := &entry{key: key, value: key * 7 % 1000}
	c.entries[key] = e
	c.first(e)
	return e.value
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	c := &cache{room: 1000, entries: map[int]*entry{}}
	seed, sum := 42, 0
	for range n {
		seed = seed * 16807 % 2147483647
		sum += c.get(seed % 2000 * (seed % 7) / 6)
	}
	fmt.Println(c.hits, sum)
}
