// SHA-256 by hand: hashes a block of 64 bytes n times, each with the result of the last.
const k = [];

function constants() {
  for (let p = 2; k.length < 64; p++) {
    let prime = true;
    for (let d = 2; d * d <= p; d++) prime = prime && p % d !== 0;
    if (prime) {
      const root = Math.cbrt(p);
      k.push(Math.floor((root - Math.floor(root)) * 4294967296) | 0);
    }
  }
}

function rotate(x, n) {
  return (x >>> n) | (x << (32 - n));
}

function compress(h, w) {
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15], y = w[i - 2];
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, last] = h;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (last + s1 + ((e & f) ^ (~e & g)) + k[i] + w[i]) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    last = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  [a, b, c, d, e, f, g, last].forEach((x, i) => { h[i] = (h[i] + x) | 0; });
}

function main(n) {
  constants();
  const h = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19].map(x => x | 0);
  const w = new Array(64).fill(0);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < 16; j++) w[j] = (h[j % 8] + i * j) | 0;
    compress(h, w);
  }
  console.log(h[0] >>> 0);
}

main(Number(process.argv[2]));
