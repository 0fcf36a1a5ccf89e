-- Solves a hard sudoku n times by trying, with the taken digits of rows, columns and boxes as bits.
local floor = math.floor
local band, bor, bxor
if jit then
  local bit = require("bit")
  band, bor, bxor = bit.band, bit.bor, bit.bxor
else
  band, bor, bxor = load([[
    return function(a, b) return a & b end, function(a, b, c) return a | b | c end, function(a, b) return a ~ b end]])()
end

local row, column, box, bits = {}, {}, {}, {}
for i = 0, 80 do
  row[i], column[i], box[i] = floor(i / 9), i % 9, floor(i / 27) * 3 + floor(i % 9 / 3)
end
for d = 1, 9 do bits[d] = floor(2 ^ d) end

local Sudoku = {}
Sudoku.__index = Sudoku

function Sudoku:set(i, bit)
  self.rows[row[i]] = bxor(self.rows[row[i]], bit)
  self.columns[column[i]] = bxor(self.columns[column[i]], bit)
  self.boxes[box[i]] = bxor(self.boxes[box[i]], bit)
end

function Sudoku:solve(i)
  local cells = self.cells
  while i < 81 and cells[i] ~= 0 do i = i + 1 end
  if i == 81 then return true end
  self.tries = self.tries + 1
  local taken = bor(self.rows[row[i]], self.columns[column[i]], self.boxes[box[i]])
  for d = 1, 9 do
    local bit = bits[d]
    if band(taken, bit) == 0 then
      cells[i] = d
      self:set(i, bit)
      if self:solve(i + 1) then return true end
      self:set(i, bit)
    end
  end
  cells[i] = 0
  return false
end

local puzzle = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
local sum = 0
for _ = 1, tonumber(arg[1]) do
  local s = setmetatable({cells = {}, rows = {}, columns = {}, boxes = {}, tries = 0}, Sudoku)
  for i = 0, 8 do s.rows[i], s.columns[i], s.boxes[i] = 0, 0, 0 end
  for i = 0, 80 do
    s.cells[i] = 0
    local d = puzzle:byte(i + 1) - 48
    if d > 0 then
      s.cells[i] = d
      s:set(i, bits[d])
    end
  end
  s:solve(0)
  sum = sum + s.tries + s.cells[80]
end
print(string.format("%d", sum))
