-- Lists of booleans: counts the primes up to n by the sieve of Eratosthenes.
local n = tonumber(arg[1])
local composite = {}
for i = 1, n do composite[i] = false end
local primes = 0
for i = 2, n do
  if not composite[i] then
    primes = primes + 1
    for multiple = i + i, n, i do composite[multiple] = true end
  end
end
print(primes)
