// A treap: n random keys are put into a search tree that random priorities balance.
function insert(t, key, rank) {
  if (t === null) return {key, rank, left: null, right: null};
  if (key < t.key) {
    const l = insert(t.left, key, rank);
    t.left = l;
    if (l.rank > t.rank) {
      t.left = l.right;
      l.right = t;
      return l;
    }
  } else if (key > t.key) {
    const r = insert(t.right, key, rank);
    t.right = r;
    if (r.rank > t.rank) {
      t.right = r.left;
      r.left = t;
      return r;
    }
  }
  return t;
}

function sum(t, depth) {
  return t === null ? 0 : t.key % 1000 * depth + sum(t.left, depth + 1) + sum(t.right, depth + 1);
}

function main(n) {
  let root = null, seed = 42;
  for (let i = 0; i < n; i++) {
    seed = seed * 16807 % 2147483647;
    const key = seed % 1000000;
    seed = seed * 16807 % 2147483647;
    root = insert(root, key, seed);
  }
  console.log(sum(root, 1));
}

main(Number(process.argv[2]));
