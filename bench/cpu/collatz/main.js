// The number below n with the longest Collatz sequence, with the lengths of smaller ones kept.
function main(n) {
  const lengths = new Array(n).fill(0);
  lengths[1] = 1;
  let best = 1;
  for (let i = 2; i < n; i++) {
    let x = i, steps = 0;
    while (x >= i) {
      x = x % 2 === 0 ? x / 2 : 3 * x + 1;
      steps++;
    }
    lengths[i] = steps + lengths[x];
    if (lengths[i] > lengths[best]) best = i;
  }
  console.log(best, lengths[best]);
}

main(Number(process.argv[2]));
