-- Maps: counts under string keys, sums under integer keys.
local n = tonumber(arg[1])
local counts, sums = {}, {}
for i = 0, n - 1 do
  local key = "k" .. i * 7919 % 50021
  counts[key] = (counts[key] or 0) + 1
end
for i = 0, n - 1 do
  local key = i * 7919 % 100003
  sums[key] = (sums[key] or 0) + i % 10
end
local total = 0
for _, count in pairs(counts) do total = total + count * count + 1 end
for _, sum in pairs(sums) do total = total + sum + 1 end
print(total)
