-- Allocation and collection: builds and counts many short-lived binary trees.
local function build(depth)
  if depth == 0 then return { left = nil, right = nil } end
  return { left = build(depth - 1), right = build(depth - 1) }
end

local function count(tree)
  if tree.left == nil then return 1 end
  return 1 + count(tree.left) + count(tree.right)
end

local n = tonumber(arg[1])
local total = count(build(n + 1))
local long_lived = build(n)
for depth = 4, n, 2 do
  for _ = 1, 2 ^ (n - depth + 4) do total = total + count(build(depth)) end
end
print(total + count(long_lived))
