-- A stack machine in a loop: a program of ten instructions counts down from n.
local PUSH, LOAD, STORE, ADD, MULTIPLY, MODULO, JUMPZ, JUMP, HALT = 1, 2, 3, 4, 5, 6, 7, 8, 9

local function run(code, n)
  local stack, top, slots, pc = {}, 0, {[0] = n, 1}, 0
  while true do
    local op = code[pc]
    local kind, arg = op[1], op[2]
    pc = pc + 1
    if kind == PUSH then
      top = top + 1
      stack[top] = arg
    elseif kind == LOAD then
      top = top + 1
      stack[top] = slots[arg]
    elseif kind == STORE then
      slots[arg] = stack[top]
      top = top - 1
    elseif kind == ADD then
      top = top - 1
      stack[top] = stack[top] + stack[top + 1]
    elseif kind == MULTIPLY then
      top = top - 1
      stack[top] = stack[top] * stack[top + 1]
    elseif kind == MODULO then
      top = top - 1
      stack[top] = stack[top] % stack[top + 1]
    elseif kind == JUMPZ then
      if stack[top] == 0 then pc = arg end
      top = top - 1
    elseif kind == JUMP then
      pc = arg
    else
      return slots[1]
    end
  end
end

local code = {
  [0] = {LOAD, 0}, {JUMPZ, 13},
  {LOAD, 1}, {PUSH, 31}, {MULTIPLY}, {LOAD, 0}, {ADD}, {PUSH, 1000003}, {MODULO}, {STORE, 1},
  {LOAD, 0}, {PUSH, -1}, {JUMP, 14},
  {HALT},
  {ADD}, {STORE, 0}, {JUMP, 0},
}
print(string.format("%d", run(code, tonumber(arg[1]))))
