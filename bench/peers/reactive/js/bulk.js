// The counterpart of bench/reactive/bulk.rnl.
import { best, timed } from './measure.js';

const watchNone = ({ effect }, i, t) => { effect(() => { const _i = i; t.runs++; }); };
const watch = ({ effect }, a, t) => { effect(() => { a.read(); t.runs++; }); };

function watchTwo({ effect }, cells, at, t) {
  const a = cells[at];
  const b = cells[at + 1];
  effect(() => { const _sum = a.read() + b.read(); t.runs++; });
}

function watchFour({ effect }, cells, at, t) {
  const a = cells[at];
  const b = cells[at + 1];
  const c = cells[at + 2];
  const d = cells[at + 3];
  effect(() => { const _sum = a.read() + b.read() + c.read() + d.read(); t.runs++; });
}

function watchThousand({ effect }, cells, at, t) {
  effect(() => {
    let _sum = 0;
    for (let i = 0; i < 1000; i++) _sum += cells[at + i].read();
    t.runs++;
  });
}

// So often f, with the place in the cells.
const each = (count, reads, f) => (l, cells, t) => { for (let i = 0; i < count; i++) f(l, cells, i * reads, t); };

const fan = (cells, effects) => ({
  cells,
  make(l, cs, t) { for (const c of cs) for (let i = 0; i < effects; i++) watch(l, c, t); },
});

const creations = (n) => [
  { cells: 0, make(l, _, t) { for (let i = 0; i < n; i++) watchNone(l, i, t); } },
  fan(n, 1),
  { cells: n, make: each(n / 2, 2, watchTwo) },
  { cells: n, make: each(n / 4, 4, watchFour) },
  { cells: n, make: each(n / 1000, 1000, watchThousand) },
  fan(n / 2, 2),
  fan(n / 4, 4),
  fan(n / 8, 8),
  fan(n / 1000, 1000),
];

const updates = (n) => [
  { ...fan(1, 1), writes: n * 4 },
  { cells: 2, make: each(1, 2, watchTwo), writes: n * 2 },
  { cells: 4, make: each(1, 4, watchFour), writes: n },
  { cells: 1000, make: each(1, 1000, watchThousand), writes: n / 250 },
  { ...fan(1, 2), writes: n },
  { ...fan(1, 4), writes: n },
  { ...fan(1, 1000), writes: n / 10 },
];

function makeCells({ signal }, n) {
  const cells = [];
  for (let i = 0; i < n; i++) cells.push(signal(i));
  return cells;
}

// Timed is all but making the cells.
function measurePart(library, { cells: count, make, writes = 0 }) {
  const tally = { runs: 0 };
  const cells = makeCells(library, count);
  return timed(() => {
    const end = library.group(() => make(library, cells, tally));
    for (let i = 0; i < writes; i++) library.batch(() => { cells[0].write(i); });
    end();
    return tally.runs;
  });
}

function total(library, repeats, parts) {
  let time = 0;
  let runs = 0;
  for (const part of parts) {
    const [took, ran] = best(repeats, () => measurePart(library, part));
    time += took;
    runs += ran;
  }
  return [time, runs];
}

function createSignals(library, n) {
  const [took, made] = timed(() => makeCells(library, n));
  return [took, made.reduce((sum, c) => sum + c.read(), 0)];
}

export function run(library, [test, size, repeats]) {
  const n = Number(size);
  switch (test) {
    case 'create_signals': return best(Number(repeats), () => createSignals(library, n));
    case 'create_computations': return total(library, Number(repeats), creations(n));
    case 'update_signals': return total(library, Number(repeats), updates(n));
  }
  throw new Error(`there is no test ${test}`);
}
