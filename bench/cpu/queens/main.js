// The n queens: counts the ways to place them, with lists of taken columns and diagonals.
class Board {
  constructor(n) {
    this.n = n;
    this.columns = new Array(n).fill(false);
    this.up = new Array(2 * n).fill(false);
    this.down = new Array(2 * n).fill(false);
  }

  place(row) {
    if (row === this.n) return 1;
    let count = 0;
    for (let c = 0; c < this.n; c++) {
      if (this.columns[c] || this.up[row + c] || this.down[row - c + this.n]) continue;
      this.set(row, c, true);
      count += this.place(row + 1);
      this.set(row, c, false);
    }
    return count;
  }

  set(row, c, to) {
    this.columns[c] = to;
    this.up[row + c] = to;
    this.down[row - c + this.n] = to;
  }
}

console.log(new Board(Number(process.argv[2])).place(0));
