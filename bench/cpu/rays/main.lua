-- Rays through n by n pixels at three spheres: vectors are tables, and few pixels hit nothing.
local sqrt, max = math.sqrt, math.max
local Vector = {}
Vector.__index = Vector

local function vector(x, y, z) return setmetatable({x = x, y = y, z = z}, Vector) end
function Vector:minus(o) return vector(self.x - o.x, self.y - o.y, self.z - o.z) end
function Vector:times(f) return vector(self.x * f, self.y * f, self.z * f) end
function Vector:dot(o) return self.x * o.x + self.y * o.y + self.z * o.z end
function Vector:unit() return self:times(1 / sqrt(self:dot(self))) end

local function hit(s, way)
  local b = s.centre:dot(way)
  local d = b * b - s.centre:dot(s.centre) + s.radius * s.radius
  if d < 0 then return -1 end
  return b - sqrt(d)
end

local n = tonumber(arg[1])
local spheres = {
  {centre = vector(0, 0, 3), radius = 1}, {centre = vector(1, 0.5, 4), radius = 1},
  {centre = vector(-1.5, -0.5, 5), radius = 1.5},
}
local light, sum = vector(-1, -1, -1):unit(), 0
for y = 0, n - 1 do
  for x = 0, n - 1 do
    local way = vector(x / n - 0.5, y / n - 0.5, 1):unit()
    local near, found = 1e9, nil
    for i = 1, 3 do
      local far = hit(spheres[i], way)
      if far > 0 and far < near then near, found = far, spheres[i] end
    end
    if found then
      local normal = way:times(near):minus(found.centre):unit()
      sum = sum + max(0, normal:dot(light))
    end
  end
end
print(string.format("%d", math.floor(sum)))
