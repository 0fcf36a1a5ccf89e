package runnel

import "github.com/runnel-lang/runnel/vm"

// VM is the instance as packages of the library see it: package stdlib/actor
// finds actors by it.
func (in *Instance) VM() *vm.Instance { return in.vm }

// VM is Instance.VM of what the session runs.
func (s *Session) VM() *vm.Instance { return s.inst.vm }
