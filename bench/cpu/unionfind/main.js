// Disjoint sets: joins n random pairs of n elements and counts the sets.
class Sets {
  constructor(n) {
    this.up = [];
    this.size = [];
    for (let i = 0; i < n; i++) {
      this.up.push(i);
      this.size.push(1);
    }
  }

  find(x) {
    const up = this.up;
    while (up[x] !== x) {
      up[x] = up[up[x]];
      x = up[x];
    }
    return x;
  }

  join(x, y) {
    let a = this.find(x);
    let b = this.find(y);
    if (a === b) return false;
    if (this.size[a] < this.size[b]) [a, b] = [b, a];
    this.up[b] = a;
    this.size[a] += this.size[b];
    return true;
  }
}

function main(n) {
  const sets = new Sets(n);
  let count = n;
  let seed = 42;
  for (let i = 0; i < n; i++) {
    seed = seed * 16807 % 2147483647;
    const x = seed % n;
    seed = seed * 16807 % 2147483647;
    if (sets.join(x, seed % n)) count--;
  }
  console.log(count);
}

main(Number(process.argv[2]));
