-- Multiplies two matrices of n by n integers, as lists of rows.
local function matrix(n, seed)
  local rows = {}
  for i = 1, n do
    local row = {}
    for j = 1, n do
      seed = seed * 16807 % 2147483647
      row[j] = seed % 100
    end
    rows[i] = row
  end
  return rows
end

local function multiply(a, b, n)
  local c = {}
  for i = 1, n do
    local row, left = {}, a[i]
    for j = 1, n do row[j] = 0 end
    for k = 1, n do
      local x, right = left[k], b[k]
      for j = 1, n do row[j] = row[j] + x * right[j] end
    end
    c[i] = row
  end
  return c
end

local n = tonumber(arg[1])
local c = multiply(matrix(n, 42), matrix(n, 43), n)
local hash = 0
for i = 1, n do
  for j = 1, n do hash = (hash * 31 + c[i][j]) % 1000000007 end
end
print(string.format("%d", hash))
