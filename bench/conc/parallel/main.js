// Parallel computing: 8 tasks of fib(n).
// The second argument is the number of worker threads.
const { Worker, isMainThread, parentPort, workerData } = require("worker_threads");
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
if (isMainThread) {
  const n = +process.argv[2], w = +process.argv[3], t0 = performance.now();
  let left = w, s = 0;
  for (let k = 0; k < w; k++) {
    new Worker(__filename, { workerData: { n, jobs: 8 / w } }).on("message", (v) => {
      s += v;
      if (--left === 0) {
        console.log("TIME total " + (performance.now() - t0) / 1000);
        console.log("RESULT " + s);
      }
    });
  }
} else {
  let s = 0;
  for (let k = 0; k < workerData.jobs; k++) s += fib(workerData.n);
  parentPort.postMessage(s);
}
