-- CRC-32 by hand: a table of 256 entries, over a megabyte, n times.
local band, bxor, shift
if jit then
  local bit = require("bit")
  band, bxor, shift = bit.band, bit.bxor, bit.rshift
else
  band, bxor, shift = load([[
    return function(a, b) return a & b end, function(a, b) return a ~ b end, function(a, n) return a >> n end]])()
end

local table = {}
for i = 0, 255 do
  local c = i
  for _ = 1, 8 do
    if band(c, 1) == 1 then c = bxor(0xedb88320, shift(c, 1)) else c = shift(c, 1) end
  end
  table[i] = c
end
local data, seed = {}, 42
for i = 1, 1048576 do
  seed = seed * 16807 % 2147483647
  data[i] = band(seed, 255)
end
local crc = 0xffffffff
for _ = 1, tonumber(arg[1]) do
  for i = 1, #data do crc = bxor(table[band(bxor(crc, data[i]), 255)], shift(crc, 8)) end
end
print(string.format("%d", bxor(crc, 0xffffffff) % 4294967296))
