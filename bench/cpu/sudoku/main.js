// Solves a hard sudoku n times by trying, with the taken digits of rows, columns and boxes as bits.
class Sudoku {
  constructor() {
    this.cells = new Array(81).fill(0);
    this.rows = new Array(9).fill(0);
    this.columns = new Array(9).fill(0);
    this.boxes = new Array(9).fill(0);
    this.tries = 0;
  }

  set(i, bit) {
    this.rows[Math.floor(i / 9)] ^= bit;
    this.columns[i % 9] ^= bit;
    this.boxes[Math.floor(i / 27) * 3 + Math.floor(i % 9 / 3)] ^= bit;
  }

  solve(from) {
    let i = from;
    while (i < 81 && this.cells[i] !== 0) i++;
    if (i === 81) return true;
    this.tries++;
    const taken = this.rows[Math.floor(i / 9)] | this.columns[i % 9] | this.boxes[Math.floor(i / 27) * 3 + Math.floor(i % 9 / 3)];
    for (let d = 1; d < 10; d++) {
      const bit = 1 << d;
      if (taken & bit) continue;
      this.cells[i] = d;
      this.set(i, bit);
      if (this.solve(i + 1)) return true;
      this.set(i, bit);
    }
    this.cells[i] = 0;
    return false;
  }
}

function main(n) {
  const puzzle = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
  let sum = 0;
  for (let k = 0; k < n; k++) {
    const s = new Sudoku();
    for (let i = 0; i < 81; i++) {
      const d = puzzle.charCodeAt(i) - 48;
      if (d > 0) {
        s.cells[i] = d;
        s.set(i, 1 << d);
      }
    }
    s.solve(0);
    sum += s.tries + s.cells[80];
  }
  console.log(sum);
}

main(Number(process.argv[2]));
