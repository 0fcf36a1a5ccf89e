// Allocation and collection: builds and counts many short-lived binary trees.
class Tree {
  constructor(left, right) {
    this.left = left;
    this.right = right;
  }
}

function build(depth) {
  if (depth === 0) return new Tree(null, null);
  return new Tree(build(depth - 1), build(depth - 1));
}

function count(tree) {
  if (tree.left === null) return 1;
  return 1 + count(tree.left) + count(tree.right);
}

function main(n) {
  let total = count(build(n + 1));
  const longLived = build(n);
  for (let depth = 4; depth <= n; depth += 2) {
    const rounds = 1 << (n - depth + 4);
    for (let i = 0; i < rounds; i++) total += count(build(depth));
  }
  console.log(total + count(longLived));
}

main(Number(process.argv[2]));
