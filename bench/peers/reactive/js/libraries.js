// The libraries with one face: a source or computed value has read, a source
// write too. They are given as thin as each allows; the functions of effects give nothing.

async function alien() {
  const { signal, computed, effect, effectScope, startBatch, endBatch } = await import('alien-signals');
  return {
    signal(value) {
      const s = signal(value);
      return { read: s, write: s };
    },
    computed: (f) => ({ read: computed(f) }),
    effect,
    batch(f) {
      startBatch();
      f();
      endBatch();
    },
    // Gives a function that ends all effects that f has made.
    group: (f) => effectScope(() => { f(); }),
  };
}

async function preact() {
  const { signal, computed, effect, batch } = await import('@preact/signals-core');
  let ends = [];
  return {
    signal(value) {
      const s = signal(value);
      return { read: () => s.value, write: (v) => { s.value = v; } };
    },
    computed(f) {
      const c = computed(f);
      return { read: () => c.value };
    },
    effect(f) { ends.push(effect(f)); },
    batch,
    group(f) {
      ends = [];
      f();
      const mine = ends;
      return () => { for (const end of mine) end(); };
    },
  };
}

const libraries = { alien, preact };

export const library = (name) => libraries[name]();
