// A cache of 1,000 entries that forgets the least recently used, in n look-ups: a map and a ring.
class Cache {
  constructor(room) {
    this.room = room;
    this.entries = new Map();
    this.newest = null;
    this.oldest = null;
    this.hits = 0;
  }

  unlink(e) {
    if (e.before) e.before.after = e.after; else this.newest = e.after;
    if (e.after) e.after.before = e.before; else this.oldest = e.before;
  }

  first(e) {
    e.before = null;
    e.after = this.newest;
    if (this.newest) this.newest.before = e; else this.oldest = e;
    this.newest = e;
  }

  get(key) {
    const found = this.entries.get(key);
    if (found) {
      this.hits++;
      this.unlink(found);
      this.first(found);
      return found.value;
    }
    if (this.entries.size >= this.room) {
      const last = this.oldest;
      this.unlink(last);
      this.entries.delete(last.key);
    }
    const e = {key, value: key * 7 % 1000, before: null, after: null};
    this.entries.set(key, e);
    this.first(e);
    return e.value;
  }
}

function main(n) {
  const cache = new Cache(1000);
  let seed = 42, sum = 0;
  for (let i = 0; i < n; i++) {
    seed = seed * 16807 % 2147483647;
    sum += cache.get(Math.floor(seed % 2000 * (seed % 7) / 6));
  }
  console.log(cache.hits, sum);
}

main(Number(process.argv[2]));
