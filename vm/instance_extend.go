package vm

import "errors"

// Extend makes the instance continue with a program that extends its own.
// Running tasks notice nothing: what they refer to by number is at the same
// place in the new tables, and all workers get these while the world is
// stopped. The old tables stay unchanged for whoever still reads them. New
// globals are uninitialized; the caller has to call their initializers.
func (in *Instance) Extend(p *Program) error {
	if in.race != nil || in.counts != nil {
		return errors.New("an instance that looks for races or counts what it runs cannot be extended")
	}
	in.world.stopExternal()
	defer in.world.startExternal()
	in.mu.Lock()
	defer in.mu.Unlock()
	in.prog.Store(p)
	in.placeGlobals(len(p.Globals))
	for _, w := range in.workers {
		w.prog, w.tables, w.globals, w.ginit = p, p.tables, in.globals, in.ginit
	}
	return nil
}

// placeGlobals makes room for n globals, keeping those that there are.
func (in *Instance) placeGlobals(n int) {
	values, inited := make([]Value, n+1), make([]uint8, n+1)
	copy(values, in.globalList)
	copy(inited, in.initList)
	in.globalList, in.initList = values, inited
	in.globals, in.ginit = base(values), base(inited)
}
