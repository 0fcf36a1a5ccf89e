package spec

import (
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"
)

// TestMain lets twice as many cases run at once as there are processors: many wait. The
// programs are kept, so the collector comes less often.
func TestMain(m *testing.M) {
	flag.Parse()
	debug.SetGCPercent(200)
	if f := flag.Lookup("test.parallel"); f.Value.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		_ = f.Value.Set(strconv.Itoa(2 * runtime.GOMAXPROCS(0)))
	}
	os.Exit(m.Run())
}
