-- A buffer of 1024 between a producer of n items and a consumer.
package.path = arg[2] .. "/?.lua;" .. package.path
local s = require("sched")
local go, chan = s.go, s.chan

s.run(function(n)
  local c = chan(1024)
  go(function()
    for i = 0, n - 1 do c:send(i) end
    c:close()
  end)
  local sum = 0
  while true do
    local v = c:recv()
    if v == nil then return sum end
    sum = sum + v
  end
end)
