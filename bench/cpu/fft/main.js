// The fast Fourier transform of 16,384 points in place, n times.
const size = 16384;

function transform(re, im) {
  let j = 0;
  for (let i = 1; i < size; i++) {
    let bit = size / 2;
    while (j & bit) {
      j ^= bit;
      bit >>= 1;
    }
    j |= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  for (let length = 2; length <= size; length *= 2) {
    const angle = -2 * Math.PI / length;
    const wr = Math.cos(angle), wi = Math.sin(angle);
    const half = length / 2;
    for (let i = 0; i < size; i += length) {
      let cr = 1, ci = 0;
      for (let k = i; k < i + half; k++) {
        const m = k + half;
        const xr = re[m] * cr - im[m] * ci;
        const xi = re[m] * ci + im[m] * cr;
        re[m] = re[k] - xr;
        im[m] = im[k] - xi;
        re[k] += xr;
        im[k] += xi;
        const next = cr * wr - ci * wi;
        ci = cr * wi + ci * wr;
        cr = next;
      }
    }
  }
}

function main(n) {
  const re = [], im = [];
  for (let i = 0; i < size; i++) {
    re.push(i % 100 + 0.0);
    im.push(0.0);
  }
  for (let k = 0; k < n; k++) {
    transform(re, im);
    for (let i = 0; i < size; i++) {
      re[i] /= 128;
      im[i] /= 128;
    }
  }
  let sum = 0;
  for (let i = 0; i < size; i++) sum += re[i] * re[i] + im[i] * im[i];
  console.log(Math.round(sum));
}

main(Number(process.argv[2]));
