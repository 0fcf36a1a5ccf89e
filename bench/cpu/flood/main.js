// Breadth-first search over a grid of n by n with walls below its first row, with a list as the queue.
function main(n) {
  const walls = [];
  let seed = 42;
  for (let i = 0; i < n * n; i++) {
    seed = seed * 16807 % 2147483647;
    walls.push(i >= n && seed % 100 < 30);
  }
  const far = new Array(n * n).fill(-1);
  far[0] = 0;
  const queue = [0];
  const ways = [[0, 1], [1, 0], [0, -1], [-1, 0]];
  for (let next = 0; next < queue.length; next++) {
    const at = queue[next];
    const x = at % n, y = Math.floor(at / n);
    for (const [dx, dy] of ways) {
      const u = x + dx, v = y + dy;
      if (u < 0 || v < 0 || u >= n || v >= n) continue;
      const to = v * n + u;
      if (walls[to] || far[to] >= 0) continue;
      far[to] = far[at] + 1;
      queue.push(to);
    }
  }
  let sum = 0;
  for (const d of far) if (d > 0) sum += d;
  console.log(queue.length, sum);
}

main(Number(process.argv[2]));
