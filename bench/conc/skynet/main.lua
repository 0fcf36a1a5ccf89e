-- A tree of tasks, ten below each, with n leaves; each sums up what those below it give.
package.path = arg[2] .. "/?.lua;" .. package.path
local s = require("sched")
local go, chan = s.go, s.chan

local function skynet(out, num, size)
  if size == 1 then out:send(num) return end
  local c = chan(0)
  local sub = size / 10
  for i = 0, 9 do go(skynet, c, num + i * sub, sub) end
  local sum = 0
  for i = 1, 10 do sum = sum + c:recv() end
  out:send(sum)
end
s.run(function(n)
  local c = chan(0)
  go(skynet, c, 0, n)
  return c:recv()
end)
