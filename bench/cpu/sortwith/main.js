// Sorting records with a comparator: n of them, by group and then downwards by score.
function main(n) {
  const all = [];
  let seed = 42;
  for (let i = 0; i < n; i++) {
    seed = seed * 16807 % 2147483647;
    all.push({group: seed % 100, score: Math.floor(seed / 100) % 10000});
  }
  all.sort((a, b) => a.group !== b.group ? a.group - b.group : b.score - a.score);
  let hash = 0;
  for (const r of all) hash = (hash * 31 + r.group * 10000 + r.score) % 1000000007;
  console.log(hash);
}

main(Number(process.argv[2]));
