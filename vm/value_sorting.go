package vm

import (
	"cmp"
	"slices"
	"unsafe"
)

// sortRun is how many numbers are sorted at once: some milliseconds of work.
const sortRun = 32 << 10

// sortNumbers sorts numbers; many of them in runs that are then merged, so that
// it heeds in between that the task is to end.
func sortNumbers[T cmp.Ordered](c *Call, all []T) {
	if len(all) <= sortRun {
		slices.Sort(all)
		return
	}
	for run := range slices.Chunk(all, sortRun) {
		slices.Sort(run)
		c.Heed()
	}
	c.Charge(len(all) * int(unsafe.Sizeof(all[0])))
	from, to := all, make([]T, len(all))
	for size := sortRun; size < len(all); size *= 2 {
		for at := 0; at < len(all); at += 2 * size {
			mid, end := min(at+size, len(all)), min(at+2*size, len(all))
			merge(c, to[at:end], from[at:mid], from[mid:end])
		}
		from, to = to, from
	}
	if &from[0] != &all[0] {
		copy(all, from)
	}
}

// merge puts two sorted runs together.
func merge[T cmp.Ordered](c *Call, to, a, b []T) {
	for i := range to {
		if i%sortRun == 0 {
			c.Heed()
		}
		if len(b) == 0 || len(a) > 0 && !cmp.Less(b[0], a[0]) {
			to[i], a = a[0], a[1:]
		} else {
			to[i], b = b[0], b[1:]
		}
	}
}

// heeding is a comparison that heeds now and then that the task is to end.
func heeding[T any](c *Call, compare func(x, y T) int) func(x, y T) int {
	n := 0
	return func(x, y T) int {
		if n++; n%heedEvery == 0 {
			c.Heed()
		}
		return compare(x, y)
	}
}
