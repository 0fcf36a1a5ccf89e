// Primes up to n and the least factor of every number, by Euler's sieve.
function main(n) {
  const least = new Array(n + 1).fill(0);
  const primes = [];
  for (let i = 2; i <= n; i++) {
    if (least[i] === 0) {
      least[i] = i;
      primes.push(i);
    }
    for (const p of primes) {
      if (p > least[i] || i * p > n) break;
      least[i * p] = p;
    }
  }
  let sum = 0;
  for (const x of least) sum += x;
  console.log(primes.length, sum);
}

main(Number(process.argv[2]));
