-- Floating point in nested loops: the points of an n × n grid inside the Mandelbrot set.
local n = tonumber(arg[1])
local inside = 0
for y = 0, n - 1 do
  local ci = 2.0 * y / n - 1.0
  for x = 0, n - 1 do
    local cr = 2.0 * x / n - 1.5
    local zr, zi, steps = 0.0, 0.0, 0
    while steps < 50 do
      local next = zr * zr - zi * zi + cr
      zi = 2.0 * zr * zi + ci
      zr = next
      if zr * zr + zi * zi > 4.0 then break end
      steps = steps + 1
    end
    if steps == 50 then inside = inside + 1 end
  end
end
print(inside)
