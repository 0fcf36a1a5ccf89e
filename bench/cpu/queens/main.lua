-- The n queens: counts the ways to place them, with lists of taken columns and diagonals.
local Board = {}
Board.__index = Board

function Board:place(row)
  if row == self.n then return 1 end
  local count = 0
  for c = 0, self.n - 1 do
    if not (self.columns[c] or self.up[row + c] or self.down[row - c + self.n]) then
      self:set(row, c, true)
      count = count + self:place(row + 1)
      self:set(row, c, false)
    end
  end
  return count
end

function Board:set(row, c, to)
  self.columns[c] = to
  self.up[row + c] = to
  self.down[row - c + self.n] = to
end

local n = tonumber(arg[1])
local b = setmetatable({n = n, columns = {}, up = {}, down = {}}, Board)
for i = 0, n do b.columns[i] = false end
for i = 0, 2 * n do
  b.up[i] = false
  b.down[i] = false
end
print(b:place(0))
