-- A treap: n random keys are put into a search tree that random priorities balance.
local function insert(t, key, rank)
  if not t then return {key = key, rank = rank, left = false, right = false} end
  if key < t.key then
    local l = insert(t.left, key, rank)
    t.left = l
    if l.rank > t.rank then
      t.left = l.right
      l.right = t
      return l
    end
  elseif key > t.key then
    local r = insert(t.right, key, rank)
    t.right = r
    if r.rank > t.rank then
      t.right = r.left
      r.left = t
      return r
    end
  end
  return t
end

local function sum(t, depth)
  if not t then return 0 end
  return t.key % 1000 * depth + sum(t.left, depth + 1) + sum(t.right, depth + 1)
end

local root, seed = nil, 42
for _ = 1, tonumber(arg[1]) do
  seed = seed * 16807 % 2147483647
  local key = seed % 1000000
  seed = seed * 16807 % 2147483647
  root = insert(root, key, seed)
end
print(string.format("%d", sum(root, 1)))
