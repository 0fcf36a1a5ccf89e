// CRC-32 by hand: a table of 256 entries, over a megabyte, n times.
function main(n) {
  const table = new Uint32Array(256);
  for (let i = 0; i < 256; i++) {
    let c = i;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    table[i] = c;
  }
  const data = new Uint8Array(1 << 20);
  let seed = 42;
  for (let i = 0; i < data.length; i++) {
    seed = seed * 16807 % 2147483647;
    data[i] = seed & 255;
  }
  let crc = -1;
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < data.length; i++) crc = table[(crc ^ data[i]) & 255] ^ (crc >>> 8);
  }
  console.log((crc ^ -1) >>> 0);
}

main(Number(process.argv[2]));
