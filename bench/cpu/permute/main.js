// All permutations of n numbers in lexicographic order, each put into a sum.
function next(p) {
  let i = p.length - 2;
  while (i >= 0 && p[i] > p[i + 1]) i--;
  if (i < 0) return false;
  let j = p.length - 1;
  while (p[j] < p[i]) j--;
  let x = p[i];
  p[i] = p[j];
  p[j] = x;
  for (let a = i + 1, b = p.length - 1; a < b; a++, b--) {
    x = p[a];
    p[a] = p[b];
    p[b] = x;
  }
  return true;
}

function main(n) {
  const p = [];
  for (let i = 0; i < n; i++) p.push(i);
  const middle = n >> 1;
  let sum = 0;
  do {
    sum = (sum * 3 + p[0] * 100 + p[middle] * 10 + p[n - 1]) % 1000000007;
  } while (next(p));
  console.log(sum);
}

main(Number(process.argv[2]));
