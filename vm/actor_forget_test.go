package vm

// ForgetDead is forgetDead from outside of the instance's tasks.
func (in *Instance) ForgetDead() (forgotten int) {
	in.world.stopExternal()
	defer in.world.startExternal()
	return in.forgetDead()
}
