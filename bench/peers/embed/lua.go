package main

import (
	"os"
	"strings"

	"github.com/arnodel/golua/lib"
	golua "github.com/arnodel/golua/runtime"
	lua "github.com/yuin/gopher-lua"
	luaparse "github.com/yuin/gopher-lua/parse"
)

const luaSource = `
function f(a, b) return a + b * 2 end
function times(n)
  local x = 0
  for i = 1, n do x = h(x) end
  return x
end`

func gopherLuaOps() []*operation {
	proto := must(lua.Compile(must(luaparse.Parse(strings.NewReader(luaSource), "f")), "f"))
	start := func() *lua.LState {
		state := lua.NewState()
		state.SetGlobal("h", state.NewFunction(func(l *lua.LState) int {
			l.Push(l.CheckNumber(1) + 1)
			return 1
		}))
		state.Push(state.NewFunctionFromProto(proto))
		state.Call(0, 0)
		return state
	}
	state := start()
	run := func(fn lua.LValue, args ...lua.LValue) int {
		check(state.CallByParam(lua.P{Fn: fn, NRet: 1, Protect: true}, args...))
		v := state.Get(-1)
		state.Pop(1)
		return int(v.(lua.LNumber))
	}
	f, times := state.GetGlobal("f"), state.GetGlobal("times")
	return append(
		fresh("gopher-lua", 300, func() (any, func()) {
			state := start()
			return state, state.Close
		}),
		call("gopher-lua", 300_000, func(a, b int) int { return run(f, lua.LNumber(a), lua.LNumber(b)) }),
		back("gopher-lua", 300_000, func(n int) int { return run(times, lua.LNumber(n)) }),
	)
}

func goluaOps() []*operation {
	start := func() (*golua.Runtime, func()) {
		r := golua.New(os.Stdout)
		end := lib.LoadAll(r)
		h := golua.NewGoFunction(func(t *golua.Thread, c *golua.GoCont) (golua.Cont, error) {
			return c.PushingNext1(t.Runtime, golua.IntValue(c.Arg(0).AsInt()+1)), nil
		}, "h", 1, false)
		globals := r.GlobalEnv()
		r.SetEnv(globals, "h", golua.FunctionValue(h))
		chunk := must(r.CompileAndLoadLuaChunk("f", []byte(luaSource), golua.TableValue(globals)))
		must(golua.Call1(r.MainThread(), golua.FunctionValue(chunk)))
		return r, end
	}
	r, _ := start()
	run := func(fn golua.Value, args ...golua.Value) int {
		return int(must(golua.Call1(r.MainThread(), fn, args...)).AsInt())
	}
	f, times := r.GlobalEnv().Get(golua.StringValue("f")), r.GlobalEnv().Get(golua.StringValue("times"))
	ops := append(
		fresh("golua", 300, func() (any, func()) { return start() }),
		call("golua", 300_000, func(a, b int) int { return run(f, golua.IntValue(int64(a)), golua.IntValue(int64(b))) }),
		back("golua", 300_000, func(n int) int { return run(times, golua.IntValue(int64(n))) }),
	)
	ops[0].note = "compiles too"
	return ops
}
