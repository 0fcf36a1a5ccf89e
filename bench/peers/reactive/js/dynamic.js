// The counterpart of bench/reactive/dynamic.rnl.
import { best, float, timed } from './measure.js';
import { seeded } from './random.js';

// A value that adds up all its sources.
function staticNode({ computed }, sources, counter) {
  return computed(() => {
    counter.count++;
    let sum = 0;
    for (const s of sources) sum += s.read();
    return sum;
  });
}

// A value that leaves one of its sources out when the first one is odd.
function dynamicNode({ computed }, sources, counter) {
  const first = sources[0];
  const tail = sources.slice(1);
  return computed(() => {
    counter.count++;
    let sum = first.read();
    const dropped = sum & 1 ? sum % tail.length : -1;
    for (let i = 0; i < tail.length; i++) {
      if (i !== dropped) sum += tail[i].read();
    }
    return sum;
  });
}

function rows(library, sources, count, fraction, reads, counter) {
  const random = seeded('seed');
  let row = sources;
  for (let l = 0; l < count; l++) {
    const before = row;
    row = before.map((_, i) => {
      const mine = [];
      for (let k = 0; k < reads; k++) mine.push(before[(i + k) % before.length]);
      const make = random() < fraction ? staticNode : dynamicNode;
      return make(library, mine, counter);
    });
  }
  return row;
}

// What is left of a row when so many of it, chosen at random, are taken out.
function thinOut(row, count) {
  const random = seeded('seed');
  const rest = row.slice();
  for (let i = 0; i < count; i++) rest.splice(Math.floor(random() * rest.length), 1);
  return rest;
}

function writeAndRead({ batch }, sources, leaves, writes) {
  for (let i = 0; i < writes; i++) {
    batch(() => {
      const at = i % sources.length;
      sources[at].write(i + at);
    });
    for (const leaf of leaves) leaf.read();
  }
  return leaves.reduce((total, leaf) => leaf.read() + total, 0);
}

export function run(library, args) {
  const [width, layers, fraction, reads, read, writes, repeats] = args.map(Number);
  const counter = { count: 0 };
  const sources = Array.from({ length: width }, (_, i) => library.signal(i));
  const last = rows(library, sources, layers - 1, fraction, reads, counter);
  const leaves = thinOut(last, Math.round(width * (1 - read)));
  library.effect(() => { for (const leaf of leaves) leaf.read(); });
  const [took, sum] = best(repeats, () => {
    counter.count = 0;
    return timed(() => writeAndRead(library, sources, leaves, writes));
  });
  return [took, `${float(sum)},${counter.count}`];
}
