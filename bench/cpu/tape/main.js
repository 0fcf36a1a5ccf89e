// An interpreter of Brainfuck, with its jumps found beforehand: a program counts n times to 200,000.
function run(text) {
  const code = Buffer.from(text);
  const to = new Array(code.length).fill(0);
  const open = [];
  for (let i = 0; i < code.length; i++) {
    if (code[i] === 91) open.push(i);
    if (code[i] === 93) {
      const from = open.pop();
      to[i] = from;
      to[from] = i;
    }
  }
  const cells = new Array(100).fill(0);
  let at = 0, sum = 0;
  for (let pc = 0; pc < code.length; pc++) {
    switch (code[pc]) {
      case 62: at++; break;
      case 60: at--; break;
      case 43: cells[at] = (cells[at] + 1) & 255; break;
      case 45: cells[at] = (cells[at] + 255) & 255; break;
      case 46: sum = (sum * 31 + cells[at]) % 1000000007; break;
      case 91: if (cells[at] === 0) pc = to[pc]; break;
      case 93: if (cells[at] !== 0) pc = to[pc]; break;
    }
  }
  return sum;
}

function main(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    sum += run("++++++++++[>++++++++++[>++++++++++[>++++++++++[>++++++++++[>++<-]<-]<-]<-]<-]>>>>>+.");
  }
  console.log(sum);
}

main(Number(process.argv[2]));
