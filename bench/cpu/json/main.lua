-- JSON: encodes and decodes a list of n records, three times (with lua-cjson, written in C).
local cjson = require("cjson")

local items = {}
for i = 0, tonumber(arg[1]) - 1 do
  items[i + 1] = {
    id = i,
    name = "item number " .. i,
    price = i + 0.25,
    active = i % 2 == 0,
    tags = { "alpha", "beta", 'gamma "quoted"' },
    pos = { x = i * 2, name = "nested" },
  }
end
local sum = 0
for _ = 1, 3 do
  for _, item in ipairs(cjson.decode(cjson.encode(items))) do sum = sum + item.id + #item.tags end
end
print(string.format("%d", sum))
