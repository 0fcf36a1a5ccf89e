// The counterpart of bench/reactive/measure.rnl.

export function timed(f) {
  const start = performance.now();
  const result = f();
  return [(performance.now() - start) / 1000, result];
}

export function best(repeats, f) {
  f();
  let [shortest, result] = f();
  for (let i = 1; i < repeats; i++) {
    const [took, again] = f();
    shortest = Math.min(shortest, took);
    result = again;
  }
  return [shortest, result];
}

export function report(took, result) {
  console.log(`TIME total ${took}`);
  console.log(`RESULT ${result}`);
}

// A number as Runnel prints a float.
export const float = (x) =>
  Number.isInteger(x) && Math.abs(x) < 1e16 ? x.toFixed(1) : x.toExponential().replace('e+', 'e');
