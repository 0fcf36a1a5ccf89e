// The knapsack problem with n items and room for 10,000, in one row of the table.
function main(n) {
  const room = 10000;
  const best = new Array(room + 1).fill(0);
  let seed = 42;
  for (let i = 0; i < n; i++) {
    seed = seed * 16807 % 2147483647;
    const weight = 10 + seed % 500;
    seed = seed * 16807 % 2147483647;
    const value = 1 + seed % 1000;
    for (let w = room; w >= weight; w--) best[w] = Math.max(best[w], best[w - weight] + value);
  }
  console.log(best[room]);
}

main(Number(process.argv[2]));
