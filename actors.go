package runnel

import "github.com/runnel-lang/runnel/vm"

// VM is the instance as packages of the library see it: package stdlib/actor
// finds actors by it.
func (in *Instance) VM() *vm.Instance { return in.vm }
