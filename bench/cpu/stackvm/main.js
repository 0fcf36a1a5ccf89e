// A stack machine in a loop: a program of ten instructions counts down from n.
const PUSH = 1, LOAD = 2, STORE = 3, ADD = 4, MULTIPLY = 5, MODULO = 6, JUMPZ = 7, JUMP = 8, HALT = 9;

function run(code, n) {
  const stack = [];
  const slots = [n, 1];
  let pc = 0;
  for (;;) {
    const op = code[pc++];
    switch (op.kind) {
      case PUSH: stack.push(op.arg); break;
      case LOAD: stack.push(slots[op.arg]); break;
      case STORE: slots[op.arg] = stack.pop(); break;
      case ADD: { const b = stack.pop(), a = stack.pop(); stack.push(a + b); break; }
      case MULTIPLY: { const b = stack.pop(), a = stack.pop(); stack.push(a * b); break; }
      case MODULO: { const b = stack.pop(), a = stack.pop(); stack.push(a % b); break; }
      case JUMPZ: if (stack.pop() === 0) pc = op.arg; break;
      case JUMP: pc = op.arg; break;
      case HALT: return slots[1];
    }
  }
}

function main(n) {
  const o = (kind, arg = 0) => ({kind, arg});
  const code = [
    o(LOAD, 0), o(JUMPZ, 13),
    o(LOAD, 1), o(PUSH, 31), o(MULTIPLY), o(LOAD, 0), o(ADD), o(PUSH, 1000003), o(MODULO), o(STORE, 1),
    o(LOAD, 0), o(PUSH, -1), o(JUMP, 14),
    o(HALT),
    o(ADD), o(STORE, 0), o(JUMP, 0),
  ];
  console.log(run(code, n));
}

main(Number(process.argv[2]));
