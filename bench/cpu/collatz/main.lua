-- The number below n with the longest Collatz sequence, with the lengths of smaller ones kept.
local floor = math.floor
local n = tonumber(arg[1])
local lengths, best = {1}, 1
for i = 2, n - 1 do
  local x, steps = i, 0
  while x >= i do
    if x % 2 == 0 then x = floor(x / 2) else x = 3 * x + 1 end
    steps = steps + 1
  end
  lengths[i] = steps + lengths[x]
  if lengths[i] > lengths[best] then best = i end
end
print(string.format("%d %d", best, lengths[best]))
