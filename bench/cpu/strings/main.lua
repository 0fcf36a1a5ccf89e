-- Strings: formats n short ones and joins them.
local n = tonumber(arg[1])
local parts = {}
for i = 0, n - 1 do parts[#parts + 1] = "item" .. i % 1000 end
print(#table.concat(parts, ","))
