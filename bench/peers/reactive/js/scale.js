// The counterpart of bench/reactive/scale.rnl.
import { best, timed } from './measure.js';

const watch = ({ effect }, value, t) => { effect(() => { value.read(); t.runs++; }); };

function step({ computed }, source, t) {
  const value = computed(() => { t.runs++; return source.read() + 1; });
  // Read while what it needs is there, it does not go down to the source later.
  value.read();
  return value;
}

const shapes = {
  chain(l, head, n, t) {
    let last = head;
    for (let i = 0; i < n; i++) last = step(l, last, t);
    watch(l, last, t);
  },
  fan(l, head, n, t) {
    for (let i = 0; i < Math.floor(n / 2); i++) watch(l, step(l, head, t), t);
  },
  tree(l, head, n, t) {
    const values = [step(l, head, t)];
    for (let i = 1; i < n; i++) values.push(step(l, values[Math.floor((i - 1) / 2)], t));
    for (let i = Math.floor(n / 2); i < n; i++) watch(l, values[i], t);
  },
};

export function run(library, [shape, size, nodes, repeats]) {
  const n = Number(size);
  const tally = { runs: 0 };
  const head = library.signal(0);
  library.group(() => shapes[shape](library, head, n, tally));
  const writes = Math.max(Math.floor(nodes / n), 1);
  let next = 0;
  const [took, runs] = best(Number(repeats), () => {
    tally.runs = 0;
    return timed(() => {
      for (let i = 0; i < writes; i++) head.write(++next);
      return tally.runs;
    });
  });
  return [took * 1_000_000 / runs, runs / writes];
}
