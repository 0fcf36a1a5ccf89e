-- Hand-over: n hops in all round a ring of 1000 tasks.
package.path = arg[2] .. "/?.lua;" .. package.path
local s = require("sched")
local go, chan = s.go, s.chan

local function node(inp, out)
  while true do out:send(inp:recv() + 1) end
end
s.run(function(n)
  local first = chan(0)
  local inp = first
  for i = 1, 999 do
    local out = chan(0)
    go(node, inp, out)
    inp = out
  end
  local v = 0
  for lap = 1, n / 1000 do
    first:send(v)
    v = inp:recv() + 1
  end
  return v
end)
