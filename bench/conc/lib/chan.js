// A bounded channel over promises: what a JavaScript program writes by hand.
class Chan {
  constructor(cap) { this.cap = cap; this.buf = []; this.head = 0; this.recvq = []; this.rhead = 0; this.sendq = []; this.shead = 0; this.closed = false; }
  send(v) { // undefined when there was room, a promise when the sender must wait
    if (this.rhead < this.recvq.length) {
      const r = this.recvq[this.rhead]; this.recvq[this.rhead++] = undefined;
      if (this.rhead === this.recvq.length) { this.recvq.length = 0; this.rhead = 0; }
      r(v);
      return undefined;
    }
    if (this.buf.length - this.head < this.cap) { this.buf.push(v); return undefined; }
    return new Promise((res) => { this.sendq.push([v, res]); });
  }
  recv() {
    if (this.head < this.buf.length) {
      const v = this.buf[this.head]; this.buf[this.head++] = undefined;
      if (this.shead < this.sendq.length) {
        const [w, res] = this.sendq[this.shead]; this.sendq[this.shead++] = undefined;
        if (this.shead === this.sendq.length) { this.sendq.length = 0; this.shead = 0; }
        this.buf.push(w);
        res();
      }
      if (this.head === this.buf.length) { this.buf.length = 0; this.head = 0; }
      else if (this.head > 4096) { this.buf = this.buf.slice(this.head); this.head = 0; }
      return v;
    }
    if (this.shead < this.sendq.length) {
      const [w, res] = this.sendq[this.shead]; this.sendq[this.shead++] = undefined;
      if (this.shead === this.sendq.length) { this.sendq.length = 0; this.shead = 0; }
      res();
      return w;
    }
    if (this.closed) return null;
    return new Promise((res) => { this.recvq.push(res); });
  }
  close() { this.closed = true; for (; this.rhead < this.recvq.length; this.rhead++) this.recvq[this.rhead](null); }
}
exports.Chan = Chan;
exports.run = function (main) {
  const t0 = performance.now();
  const now = () => (performance.now() - t0) / 1000;
  main(+process.argv[2], now).then((r) => {
    console.log("TIME total " + now());
    console.log("RESULT " + r);
  });
};
