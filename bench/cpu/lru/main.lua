-- A cache of 1,000 entries that forgets the least recently used, in n look-ups: a map and a ring.
local floor = math.floor
local Cache = {}
Cache.__index = Cache

function Cache:unlink(e)
  if e.before then e.before.after = e.after else self.newest = e.after end
  if e.after then e.after.before = e.before else self.oldest = e.before end
end

function Cache:first(e)
  e.before, e.after = nil, self.newest
  if self.newest then self.newest.before = e else self.oldest = e end
  self.newest = e
end

function Cache:get(key)
  local e = self.entries[key]
  if e then
    self.hits = self.hits + 1
    self:unlink(e)
    self:first(e)
    return e.value
  end
  if self.size >= self.room then
    local last = self.oldest
    self:unlink(last)
    self.entries[last.key] = nil
    self.size = self.size - 1
  end
  e = {key = key, value = key * 7 % 1000}
  self.entries[key] = e
  self.size = self.size + 1
  self:first(e)
  return e.value
end

local cache = setmetatable({room = 1000, entries = {}, size = 0, hits = 0}, Cache)
local seed, sum = 42, 0
for _ = 1, tonumber(arg[1]) do
  seed = seed * 16807 % 2147483647
  sum = sum + cache:get(floor(seed % 2000 * (seed % 7) / 6))
end
print(string.format("%d %d", cache.hits, sum))
