package vm

// ForgetDead is forgetDead from outside of the instance's tasks.
func (in *Instance) ForgetDead() (forgotten int) {
	in.world.stopFromOutside()
	defer in.world.startFromOutside()
	return in.forgetDead()
}
