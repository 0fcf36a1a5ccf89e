// A buffer of 1024 between a producer of n items and a consumer.
const { Chan, run } = require("../lib/chan.js");
run(async (n) => {
  const c = new Chan(1024);
  (async () => {
    for (let i = 0; i < n; i++) await c.send(i);
    c.close();
  })();
  let s = 0;
  for (;;) {
    const v = await c.recv();
    if (v === null) return s;
    s += v;
  }
});
