-- Method calls that change a field.
local Account = {}
Account.__index = Account

function Account:deposit(amount) self.balance = self.balance + amount end

local account = setmetatable({ balance = 0 }, Account)
for _ = 1, tonumber(arg[1]) do account:deposit(3) end
print(string.format("%d", account.balance))
