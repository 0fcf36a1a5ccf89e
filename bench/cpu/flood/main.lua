-- Breadth-first search over a grid of n by n with walls below its first row, with a list as the queue.
local floor = math.floor
local n = tonumber(arg[1])
local walls, far, seed = {}, {}, 42
for i = 0, n * n - 1 do
  seed = seed * 16807 % 2147483647
  walls[i] = i >= n and seed % 100 < 30
  far[i] = -1
end
far[0] = 0
local queue, last, next = {0}, 1, 1
local ways = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
while next <= last do
  local at = queue[next]
  next = next + 1
  local x, y = at % n, floor(at / n)
  for w = 1, 4 do
    local u, v = x + ways[w][1], y + ways[w][2]
    if u >= 0 and v >= 0 and u < n and v < n then
      local to = v * n + u
      if not walls[to] and far[to] < 0 then
        far[to] = far[at] + 1
        last = last + 1
        queue[last] = to
      end
    end
  end
end
local sum = 0
for i = 0, n * n - 1 do
  if far[i] > 0 then sum = sum + far[i] end
end
print(string.format("%d %d", last, sum))
