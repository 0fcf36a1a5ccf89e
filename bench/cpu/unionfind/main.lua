-- Disjoint sets: joins n random pairs of n elements and counts the sets.
local Sets = {}
Sets.__index = Sets

function Sets:find(x)
  local up = self.up
  while up[x] ~= x do
    up[x] = up[up[x]]
    x = up[x]
  end
  return x
end

function Sets:join(x, y)
  local a, b = self:find(x), self:find(y)
  if a == b then return false end
  if self.size[a] < self.size[b] then a, b = b, a end
  self.up[b] = a
  self.size[a] = self.size[a] + self.size[b]
  return true
end

local n = tonumber(arg[1])
local sets = setmetatable({up = {}, size = {}}, Sets)
for i = 1, n do sets.up[i], sets.size[i] = i, 1 end
local count, seed = n, 42
for _ = 1, n do
  seed = seed * 16807 % 2147483647
  local x = seed % n
  seed = seed * 16807 % 2147483647
  if sets:join(x + 1, seed % n + 1) then count = count - 1 end
end
print(string.format("%d", count))
