// Spawn and await: n tasks, one after the other, each gives its number.
const { run } = require("../lib/chan.js");
async function task(i) { return i; }
run(async (n) => {
  let s = 0;
  for (let i = 0; i < n; i++) s += await task(i);
  return s;
});
