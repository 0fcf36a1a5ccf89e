package vm

import "github.com/runnel-lang/runnel/internal/vmtest"

func init() {
	vmtest.FailCharge = func(instance any, n int64) { instance.(*Instance).setFailCharge(n) }
	vmtest.ChargesLeft = func(instance any) int64 { return instance.(*Instance).failCharge.Load() }
	vmtest.MemoryCharged = func(call any) int64 { return call.(*Call).memoryCharged() }
	vmtest.CheckGlobals = func(instance any) error { return instance.(*Instance).checkGlobals() }
}
