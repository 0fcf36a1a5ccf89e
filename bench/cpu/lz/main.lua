-- Compresses n bytes: each place is looked up among the last that began with the same three.
local floor = math.floor
local n = tonumber(arg[1])
local text, size, seed = {}, 0, 42
while size < n do
  seed = seed * 16807 % 2147483647
  local from = seed % 1000
  if size > 2000 and seed % 4 > 0 then
    for i = 0, 9 + seed % 20 do
      text[size] = text[size - 1000 + floor(from / 2) + i % 3]
      size = size + 1
    end
  else
    text[size] = floor(seed / 7) % 16
    size = size + 1
  end
end
local last = {}
for i = 0, 4095 do last[i] = -1 end
local at, literals, matches, hash = 0, 0, 0, 0
while at + 3 <= n do
  local key = text[at] * 256 + text[at + 1] * 16 + text[at + 2]
  local from = last[key]
  last[key] = at
  local length = 0
  if from >= 0 and at - from < 4096 then
    while length < 64 and at + length < n and text[from + length] == text[at + length] do length = length + 1 end
  end
  if length >= 4 then
    matches = matches + 1
    hash = (hash * 31 + length * 4096 + at - from) % 1000000007
    at = at + length
  else
    literals = literals + 1
    hash = (hash * 31 + text[at]) % 1000000007
    at = at + 1
  end
end
print(string.format("%d %d %d", literals, matches, hash))
