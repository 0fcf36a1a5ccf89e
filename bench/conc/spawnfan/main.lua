-- A million live tasks: n tasks wait at a gate, then all give their number.
package.path = arg[2] .. "/?.lua;" .. package.path
local s = require("sched")
local go, chan = s.go, s.chan

s.run(function(n)
  local gate, out = chan(0), chan(1024)
  for i = 0, n - 1 do
    go(function() gate:recv(); out:send(i) end)
  end
  go(function() print(string.format("TIME spawn %.6f", s.now())); gate:close() end)
  local sum = 0
  for i = 1, n do sum = sum + out:recv() end
  return sum
end)
