// Lists of integers: sorts n pseudo-random ones in place.
function quicksort(xs, low, high) {
  const pivot = xs[(low + high) >> 1];
  let i = low;
  let j = high;
  while (i <= j) {
    while (xs[i] < pivot) i++;
    while (xs[j] > pivot) j--;
    if (i <= j) {
      const x = xs[i];
      xs[i] = xs[j];
      xs[j] = x;
      i++;
      j--;
    }
  }
  if (low < j) quicksort(xs, low, j);
  if (i < high) quicksort(xs, i, high);
}

function main(n) {
  const xs = [];
  let seed = 42;
  for (let i = 0; i < n; i++) {
    seed = seed * 16807 % 2147483647;
    xs.push(seed);
  }
  quicksort(xs, 0, n - 1);
  let hash = 0;
  for (let i = 0; i < n; i++) hash = (hash * 31 + xs[i]) % 1000000007;
  console.log(hash);
}

main(Number(process.argv[2]));
