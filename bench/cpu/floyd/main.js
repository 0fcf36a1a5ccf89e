// The shortest ways between all pairs of n places, by Floyd and Warshall.
function main(n) {
  const far = [];
  let seed = 42;
  for (let i = 0; i < n; i++) {
    const row = [];
    for (let j = 0; j < n; j++) {
      seed = seed * 16807 % 2147483647;
      row.push(i === j ? 0 : seed % 5 === 0 ? seed % 100 + 1 : 1000000);
    }
    far.push(row);
  }
  for (let k = 0; k < n; k++) {
    const via = far[k];
    for (let i = 0; i < n; i++) {
      const row = far[i];
      const first = row[k];
      for (let j = 0; j < n; j++) {
        const d = first + via[j];
        if (d < row[j]) row[j] = d;
      }
    }
  }
  let sum = 0;
  for (const row of far) for (const d of row) sum += d;
  console.log(sum);
}

main(Number(process.argv[2]));
