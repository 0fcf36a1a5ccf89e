// Timers: n tasks asleep for the same number of seconds, all at once.
const { run } = require("../lib/chan.js");
const d = +process.argv[3];
run(async (n, now) => {
  let s = 0;
  async function task() {
    await new Promise((res) => setTimeout(res, d * 1000));
    s++;
  }
  const ts = [];
  for (let i = 0; i < n; i++) ts.push(task());
  console.log("TIME start " + now());
  for (const t of ts) await t;
  console.log("TIME over " + (now() - d));
  return s;
});
