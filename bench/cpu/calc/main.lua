-- Parses an expression by recursive descent into a tree, and evaluates it for n values of x.
local text, at = "(x+12)*(x*x-3*(7+x))+(5-x)*(x+1)*(x+2)-17*x", 1
local byte, fmod = string.byte, math.fmod
local sum

local function peek() return byte(text, at) or 0 end

local function atom()
  local c = peek()
  at = at + 1
  if c == 40 then
    local inner = sum()
    at = at + 1
    return inner
  end
  if c == 120 then return {kind = "x"} end
  local value = c - 48
  while peek() >= 48 and peek() <= 57 do
    value = value * 10 + peek() - 48
    at = at + 1
  end
  return {kind = "n", value = value}
end

local function product()
  local left = atom()
  while peek() == 42 do
    at = at + 1
    left = {kind = "*", left = left, right = atom()}
  end
  return left
end

function sum()
  local left = product()
  while true do
    local c = peek()
    if c == 43 then
      at = at + 1
      left = {kind = "+", left = left, right = product()}
    elseif c == 45 then
      at = at + 1
      left = {kind = "-", left = left, right = product()}
    else
      return left
    end
  end
end

local function eval(e, x)
  local kind = e.kind
  if kind == "n" then return e.value end
  if kind == "x" then return x end
  if kind == "+" then return eval(e.left, x) + eval(e.right, x) end
  if kind == "-" then return eval(e.left, x) - eval(e.right, x) end
  return fmod(eval(e.left, x) * eval(e.right, x), 1000003)
end

local e, hash = sum(), 0
for x = 0, tonumber(arg[1]) - 1 do hash = (hash * 31 + eval(e, x) + 10000000) % 1000000007 end
print(string.format("%d", hash))
