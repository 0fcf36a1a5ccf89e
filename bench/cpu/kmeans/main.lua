-- Clusters: ten rounds of k-means with 16 centres over n points in the plane.
local points, seed = {}, 42
for i = 1, tonumber(arg[1]) do
  seed = seed * 16807 % 2147483647
  local x = seed % 100000 / 100
  seed = seed * 16807 % 2147483647
  points[i] = {x = x, y = seed % 100000 / 100}
end
local centres = {}
for i = 1, 16 do centres[i] = {x = points[i].x, y = points[i].y} end
for _ = 1, 10 do
  local sums, counts = {}, {}
  for i = 1, 16 do sums[i], counts[i] = {x = 0, y = 0}, 0 end
  for k = 1, #points do
    local p, best, least = points[k], 1, 1e18
    for i = 1, 16 do
      local dx, dy = p.x - centres[i].x, p.y - centres[i].y
      local d = dx * dx + dy * dy
      if d < least then least, best = d, i end
    end
    local s = sums[best]
    s.x = s.x + p.x
    s.y = s.y + p.y
    counts[best] = counts[best] + 1
  end
  for i = 1, 16 do
    if counts[i] > 0 then
      centres[i].x = sums[i].x / counts[i]
      centres[i].y = sums[i].y / counts[i]
    end
  end
end
local sum = 0
for i = 1, 16 do sum = sum + (centres[i].x + 2 * centres[i].y) end
print(string.format("%d", math.floor(sum)))
