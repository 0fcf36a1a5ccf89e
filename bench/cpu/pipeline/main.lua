-- Lists through map, filter and fold with closures: n rounds over a thousand numbers.
local function map(list, f)
  local out = {}
  for i = 1, #list do out[i] = f(list[i]) end
  return out
end

local function filter(list, keep)
  local out, n = {}, 0
  for i = 1, #list do
    if keep(list[i]) then
      n = n + 1
      out[n] = list[i]
    end
  end
  return out
end

local function fold(list, a, f)
  for i = 1, #list do a = f(a, list[i]) end
  return a
end

local numbers, sum = {}, 0
for i = 1, 1000 do numbers[i] = i - 1 end
for k = 0, tonumber(arg[1]) - 1 do
  local tripled = map(numbers, function(x) return x * 3 + k end)
  local even = filter(tripled, function(x) return x % 2 == 0 end)
  local halved = map(even, function(x) return math.floor(x / 2) end)
  sum = sum + fold(halved, 0, function(a, x) return (a + x) % 1000003 end)
end
print(string.format("%d", sum))
