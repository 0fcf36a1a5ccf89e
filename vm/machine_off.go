//go:build !(linux && amd64 && !race && !checkedloop && go1.26 && !go1.28)

package vm

type (
	machineContext struct{}
	newPlan        struct{}
	machineExits   struct{}

	// MachineStubs are addresses in machine code, which these builds do not have.
	MachineStubs struct{}
)

func (w *Worker) leaveMachine(*machineContext)   {}
func (w *Worker) shareMachine()                  {}
func (*machineExits) reasons() map[string]uint64 { return nil }
