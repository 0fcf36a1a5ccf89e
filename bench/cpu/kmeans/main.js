// Clusters: ten rounds of k-means with 16 centres over n points in the plane.
function main(n) {
  const points = [];
  let seed = 42;
  for (let i = 0; i < n; i++) {
    seed = seed * 16807 % 2147483647;
    const x = seed % 100000 / 100;
    seed = seed * 16807 % 2147483647;
    points.push({x, y: seed % 100000 / 100});
  }
  const centres = points.slice(0, 16).map(p => ({x: p.x, y: p.y}));
  for (let k = 0; k < 10; k++) {
    const sums = centres.map(() => ({x: 0, y: 0}));
    const counts = new Array(16).fill(0);
    for (const p of points) {
      let best = 0, least = 1e18;
      for (let i = 0; i < 16; i++) {
        const dx = p.x - centres[i].x, dy = p.y - centres[i].y;
        const d = dx * dx + dy * dy;
        if (d < least) {
          least = d;
          best = i;
        }
      }
      sums[best].x += p.x;
      sums[best].y += p.y;
      counts[best]++;
    }
    for (let i = 0; i < 16; i++) {
      if (counts[i] > 0) {
        centres[i].x = sums[i].x / counts[i];
        centres[i].y = sums[i].y / counts[i];
      }
    }
  }
  let sum = 0;
  for (const c of centres) sum += c.x + 2 * c.y;
  console.log(Math.floor(sum));
}

main(Number(process.argv[2]));
