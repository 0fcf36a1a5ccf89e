-- Splits a text of about n bytes into words, numbers and signs, and counts the words.
local floor, byte, sub = math.floor, string.byte, string.sub

local function text(n)
  local words = {[0] = "let", "total", "price", "fn", "x1", "while", "value", "index"}
  local signs = {[0] = "+", "-", "(", ")", "{", "}", "==", ";"}
  local parts, size, seed = {}, 0, 42
  while size < n do
    seed = seed * 16807 % 2147483647
    local kind, rest, part = seed % 3, floor(seed / 3), nil
    if kind == 0 then
      part = words[rest % 8]
    elseif kind == 1 then
      part = signs[rest % 8]
    else
      part = string.format("%d", rest % 10000)
    end
    parts[#parts + 1] = part
    size = size + #part + 1
  end
  return table.concat(parts, " ")
end

local function is_letter(c) return c >= 97 and c <= 122 or c >= 65 and c <= 90 or c == 95 end
local function is_digit(c) return c >= 48 and c <= 57 end

local source = text(tonumber(arg[1]))
local n, counts, kinds = #source, {}, 0
local at, numbers, signs = 1, 0, 0
while at <= n do
  local c, begin = byte(source, at), at
  at = at + 1
  if is_letter(c) then
    while at <= n and (is_letter(byte(source, at)) or is_digit(byte(source, at))) do at = at + 1 end
    local word = sub(source, begin, at - 1)
    if not counts[word] then
      counts[word] = 0
      kinds = kinds + 1
    end
    counts[word] = counts[word] + 1
  elseif is_digit(c) then
    local value = c - 48
    while at <= n and is_digit(byte(source, at)) do
      value = value * 10 + byte(source, at) - 48
      at = at + 1
    end
    numbers = (numbers + value) % 1000003
  elseif c ~= 32 then
    signs = signs + 1
  end
end
print(string.format("%d %d %d %d", numbers, signs, counts["total"], kinds))
