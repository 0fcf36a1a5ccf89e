// Splits a text of about n bytes into words, numbers and signs, and counts the words.
function text(n) {
  const words = ["let", "total", "price", "fn", "x1", "while", "value", "index"];
  const signs = ["+", "-", "(", ")", "{", "}", "==", ";"];
  const parts = [];
  let size = 0, seed = 42;
  while (size < n) {
    seed = seed * 16807 % 2147483647;
    const rest = Math.floor(seed / 3);
    const part = seed % 3 === 0 ? words[rest % 8] : seed % 3 === 1 ? signs[rest % 8] : String(rest % 10000);
    parts.push(part);
    size += part.length + 1;
  }
  return parts.join(" ");
}

function isLetter(c) { return c >= 97 && c <= 122 || c >= 65 && c <= 90 || c === 95; }
function isDigit(c) { return c >= 48 && c <= 57; }

function main(size) {
  const source = text(size);
  const n = source.length;
  const counts = new Map();
  let at = 0, numbers = 0, signs = 0;
  while (at < n) {
    const c = source.charCodeAt(at);
    const begin = at++;
    if (isLetter(c)) {
      while (at < n && (isLetter(source.charCodeAt(at)) || isDigit(source.charCodeAt(at)))) at++;
      const word = source.slice(begin, at);
      counts.set(word, (counts.get(word) || 0) + 1);
    } else if (isDigit(c)) {
      let value = c - 48;
      while (at < n && isDigit(source.charCodeAt(at))) value = value * 10 + source.charCodeAt(at++) - 48;
      numbers = (numbers + value) % 1000003;
    } else if (c !== 32) {
      signs++;
    }
  }
  console.log(numbers, signs, counts.get("total"), counts.size);
}

main(Number(process.argv[2]));
