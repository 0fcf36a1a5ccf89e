-- List indexing: the most flips any permutation of 0..n needs, over all permutations in order.

-- Gives the checksum over the permutations and the largest number of flips.
local function fannkuch(n)
  local first, flipped, count = {}, {}, {}
  for i = 1, n do
    first[i], flipped[i], count[i] = i - 1, 0, 0
  end
  local checksum, most, index, r = 0, 0, 0, n
  while true do
    while r ~= 1 do
      count[r] = r
      r = r - 1
    end

    for i = 1, n do flipped[i] = first[i] end
    local flips, k = 0, flipped[1]
    while k ~= 0 do
      local i, j = 1, k + 1
      while i < j do
        flipped[i], flipped[j] = flipped[j], flipped[i]
        i = i + 1
        j = j - 1
      end
      flips = flips + 1
      k = flipped[1]
    end
    if flips > most then most = flips end
    if index % 2 == 0 then checksum = checksum + flips else checksum = checksum - flips end

    -- The next permutation: rotate longer and longer prefixes until one has turns left.
    while true do
      if r == n then return checksum, most end
      local head = first[1]
      for i = 1, r do first[i] = first[i + 1] end
      first[r + 1] = head
      count[r + 1] = count[r + 1] - 1
      if count[r + 1] > 0 then break end
      r = r + 1
    end
    index = index + 1
  end
end

local checksum, most = fannkuch(tonumber(arg[1]))
print(checksum * 1000 + most)
