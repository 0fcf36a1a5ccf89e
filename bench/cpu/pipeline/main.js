// Lists through map, filter and fold with closures: n rounds over a thousand numbers.
function main(n) {
  const numbers = Array.from({length: 1000}, (_, i) => i);
  let sum = 0;
  for (let k = 0; k < n; k++) {
    sum += numbers
      .map(x => x * 3 + k)
      .filter(x => x % 2 === 0)
      .map(x => Math.floor(x / 2))
      .reduce((a, x) => (a + x) % 1000003, 0);
  }
  console.log(sum);
}

main(Number(process.argv[2]));
