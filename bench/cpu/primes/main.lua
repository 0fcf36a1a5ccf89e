-- Primes up to n and the least factor of every number, by Euler's sieve.
local n = tonumber(arg[1])
local least, primes, count = {}, {}, 0
for i = 1, n do least[i] = 0 end
for i = 2, n do
  if least[i] == 0 then
    least[i] = i
    count = count + 1
    primes[count] = i
  end
  for k = 1, count do
    local p = primes[k]
    if p > least[i] or i * p > n then break end
    least[i * p] = p
  end
end
local sum = 0
for i = 1, n do sum = sum + least[i] end
print(string.format("%d %d", count, sum))
