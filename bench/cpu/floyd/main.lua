-- The shortest ways between all pairs of n places, by Floyd and Warshall.
local n = tonumber(arg[1])
local far, seed = {}, 42
for i = 1, n do
  local row = {}
  for j = 1, n do
    seed = seed * 16807 % 2147483647
    if i == j then row[j] = 0 elseif seed % 5 == 0 then row[j] = seed % 100 + 1 else row[j] = 1000000 end
  end
  far[i] = row
end
for k = 1, n do
  local via = far[k]
  for i = 1, n do
    local row = far[i]
    local first = row[k]
    for j = 1, n do
      local d = first + via[j]
      if d < row[j] then row[j] = d end
    end
  end
end
local sum = 0
for i = 1, n do
  for j = 1, n do sum = sum + far[i][j] end
end
print(string.format("%d", sum))
