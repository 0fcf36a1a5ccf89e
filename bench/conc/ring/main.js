// Hand-over: n hops in all round a ring of 1000 tasks.
const { Chan, run } = require("../lib/chan.js");
async function node(inp, out) {
  for (;;) await out.send((await inp.recv()) + 1);
}
run(async (n) => {
  const first = new Chan(0);
  let inp = first;
  for (let i = 0; i < 999; i++) {
    const out = new Chan(0);
    node(inp, out);
    inp = out;
  }
  let v = 0;
  for (let lap = 0; lap < n / 1000; lap++) {
    await first.send(v);
    v = (await inp.recv()) + 1;
  }
  return v;
});
