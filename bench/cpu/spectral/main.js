// Floating point in small functions: the spectral norm of an infinite matrix, cut at n.
function entry(row, column) {
  return 1.0 / ((row + column) * (row + column + 1) / 2 + row + 1);
}

function multiply(v, out) {
  for (let i = 0; i < v.length; i++) {
    let sum = 0.0;
    for (let j = 0; j < v.length; j++) sum += entry(i, j) * v[j];
    out[i] = sum;
  }
}

function multiplyTransposed(v, out) {
  for (let i = 0; i < v.length; i++) {
    let sum = 0.0;
    for (let j = 0; j < v.length; j++) sum += entry(j, i) * v[j];
    out[i] = sum;
  }
}

function main(n) {
  const u = new Array(n).fill(1.0);
  const v = new Array(n).fill(0.0);
  const t = new Array(n).fill(0.0);
  for (let k = 0; k < 10; k++) {
    multiply(u, t);
    multiplyTransposed(t, v);
    multiply(v, t);
    multiplyTransposed(t, u);
  }
  let uv = 0.0;
  let vv = 0.0;
  for (let i = 0; i < n; i++) {
    uv += u[i] * v[i];
    vv += v[i] * v[i];
  }
  console.log(Math.floor(Math.sqrt(uv / vv) * 1e9));
}

main(Number(process.argv[2]));
