-- Hand-over: n round trips between two tasks over unbuffered channels.
package.path = arg[2] .. "/?.lua;" .. package.path
local s = require("sched")
local go, chan = s.go, s.chan

s.run(function(n)
  local a, b = chan(0), chan(0)
  go(function()
    while true do
      local v = a:recv()
      if v == nil then break end
      b:send(v + 1)
    end
  end)
  local sum = 0
  for i = 0, n - 1 do
    a:send(i)
    sum = sum + b:recv()
  end
  a:close()
  return sum
end)
