-- An interpreter of Brainfuck, with its jumps found beforehand: a program counts n times to 200,000.
local byte = string.byte

local function run(text)
  local code, to, open = {byte(text, 1, #text)}, {}, {}
  for i = 1, #code do
    if code[i] == 91 then open[#open + 1] = i end
    if code[i] == 93 then
      local from = open[#open]
      open[#open] = nil
      to[i], to[from] = from, i
    end
  end
  local cells, at, pc, sum, n = {}, 0, 1, 0, #code
  for i = 0, 99 do cells[i] = 0 end
  while pc <= n do
    local c = code[pc]
    if c == 62 then
      at = at + 1
    elseif c == 60 then
      at = at - 1
    elseif c == 43 then
      cells[at] = (cells[at] + 1) % 256
    elseif c == 45 then
      cells[at] = (cells[at] + 255) % 256
    elseif c == 46 then
      sum = (sum * 31 + cells[at]) % 1000000007
    elseif c == 91 then
      if cells[at] == 0 then pc = to[pc] end
    elseif c == 93 then
      if cells[at] ~= 0 then pc = to[pc] end
    end
    pc = pc + 1
  end
  return sum
end

local sum = 0
for _ = 1, tonumber(arg[1]) do
  sum = sum + run("++++++++++[>++++++++++[>++++++++++[>++++++++++[>++++++++++[>++<-]<-]<-]<-]<-]>>>>>+.")
end
print(string.format("%d", sum))
