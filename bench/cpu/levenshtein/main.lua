-- Edit distance of two texts of n bytes, with two rows of the table.
local min = math.min

local function text(n, seed)
  local codes = {}
  for i = 1, n do
    seed = seed * 16807 % 2147483647
    codes[i] = 97 + seed % 4
  end
  return codes
end

local function distance(a, b)
  local before, row = {}, {}
  for j = 1, #b + 1 do before[j] = j - 1 end
  for i = 1, #a do
    row[1] = i
    for j = 1, #b do
      local least = before[j]
      if a[i] ~= b[j] then least = min(least, before[j + 1], row[j]) + 1 end
      row[j + 1] = least
    end
    before, row = row, before
  end
  return before[#b + 1]
end

local n = tonumber(arg[1])
print(string.format("%d", distance(text(n, 42), text(n, 43))))
