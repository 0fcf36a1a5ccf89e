// The counterpart of bench/reactive/kairo.rnl.
import { best, timed } from './measure.js';

function busy() {
  let a = 0;
  for (let i = 0; i < 100; i++) a++;
  return a;
}

function expect(got, want) {
  if (got !== want) throw new Error(`read ${got}, expected ${want}`);
}

const add = (a, b) => a + b;
const range = (n) => Array.from({ length: n }, (_, i) => i);

const graphs = {
  avoidable({ signal, computed, effect, batch }) {
    let runs = 0;
    const head = signal(0);
    const a = computed(() => head.read());
    const b = computed(() => { a.read(); return 0; });
    const c = computed(() => { busy(); return b.read() + 1; });
    const d = computed(() => c.read() + 2);
    const e = computed(() => d.read() + 3);
    effect(() => { e.read(); busy(); runs++; });
    return () => {
      batch(() => { head.write(1); });
      expect(e.read(), 6);
      runs = 0;
      for (let i = 0; i < 1000; i++) {
        batch(() => { head.write(i); });
        expect(e.read(), 6);
      }
      return [e.read(), runs];
    };
  },

  broad({ signal, computed, effect, batch }) {
    let runs = 0;
    const head = signal(0);
    let last;
    for (let i = 0; i < 50; i++) {
      const a = computed(() => head.read() + i);
      const b = computed(() => a.read() + 1);
      effect(() => { b.read(); runs++; });
      last = b;
    }
    return () => {
      batch(() => { head.write(1); });
      runs = 0;
      for (let i = 0; i < 50; i++) {
        batch(() => { head.write(i); });
        expect(last.read(), i + 50);
      }
      return [last.read(), runs];
    };
  },

  deep({ signal, computed, effect, batch }) {
    let runs = 0;
    const head = signal(0);
    let last = head;
    for (let i = 0; i < 50; i++) {
      const before = last;
      last = computed(() => before.read() + 1);
    }
    effect(() => { last.read(); runs++; });
    return () => {
      batch(() => { head.write(1); });
      runs = 0;
      for (let i = 0; i < 50; i++) {
        batch(() => { head.write(i); });
        expect(last.read(), i + 50);
      }
      return [last.read(), runs];
    };
  },

  diamond({ signal, computed, effect, batch }) {
    const width = 5;
    let runs = 0;
    const head = signal(0);
    const sides = range(width).map(() => computed(() => head.read() + 1));
    const sum = computed(() => sides.map((s) => s.read()).reduce(add, 0));
    effect(() => { sum.read(); runs++; });
    return () => {
      batch(() => { head.write(1); });
      expect(sum.read(), 2 * width);
      runs = 0;
      for (let i = 0; i < 500; i++) {
        batch(() => { head.write(i); });
        expect(sum.read(), (i + 1) * width);
      }
      return [sum.read(), runs];
    };
  },

  mux({ signal, computed, effect, batch }) {
    let runs = 0;
    const heads = range(100).map(() => signal(0));
    const all = computed(() => Object.fromEntries(heads.map((h) => h.read()).entries()));
    const parts = heads.map((_, i) => computed(() => all.read()[i]))
      .map((part) => computed(() => part.read() + 1));
    for (const part of parts) effect(() => { part.read(); runs++; });
    return () => {
      runs = 0;
      for (let factor = 1; factor <= 2; factor++) {
        for (let i = 0; i < 10; i++) {
          batch(() => { heads[i].write(i * factor); });
          expect(parts[i].read(), i * factor + 1);
        }
      }
      return [parts[9].read(), runs];
    };
  },

  repeated({ signal, computed, effect, batch }) {
    const size = 30;
    let runs = 0;
    const head = signal(0);
    const sum = computed(() => {
      let result = 0;
      for (let i = 0; i < size; i++) result += head.read();
      return result;
    });
    effect(() => { sum.read(); runs++; });
    return () => {
      batch(() => { head.write(1); });
      expect(sum.read(), size);
      runs = 0;
      for (let i = 0; i < 100; i++) {
        batch(() => { head.write(i); });
        expect(sum.read(), i * size);
      }
      return [sum.read(), runs];
    };
  },

  triangle({ signal, computed, effect, batch }) {
    const width = 10;
    let runs = 0;
    const head = signal(0);
    const links = [head];
    for (let i = 1; i < width; i++) {
      const before = links[i - 1];
      links.push(computed(() => before.read() + 1));
    }
    const sum = computed(() => links.map((l) => l.read()).reduce(add, 0));
    effect(() => { sum.read(); runs++; });
    const constant = range(width + 1).reduce(add, 0);
    return () => {
      batch(() => { head.write(1); });
      expect(sum.read(), constant);
      runs = 0;
      for (let i = 0; i < 100; i++) {
        batch(() => { head.write(i); });
        expect(sum.read(), constant - width + i * width);
      }
      return [sum.read(), runs];
    };
  },

  unstable({ signal, computed, effect, batch }) {
    let runs = 0;
    const head = signal(0);
    const double = computed(() => head.read() * 2);
    const inverse = computed(() => -head.read());
    const sum = computed(() => {
      let result = 0;
      for (let i = 0; i < 20; i++) result += head.read() % 2 !== 0 ? double.read() : inverse.read();
      return result;
    });
    effect(() => { sum.read(); runs++; });
    return () => {
      batch(() => { head.write(1); });
      expect(sum.read(), 40);
      runs = 0;
      for (let i = 0; i < 100; i++) batch(() => { head.write(i); });
      return [sum.read(), runs];
    };
  },
};

function turns(turn, count) {
  const first = turn();
  for (let i = 1; i < count; i++) {
    const again = turn();
    if (String(again) !== String(first)) throw new Error(`a turn gives ${again}, the first one ${first}`);
  }
  return first;
}

export function run(library, [graph, count, repeats]) {
  const turn = graphs[graph](library);
  turn();
  const [took, result] = best(Number(repeats), () => timed(() => turns(turn, Number(count))));
  return [took, result.join(',')];
}
