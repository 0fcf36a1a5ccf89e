// List indexing: the most flips any permutation of 0..n needs, over all permutations in order.

// Gives the checksum over the permutations and the largest number of flips.
function fannkuch(n) {
  const first = [];
  const flipped = [];
  const count = [];
  for (let i = 0; i < n; i++) {
    first.push(i);
    flipped.push(0);
    count.push(0);
  }
  let checksum = 0;
  let most = 0;
  let r = n;
  for (let index = 0; ; index++) {
    while (r !== 1) {
      count[r - 1] = r;
      r--;
    }

    for (let i = 0; i < n; i++) flipped[i] = first[i];
    let flips = 0;
    let k = flipped[0];
    while (k !== 0) {
      let i = 0;
      let j = k;
      while (i < j) {
        const x = flipped[i];
        flipped[i] = flipped[j];
        flipped[j] = x;
        i++;
        j--;
      }
      flips++;
      k = flipped[0];
    }
    if (flips > most) most = flips;
    if (index % 2 === 0) checksum += flips;
    else checksum -= flips;

    // The next permutation: rotate longer and longer prefixes until one has turns left.
    for (;;) {
      if (r === n) return [checksum, most];
      const head = first[0];
      for (let i = 0; i < r; i++) first[i] = first[i + 1];
      first[r] = head;
      count[r]--;
      if (count[r] > 0) break;
      r++;
    }
  }
}

const [checksum, most] = fannkuch(Number(process.argv[2]));
console.log(checksum * 1000 + most);
