-- Large numbers by hand: the sum of the digits of 2 to the power of n, in base 10,000.
local floor = math.floor
local n = tonumber(arg[1])
local digits = {1}
for _ = 1, n do
  local carry = 0
  for i = 1, #digits do
    local x = digits[i] * 2 + carry
    digits[i] = x % 10000
    carry = floor(x / 10000)
  end
  if carry > 0 then digits[#digits + 1] = carry end
end
local sum = 0
for i = 1, #digits do
  local rest = digits[i]
  while rest > 0 do
    sum = sum + rest % 10
    rest = floor(rest / 10)
  end
end
print(string.format("%d", sum))
