-- SHA-256 by hand: hashes a block of 64 bytes n times, each with the result of the last.
local band, bor, bxor, bnot, shift, rotate, tobit
if jit then
  local bit = require("bit")
  band, bxor, bnot, shift, rotate, tobit = bit.band, bit.bxor, bit.bnot, bit.rshift, bit.ror, bit.tobit
else
  band, bxor, bnot, shift, rotate, tobit = load([[
    return function(a, b) return a & b end,
      function(a, b, c) return a ~ b ~ (c or 0) end,
      function(a) return ~a & 0xffffffff end,
      function(a, n) return a >> n end,
      function(a, n) return (a >> n | a << (32 - n)) & 0xffffffff end,
      function(a) return a & 0xffffffff end]])()
end

local floor = math.floor
local k, p = {}, 2
while #k < 64 do
  local prime = true
  for d = 2, p - 1 do
    if d * d > p then break end
    if p % d == 0 then prime = false end
  end
  if prime then
    local root = p ^ (1 / 3)
    k[#k + 1] = floor((root - floor(root)) * 4294967296)
  end
  p = p + 1
end

local function compress(h, w)
  for i = 17, 64 do
    local x, y = w[i - 15], w[i - 2]
    local s0 = bxor(rotate(x, 7), rotate(x, 18), shift(x, 3))
    local s1 = bxor(rotate(y, 17), rotate(y, 19), shift(y, 10))
    w[i] = tobit(w[i - 16] + s0 + w[i - 7] + s1)
  end
  local a, b, c, d, e, f, g, last = h[1], h[2], h[3], h[4], h[5], h[6], h[7], h[8]
  for i = 1, 64 do
    local s1 = bxor(rotate(e, 6), rotate(e, 11), rotate(e, 25))
    local t1 = last + s1 + bxor(band(e, f), band(bnot(e), g)) + k[i] + w[i]
    local s0 = bxor(rotate(a, 2), rotate(a, 13), rotate(a, 22))
    local t2 = s0 + bxor(band(a, b), band(a, c), band(b, c))
    last, g, f, e, d, c, b, a = g, f, e, tobit(d + t1), c, b, a, tobit(t1 + t2)
  end
  h[1], h[2], h[3], h[4] = tobit(h[1] + a), tobit(h[2] + b), tobit(h[3] + c), tobit(h[4] + d)
  h[5], h[6], h[7], h[8] = tobit(h[5] + e), tobit(h[6] + f), tobit(h[7] + g), tobit(h[8] + last)
end

local h = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
local w = {}
for i = 0, tonumber(arg[1]) - 1 do
  for j = 0, 15 do w[j + 1] = tobit(h[j % 8 + 1] + i * j) end
  compress(h, w)
end
print(string.format("%d", h[1] % 4294967296))
