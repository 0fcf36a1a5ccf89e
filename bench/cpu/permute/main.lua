-- All permutations of n numbers in lexicographic order, each put into a sum.
local floor = math.floor

local function next(p, n)
  local i = n - 1
  while i >= 1 and p[i] > p[i + 1] do i = i - 1 end
  if i < 1 then return false end
  local j = n
  while p[j] < p[i] do j = j - 1 end
  p[i], p[j] = p[j], p[i]
  local a, b = i + 1, n
  while a < b do
    p[a], p[b] = p[b], p[a]
    a = a + 1
    b = b - 1
  end
  return true
end

local n = tonumber(arg[1])
local p, sum = {}, 0
for i = 1, n do p[i] = i - 1 end
local middle = floor(n / 2) + 1
repeat
  sum = (sum * 3 + p[1] * 100 + p[middle] * 10 + p[n]) % 1000000007
until not next(p, n)
print(string.format("%d", sum))
