-- Linked lists of n nodes: built, reversed and sorted by merging.
local floor = math.floor

local function merge(x, y)
  local head = {}
  local last = head
  while x and y do
    if x.value <= y.value then
      last.next = x
      last = x
      x = x.next
    else
      last.next = y
      last = y
      y = y.next
    end
  end
  last.next = x or y
  return head.next
end

local function sorted(list, n)
  if n < 2 then return list end
  local half, middle = floor(n / 2), list
  for _ = 2, half do middle = middle.next end
  local rest = middle.next
  middle.next = nil
  return merge(sorted(list, half), sorted(rest, n - half))
end

local n = tonumber(arg[1])
local list, back, seed = nil, nil, 42
for _ = 1, n do
  seed = seed * 16807 % 2147483647
  list = {value = seed, next = list}
end
while list do
  local next = list.next
  list.next = back
  back, list = list, next
end
local hash, at = 0, sorted(back, n)
while at do
  hash = (hash * 31 + at.value) % 1000000007
  at = at.next
end
print(string.format("%d", hash))
