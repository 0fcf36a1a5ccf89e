-- Conway's game of life on a torus of 128 by 128: n generations.
local side = 128

local function step(from, to)
  for y = 0, side - 1 do
    local above, row, below = (y + side - 1) % side * side, y * side, (y + 1) % side * side
    for x = 0, side - 1 do
      local left, right = (x + side - 1) % side, (x + 1) % side
      local around = 0
      if from[above + left] then around = around + 1 end
      if from[above + x] then around = around + 1 end
      if from[above + right] then around = around + 1 end
      if from[row + left] then around = around + 1 end
      if from[row + right] then around = around + 1 end
      if from[below + left] then around = around + 1 end
      if from[below + x] then around = around + 1 end
      if from[below + right] then around = around + 1 end
      to[row + x] = around == 3 or around == 2 and from[row + x]
    end
  end
end

local now, next, seed = {}, {}, 42
for i = 0, side * side - 1 do
  seed = seed * 16807 % 2147483647
  now[i] = seed % 3 == 0
  next[i] = false
end
for _ = 1, tonumber(arg[1]) do
  step(now, next)
  now, next = next, now
end
local hash = 0
for i = 0, side * side - 1 do
  if now[i] then hash = (hash * 31 + i) % 1000000007 end
end
print(string.format("%d", hash))
