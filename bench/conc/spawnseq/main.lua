-- Spawn and await: n tasks, one after the other, each gives its number.
package.path = arg[2] .. "/?.lua;" .. package.path
local s = require("sched")
local go, chan = s.go, s.chan

s.run(function(n)
  local sum = 0
  for i = 0, n - 1 do
    local c = chan(1)
    go(function() c:send(i) end)
    sum = sum + c:recv()
  end
  return sum
end)
