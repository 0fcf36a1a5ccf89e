// Hand-over: n round trips between two tasks over unbuffered channels.
const { Chan, run } = require("../lib/chan.js");
run(async (n) => {
  const a = new Chan(0), b = new Chan(0);
  (async () => {
    for (;;) {
      const v = await a.recv();
      if (v === null) break;
      await b.send(v + 1);
    }
  })();
  let s = 0;
  for (let i = 0; i < n; i++) {
    await a.send(i);
    s += await b.recv();
  }
  a.close();
  return s;
});
