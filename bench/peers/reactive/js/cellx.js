// The counterpart of bench/reactive/cellx.rnl.
import { best, timed } from './measure.js';

const read = (layer) => layer.map((x) => x.read());

function build({ signal, computed, effect, batch, group }, layers) {
  const sources = [1, 2, 3, 4].map(signal);
  let last = sources;
  const end = group(() => {
    for (let i = 0; i < layers; i++) {
      const m = last;
      last = [
        computed(() => m[1].read()),
        computed(() => m[0].read() - m[2].read()),
        computed(() => m[1].read() + m[3].read()),
        computed(() => m[2].read()),
      ];
      for (const x of last) effect(() => { x.read(); });
    }
  });
  const result = timed(() => {
    const before = read(last);
    batch(() => { sources.forEach((s, i) => s.write(4 - i)); });
    return [...before, ...read(last)];
  });
  end();
  return result;
}

function ten(library, layers) {
  let [total, values] = build(library, layers);
  for (let i = 1; i < 10; i++) {
    const [took, again] = build(library, layers);
    if (String(again) !== String(values)) throw new Error(`the last layer is ${again}, it was ${values}`);
    total += took;
  }
  return [total, values];
}

export function run(library, [layers, repeats]) {
  const [took, values] = best(Number(repeats), () => ten(library, Number(layers)));
  return [took, values.join(',')];
}
