// Multiplies two matrices of n by n integers, as lists of rows.
function matrix(n, seed) {
  const rows = [];
  for (let i = 0; i < n; i++) {
    const row = [];
    for (let j = 0; j < n; j++) {
      seed = seed * 16807 % 2147483647;
      row.push(seed % 100);
    }
    rows.push(row);
  }
  return rows;
}

function multiply(a, b, n) {
  const c = [];
  for (let i = 0; i < n; i++) {
    const row = new Array(n).fill(0);
    for (let k = 0; k < n; k++) {
      const x = a[i][k];
      const right = b[k];
      for (let j = 0; j < n; j++) row[j] += x * right[j];
    }
    c.push(row);
  }
  return c;
}

function main(n) {
  let hash = 0;
  for (const row of multiply(matrix(n, 42), matrix(n, 43), n)) {
    for (const x of row) hash = (hash * 31 + x) % 1000000007;
  }
  console.log(hash);
}

main(Number(process.argv[2]));
