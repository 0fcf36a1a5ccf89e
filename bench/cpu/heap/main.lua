-- A binary heap of integers in a list: pushes n of them and pops them all.
local floor = math.floor

local function push(heap, x)
  local i = #heap + 1
  heap[i] = x
  while i > 1 do
    local up = floor(i / 2)
    if heap[up] <= heap[i] then break end
    heap[up], heap[i] = heap[i], heap[up]
    i = up
  end
end

local function pop(heap)
  local least, n = heap[1], #heap
  local last = heap[n]
  heap[n] = nil
  n = n - 1
  if n == 0 then return least end
  local i = 1
  while true do
    local down = 2 * i
    if down > n then break end
    if down < n and heap[down + 1] < heap[down] then down = down + 1 end
    if heap[down] >= last then break end
    heap[i] = heap[down]
    i = down
  end
  heap[i] = last
  return least
end

local n = tonumber(arg[1])
local heap, seed = {}, 42
for _ = 1, n do
  seed = seed * 16807 % 2147483647
  push(heap, seed)
end
local hash = 0
for _ = 1, n do hash = (hash * 31 + pop(heap)) % 1000000007 end
print(string.format("%d", hash))
