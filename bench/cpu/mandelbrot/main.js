// Floating point in nested loops: the points of an n × n grid inside the Mandelbrot set.
function main(n) {
  let inside = 0;
  for (let y = 0; y < n; y++) {
    const ci = 2.0 * y / n - 1.0;
    for (let x = 0; x < n; x++) {
      const cr = 2.0 * x / n - 1.5;
      let zr = 0.0;
      let zi = 0.0;
      let steps = 0;
      while (steps < 50) {
        const next = zr * zr - zi * zi + cr;
        zi = 2.0 * zr * zi + ci;
        zr = next;
        if (zr * zr + zi * zi > 4.0) break;
        steps++;
      }
      if (steps === 50) inside++;
    }
  }
  console.log(inside);
}

main(Number(process.argv[2]));
