// Edit distance of two texts of n bytes, with two rows of the table.
function text(n, seed) {
  const codes = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    seed = seed * 16807 % 2147483647;
    codes[i] = 97 + seed % 4;
  }
  return codes;
}

function distance(a, b) {
  let before = [];
  let row = [];
  for (let j = 0; j <= b.length; j++) {
    before.push(j);
    row.push(j);
  }
  for (let i = 0; i < a.length; i++) {
    row[0] = i + 1;
    for (let j = 0; j < b.length; j++) {
      let least = before[j];
      if (a[i] !== b[j]) least = Math.min(least, before[j + 1], row[j]) + 1;
      row[j + 1] = least;
    }
    const x = before;
    before = row;
    row = x;
  }
  return before[b.length];
}

function main(n) {
  console.log(distance(text(n, 42), text(n, 43)));
}

main(Number(process.argv[2]));
