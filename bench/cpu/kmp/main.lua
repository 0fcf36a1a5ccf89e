-- Counts a pattern of twelve bytes in a text of n, with the table of Knuth, Morris and Pratt.
local floor = math.floor

local function letters(n, seed)
  local codes = {}
  for i = 1, n do
    seed = seed * 16807 % 2147483647
    codes[i] = 97 + floor(seed / 64) % 2
  end
  return codes
end

local function count(text, pattern)
  local next, k, m = {[0] = 0, 0}, 0, #pattern
  for i = 2, m do
    while k > 0 and pattern[i] ~= pattern[k + 1] do k = next[k] end
    if pattern[i] == pattern[k + 1] then k = k + 1 end
    next[i] = k
  end
  local found = 0
  k = 0
  for i = 1, #text do
    local c = text[i]
    while k > 0 and c ~= pattern[k + 1] do k = next[k] end
    if c == pattern[k + 1] then k = k + 1 end
    if k == m then
      found = found + 1
      k = next[k]
    end
  end
  return found
end

local text, pattern = letters(tonumber(arg[1]), 42), {}
for i = 1, 12 do pattern[i] = text[100 + i] end
print(string.format("%d", count(text, pattern)))
