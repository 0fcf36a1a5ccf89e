-- Sorting records with a comparator: n of them, by group and then downwards by score.
local floor = math.floor
local n = tonumber(arg[1])
local all, seed = {}, 42
for i = 1, n do
  seed = seed * 16807 % 2147483647
  all[i] = {group = seed % 100, score = floor(seed / 100) % 10000}
end
table.sort(all, function(a, b)
  if a.group ~= b.group then return a.group < b.group end
  return a.score > b.score
end)
local hash = 0
for i = 1, n do hash = (hash * 31 + all[i].group * 10000 + all[i].score) % 1000000007 end
print(string.format("%d", hash))
