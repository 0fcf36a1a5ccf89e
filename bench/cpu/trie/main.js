// A trie of n words of four to eleven letters, in which prefixes are counted.
class Node {
  constructor() {
    this.below = new Array(26).fill(null);
    this.words = 0;
  }
}

function add(root, word) {
  let at = root;
  for (const c of word) {
    at.words++;
    if (at.below[c] === null) at.below[c] = new Node();
    at = at.below[c];
  }
  at.words++;
}

function count(root, word, letters) {
  let at = root;
  for (let i = 0; i < letters; i++) {
    at = at.below[word[i]];
    if (at === null) return 0;
  }
  return at.words;
}

function main(n) {
  const words = [];
  let seed = 42;
  for (let i = 0; i < n; i++) {
    const word = [];
    for (let j = 0; j < 4 + i % 8; j++) {
      seed = seed * 16807 % 2147483647;
      word.push(seed % 26);
    }
    words.push(word);
  }
  const root = new Node();
  for (const word of words) add(root, word);
  let sum = 0;
  for (const word of words) sum += count(root, word, 3);
  console.log(root.words, sum);
}

main(Number(process.argv[2]));
