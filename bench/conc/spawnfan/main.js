// A million live tasks: n tasks wait at a gate, then all give their number.
const { run } = require("../lib/chan.js");
run(async (n, now) => {
  let open;
  const gate = new Promise((res) => { open = res; });
  async function task(i) { await gate; return i; }
  const ts = [];
  for (let i = 0; i < n; i++) ts.push(task(i));
  console.log("TIME spawn " + now());
  open();
  let s = 0;
  for (const t of ts) s += await t;
  return s;
});
