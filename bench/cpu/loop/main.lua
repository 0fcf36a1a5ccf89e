-- Integer arithmetic in a while loop.
local n = tonumber(arg[1])
local sum, i = 0, 0
while i < n do
  sum = (sum + i) % 1000003
  i = i + 1
end
print(sum)
