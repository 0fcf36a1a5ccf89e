-- Floating point in small functions: the spectral norm of an infinite matrix, cut at n.
local function entry(row, column)
  return 1.0 / ((row + column) * (row + column + 1) / 2 + row + 1)
end

local function multiply(v, out)
  local n = #v
  for i = 0, n - 1 do
    local sum = 0.0
    for j = 0, n - 1 do sum = sum + entry(i, j) * v[j + 1] end
    out[i + 1] = sum
  end
end

local function multiply_transposed(v, out)
  local n = #v
  for i = 0, n - 1 do
    local sum = 0.0
    for j = 0, n - 1 do sum = sum + entry(j, i) * v[j + 1] end
    out[i + 1] = sum
  end
end

local n = tonumber(arg[1])
local u, v, t = {}, {}, {}
for i = 1, n do
  u[i], v[i], t[i] = 1.0, 0.0, 0.0
end
for _ = 1, 10 do
  multiply(u, t)
  multiply_transposed(t, v)
  multiply(v, t)
  multiply_transposed(t, u)
end
local uv, vv = 0.0, 0.0
for i = 1, n do
  uv = uv + u[i] * v[i]
  vv = vv + v[i] * v[i]
end
print(string.format("%d", math.floor(math.sqrt(uv / vv) * 1e9)))
