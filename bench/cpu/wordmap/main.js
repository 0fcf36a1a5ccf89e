// Maps: counts under string keys, sums under integer keys.
function main(n) {
  const counts = new Map();
  for (let i = 0; i < n; i++) {
    const key = "k" + (i * 7919 % 50021);
    counts.set(key, (counts.get(key) || 0) + 1);
  }
  const sums = new Map();
  for (let i = 0; i < n; i++) {
    const key = i * 7919 % 100003;
    sums.set(key, (sums.get(key) || 0) + i % 10);
  }
  let total = counts.size + sums.size;
  for (const count of counts.values()) total += count * count;
  for (const sum of sums.values()) total += sum;
  console.log(total);
}

main(Number(process.argv[2]));
