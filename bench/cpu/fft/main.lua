-- The fast Fourier transform of 16,384 points in place, n times.
local size, floor = 16384, math.floor

local function transform(re, im)
  local j = 0
  for i = 1, size - 1 do
    local bit = size / 2
    while j >= bit do
      j = j - bit
      bit = bit / 2
    end
    j = j + bit
    if i < j then
      re[i], re[j] = re[j], re[i]
      im[i], im[j] = im[j], im[i]
    end
  end
  local length = 2
  while length <= size do
    local angle = -2 * math.pi / length
    local wr, wi = math.cos(angle), math.sin(angle)
    local half = floor(length / 2)
    for i = 0, size - 1, length do
      local cr, ci = 1, 0
      for k = i, i + half - 1 do
        local m = k + half
        local xr = re[m] * cr - im[m] * ci
        local xi = re[m] * ci + im[m] * cr
        re[m], im[m] = re[k] - xr, im[k] - xi
        re[k] = re[k] + xr
        im[k] = im[k] + xi
        cr, ci = cr * wr - ci * wi, cr * wi + ci * wr
      end
    end
    length = length * 2
  end
end

local re, im = {}, {}
for i = 0, size - 1 do re[i], im[i] = i % 100, 0 end
for _ = 1, tonumber(arg[1]) do
  transform(re, im)
  for i = 0, size - 1 do
    re[i] = re[i] / 128
    im[i] = im[i] / 128
  end
end
local sum = 0
for i = 0, size - 1 do sum = sum + re[i] * re[i] + im[i] * im[i] end
print(string.format("%d", floor(sum + 0.5)))
