// Counts a pattern of twelve bytes in a text of n, with the table of Knuth, Morris and Pratt.
function letters(n, seed) {
  const codes = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    seed = seed * 16807 % 2147483647;
    codes[i] = 97 + Math.floor(seed / 64) % 2;
  }
  return codes;
}

function count(text, pattern) {
  const next = new Array(pattern.length).fill(0);
  let k = 0;
  for (let i = 1; i < pattern.length; i++) {
    while (k > 0 && pattern[i] !== pattern[k]) k = next[k - 1];
    if (pattern[i] === pattern[k]) k++;
    next[i] = k;
  }
  let found = 0;
  k = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    while (k > 0 && c !== pattern[k]) k = next[k - 1];
    if (c === pattern[k]) k++;
    if (k === pattern.length) {
      found++;
      k = next[k - 1];
    }
  }
  return found;
}

function main(n) {
  const text = letters(n, 42);
  console.log(count(text, text.slice(100, 112)));
}

main(Number(process.argv[2]));
