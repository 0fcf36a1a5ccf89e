package vm

import "errors"

// Extend has the instance go on with a program that extends its own, whose tasks
// notice nothing: what they refer to by number is in the same place of the new
// tables, and while the world stands still every worker gets these. The tables of
// before stay as they are for who still looks into them. Globals that are new are
// uninitialised; what they are initialised by is for the caller to call.
func (in *Instance) Extend(p *Program) error {
	if in.race != nil || in.counts != nil {
		return errors.New("an instance that looks for races or counts what it runs cannot be extended")
	}
	in.world.stopFromOutside()
	defer in.world.startFromOutside()
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
