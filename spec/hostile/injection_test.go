package hostile_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/internal/testgen/leaktest"
	"github.com/runnel-lang/runnel/internal/testgen/longtest"
	"github.com/runnel-lang/runnel/internal/vmtest"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

const (
	injectedValue = `fn _use() {
  defer print("deferred")
  probe.begin()
  let _v = $
  probe.end()
}
_use()
`
	injectedStatement = `fn _use() {
  defer print("deferred")
  probe.begin()
  $
  probe.end()
}
_use()
`
)

// injector has the charge of a number fail between two calls of a script.
type injector struct {
	at   int64
	left int64 // charges that were still to come at the end
}

func (j *injector) module() *vm.Module {
	m := vm.NewModule("probe", `/// Fails charges.

/// From now on.
pub native fn begin()
/// Up to here.
pub native fn end()
`)
	m.Signatures = map[string]bytecode.Signature{"begin": "() unit", "end": "() unit"}
	m.Native("begin", func(c *vm.Call) { vmtest.FailCharge(c.Instance(), j.at) })
	m.Native("end", func(c *vm.Call) {
		j.left = vmtest.ChargesLeft(c.Instance())
		vmtest.FailCharge(c.Instance(), 0)
	})
	return m
}

// hardLimit is what no use takes.
const hardLimit = 2 * time.Minute

// run runs a use under limits; it reports whether it came to its end.
func (j *injector) run(t *testing.T, u use, p *runnel.Program, modules vm.Modules, host runnel.Host, limits runnel.Limits) (ended bool) {
	t.Helper()
	var out bytes.Buffer
	host.Stdout = runnel.Output(&out)
	linked, err := vm.Link(p.Code, modules)
	require.NoError(t, err)
	in := vm.NewInstance(linked, vm.Config{Host: &host, Limits: limits})
	defer in.Close()
	j.left = 0
	ctx, cancel := context.WithTimeout(t.Context(), hardLimit)
	defer cancel()
	_, err = in.Invoke(ctx, linked.Callee(p.Code.Entry), nil)
	vmtest.FailCharge(in, 0)
	in.Drain(t.Context())
	in.MemoryInUse() // goes through all that is alive
	in.Unhandled()
	if err == nil {
		require.Contains(t, out.String(), "deferred", "%s: %s", u.name, u.expr)
		return true
	}
	var e *vm.Error
	switch {
	case !errors.As(err, &e):
		t.Fatal(err)
	case e.Limit != 0 && strings.Contains(e.Message, "limit"):
	case connected(u) > 0 && e.Kind == "IoError": // it was the other end that met the limit
	case strings.HasSuffix(e.Message, "has exceeded a limit"): // it was the actor that was asked
	default:
		t.Errorf("%s: %s: with charge %d failing: %v", u.name, u.expr, j.at, err)
	}
	if j.at > 0 && !strings.Contains(out.String(), "deferred") {
		t.Errorf("%s: %s: with charge %d failing its defer did not run", u.name, u.expr, j.at)
	}
	return false
}

// Whichever charge of a native or an instruction fails, the script ends with
// the error of the memory limit, its defers run, and its heap is whole.
func TestEveryChargeMayFail(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of runs")
	}
	host := grantedHost(t)
	goroutines := leaktest.Count()
	for _, u := range uses(t) {
		if u.name == "sys.exit" {
			continue
		}
		var j injector
		p, modules := u.linked(t, &j)
		for j.at = 1; j.at < math.MaxInt32; j.at += 1 + j.at/16 {
			if j.run(t, u, p, modules, host, runnel.Limits{Memory: 1 << 40}) && j.left > 0 {
				break
			}
		}
		if n := leaktest.Left(goroutines); n != 0 {
			var b strings.Builder
			pprof.Lookup("goroutine").WriteTo(&b, 1)
			require.Zero(t, n, "goroutines are left: %s\n%s", u.expr, b.String())
		}
	}
}

// The same for steps.
func TestEveryStepMayBeTheLast(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	host := grantedHost(t)
	goroutines := leaktest.Count()
	for _, u := range longtest.Some(uses(t), 25) {
		if u.name == "sys.exit" {
			continue
		}
		var j injector
		p, modules := u.linked(t, &j)
		for n := int64(100); !j.run(t, u, p, modules, host, runnel.Limits{Steps: n}); n += 1 + n/4 {
		}
		require.Zero(t, leaktest.Left(goroutines), "goroutines are left: %s", u.expr)
	}
}

// linked compiles a use with an injector.
func (u use) linked(t *testing.T, j *injector) (*runnel.Program, vm.Modules) {
	t.Helper()
	m := j.module()
	p, err := runnel.MustNew(runnel.WithModules(m), runnel.WithModules(all.Modules()...)).Compile(u.name+".rnl", u.program(injectedValue, injectedStatement))
	require.NoError(t, err)
	modules := vm.Modules{}
	require.NoError(t, modules.Add(append(all.Modules(), m)...))
	return p, modules
}
