package runnel

import "github.com/runnel-lang/runnel/vm"

// VM returns the instance as the library's packages see it; package stdlib/actor uses it to find actors.
func (in *Instance) VM() *vm.Instance { return in.vm }

// VM returns the Instance.VM of the session.
func (s *Session) VM() *vm.Instance { return s.inst.vm }
