-- A trie of n words of four to eleven letters, in which prefixes are counted.
local function add(root, word)
  local at = root
  for i = 1, #word do
    at.words = at.words + 1
    local below, c = at.below, word[i]
    if not below[c] then below[c] = {below = {}, words = 0} end
    at = below[c]
  end
  at.words = at.words + 1
end

local function count(root, word, letters)
  local at = root
  for i = 1, letters do
    at = at.below[word[i]]
    if not at then return 0 end
  end
  return at.words
end

local words, seed = {}, 42
for i = 0, tonumber(arg[1]) - 1 do
  local word = {}
  for j = 1, 4 + i % 8 do
    seed = seed * 16807 % 2147483647
    word[j] = seed % 26 + 1
  end
  words[#words + 1] = word
end
local root, sum = {below = {}, words = 0}, 0
for i = 1, #words do add(root, words[i]) end
for i = 1, #words do sum = sum + count(root, words[i], 3) end
print(string.format("%d %d", root.words, sum))
