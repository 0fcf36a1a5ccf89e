package vm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/bytecode"
)

// A task<T> is one for who looks at it as any, also if its value was there first.
func TestTheTaskOfAPromiseThatWasKeptBefore(t *testing.T) {
	m := vm.NewModule("later", `/// Promises.

/// A promise.
pub native struct Later

/// Makes one.
pub native fn make() -> Later

/// Gives its value.
pub native fn keep(l: Later, v: int)

/// What it promises.
pub native fn result(l: Later) -> task<int>
`)
	m.Signatures = map[string]bytecode.Signature{"make": "() later.Later", "keep": "(later.Later, int) unit", "result": "(later.Later) task<int>"}
	m.Native("make", func(c *vm.Call) { c.SetObject(c.NewPromise(c.Ref().Result, nil)) })
	m.Native("keep", func(c *vm.Call) { vm.NativeArg[*vm.Promise](c, 0).Complete(c, 1) })
	m.Native("result", func(c *vm.Call) { c.SetObject(vm.NativeArg[*vm.Promise](c, 0).Task(c, c.Ref().Result)) })
	var out strings.Builder
	rt, err := runnel.New(runnel.WithModules(m), runnel.WithHost(runnel.Host{Stdout: &out}))
	require.NoError(t, err)
	p, err := rt.Compile("main.rnl", `import later
let l = later.make()
later.keep(l, 5)
let r: any = later.result(l)
print(r is task<int>, r)
if r is task<int> { print(await r) }`)
	require.NoError(t, err)
	in, err := p.Start(context.Background())
	require.NoError(t, err)
	in.Close()
	require.Equal(t, "true <task>\n5\n", out.String())
}
