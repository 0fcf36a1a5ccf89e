// Conway's game of life on a torus of 128 by 128: n generations.
const side = 128;

function step(from, to) {
  for (let y = 0; y < side; y++) {
    const above = (y + side - 1) % side * side, row = y * side, below = (y + 1) % side * side;
    for (let x = 0; x < side; x++) {
      const left = (x + side - 1) % side, right = (x + 1) % side;
      let around = 0;
      if (from[above + left]) around++;
      if (from[above + x]) around++;
      if (from[above + right]) around++;
      if (from[row + left]) around++;
      if (from[row + right]) around++;
      if (from[below + left]) around++;
      if (from[below + x]) around++;
      if (from[below + right]) around++;
      to[row + x] = around === 3 || around === 2 && from[row + x];
    }
  }
}

function main(n) {
  let now = [];
  let seed = 42;
  for (let i = 0; i < side * side; i++) {
    seed = seed * 16807 % 2147483647;
    now.push(seed % 3 === 0);
  }
  let next = now.slice();
  for (let k = 0; k < n; k++) {
    step(now, next);
    const x = now;
    now = next;
    next = x;
  }
  let hash = 0;
  for (let i = 0; i < now.length; i++) if (now[i]) hash = (hash * 31 + i) % 1000000007;
  console.log(hash);
}

main(Number(process.argv[2]));
