-- Lists of integers: sorts n pseudo-random ones in place.
local floor = math.floor

local function quicksort(xs, low, high)
  local pivot = xs[floor((low + high) / 2)]
  local i, j = low, high
  while i <= j do
    while xs[i] < pivot do i = i + 1 end
    while xs[j] > pivot do j = j - 1 end
    if i <= j then
      xs[i], xs[j] = xs[j], xs[i]
      i = i + 1
      j = j - 1
    end
  end
  if low < j then quicksort(xs, low, j) end
  if i < high then quicksort(xs, i, high) end
end

local n = tonumber(arg[1])
local xs, seed = {}, 42
for i = 1, n do
  seed = seed * 16807 % 2147483647
  xs[i] = seed
end
quicksort(xs, 1, n)
local hash = 0
for i = 1, n do hash = (hash * 31 + xs[i]) % 1000000007 end
print(hash)
