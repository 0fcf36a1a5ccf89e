-- Closures: calls a function that counts in a captured variable.
local function counter()
  local count = 0
  return function()
    count = count + 1
    return count
  end
end

local next, sum = counter(), 0
for _ = 1, tonumber(arg[1]) do sum = sum + next() end
print(string.format("%d", sum))
