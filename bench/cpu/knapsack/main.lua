-- The knapsack problem with n items and room for 10,000, in one row of the table.
local room, max = 10000, math.max
local best, seed = {}, 42
for w = 0, room do best[w] = 0 end
for _ = 1, tonumber(arg[1]) do
  seed = seed * 16807 % 2147483647
  local weight = 10 + seed % 500
  seed = seed * 16807 % 2147483647
  local value = 1 + seed % 1000
  for w = room, weight, -1 do best[w] = max(best[w], best[w - weight] + value) end
end
print(string.format("%d", best[room]))
