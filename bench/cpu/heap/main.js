// A binary heap of integers in a list: pushes n of them and pops them all.
function push(heap, x) {
  heap.push(x);
  let i = heap.length - 1;
  while (i > 0) {
    const up = (i - 1) >> 1;
    if (heap[up] <= heap[i]) break;
    const y = heap[up];
    heap[up] = heap[i];
    heap[i] = y;
    i = up;
  }
}

function pop(heap) {
  const least = heap[0];
  const last = heap.pop();
  const n = heap.length;
  if (n === 0) return least;
  let i = 0;
  for (;;) {
    let down = 2 * i + 1;
    if (down >= n) break;
    if (down + 1 < n && heap[down + 1] < heap[down]) down++;
    if (heap[down] >= last) break;
    heap[i] = heap[down];
    i = down;
  }
  heap[i] = last;
  return least;
}

function main(n) {
  const heap = [];
  let seed = 42;
  for (let i = 0; i < n; i++) {
    seed = seed * 16807 % 2147483647;
    push(heap, seed);
  }
  let hash = 0;
  for (let i = 0; i < n; i++) hash = (hash * 31 + pop(heap)) % 1000000007;
  console.log(hash);
}

main(Number(process.argv[2]));
