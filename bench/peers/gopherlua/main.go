// Command gopherlua runs a Lua file on gopher-lua: gopherlua FILE ARG...
package main

import (
	"fmt"
	"os"

	lua "github.com/yuin/gopher-lua"
)

func main() {
	// The default registry grows by 32 slots at a time, which makes joining a
	// long table quadratic.
	state := lua.NewState(lua.Options{
		RegistrySize:     256 * 20,
		RegistryMaxSize:  1 << 24,
		RegistryGrowStep: 1 << 16,
		CallStackSize:    256,
	})
	defer state.Close()
	args := state.NewTable()
	for _, arg := range os.Args[2:] {
		args.Append(lua.LString(arg))
	}
	state.SetGlobal("arg", args)
	if err := state.DoFile(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
