// Linked lists of n nodes: built, reversed and sorted by merging.
function merge(x, y) {
  const head = {value: 0, next: null};
  let last = head;
  while (x && y) {
    if (x.value <= y.value) {
      last.next = x;
      last = x;
      x = x.next;
    } else {
      last.next = y;
      last = y;
      y = y.next;
    }
  }
  last.next = x || y;
  return head.next;
}

function sorted(list, n) {
  if (n < 2) return list;
  const half = n >> 1;
  let middle = list;
  for (let i = 1; i < half; i++) middle = middle.next;
  const rest = middle.next;
  middle.next = null;
  return merge(sorted(list, half), sorted(rest, n - half));
}

function main(n) {
  let list = null, back = null, seed = 42;
  for (let i = 0; i < n; i++) {
    seed = seed * 16807 % 2147483647;
    list = {value: seed, next: list};
  }
  while (list) {
    const next = list.next;
    list.next = back;
    back = list;
    list = next;
  }
  let hash = 0;
  for (let at = sorted(back, n); at; at = at.next) hash = (hash * 31 + at.value) % 1000000007;
  console.log(hash);
}

main(Number(process.argv[2]));
