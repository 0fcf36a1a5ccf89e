// A tree of tasks, ten below each, with n leaves; each sums up what those below it give.
const { run } = require("../lib/chan.js");
async function skynet(num, size) {
  if (size === 1) return num;
  const sub = size / 10, ts = [];
  for (let i = 0; i < 10; i++) ts.push(skynet(num + i * sub, sub));
  let s = 0;
  for (const t of ts) s += await t;
  return s;
}
run((n) => skynet(0, n));
