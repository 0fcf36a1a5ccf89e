// The counterpart of bench/reactive/random.rnl.

const rotate = (x, by) => (x << by) | (x >>> (32 - by));

function hash(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) {
    h ^= Math.imul(rotate(Math.imul(text.charCodeAt(i), 3432918353), 15), 461845907);
    h = (Math.imul(rotate(h, 13), 5) + 3864292196) | 0;
  }
  return h ^ text.length;
}

function mix(h) {
  h = Math.imul(h ^ (h >>> 16), 2246822507);
  h = Math.imul(h ^ (h >>> 13), 3266489909);
  return h ^ (h >>> 16);
}

export function seeded(text) {
  let a = mix(hash(text));
  let b = mix(a);
  let c = mix(b);
  let d = mix(c);
  return () => {
    const t = (a + b + d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    d = (d + 1) | 0;
    c = (rotate(c, 21) + t) | 0;
    return (t >>> 0) / 4294967296;
  };
}
