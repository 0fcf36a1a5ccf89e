// Compresses n bytes: each place is looked up among the last that began with the same three.
function main(n) {
  const text = [];
  let seed = 42;
  while (text.length < n) {
    seed = seed * 16807 % 2147483647;
    const from = seed % 1000;
    if (text.length > 2000 && seed % 4 > 0) {
      for (let i = 0; i < 10 + seed % 20; i++) text.push(text[text.length - 1000 + (from >> 1) + i % 3]);
    } else {
      text.push(Math.floor(seed / 7) % 16);
    }
  }
  const last = new Array(4096).fill(-1);
  let at = 0, literals = 0, matches = 0, hash = 0;
  while (at + 3 <= n) {
    const key = text[at] * 256 + text[at + 1] * 16 + text[at + 2];
    const from = last[key];
    last[key] = at;
    let length = 0;
    if (from >= 0 && at - from < 4096) {
      while (length < 64 && at + length < n && text[from + length] === text[at + length]) length++;
    }
    if (length >= 4) {
      matches++;
      hash = (hash * 31 + length * 4096 + at - from) % 1000000007;
      at += length;
    } else {
      literals++;
      hash = (hash * 31 + text[at]) % 1000000007;
      at++;
    }
  }
  console.log(literals, matches, hash);
}

main(Number(process.argv[2]));
