// Parses an expression by recursive descent into a tree, and evaluates it for n values of x.
class Parser {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  peek() { return this.at < this.text.length ? this.text.charCodeAt(this.at) : 0; }

  sum() {
    let left = this.product();
    for (;;) {
      const c = this.peek();
      if (c === 43) {
        this.at++;
        left = {kind: "+", left, right: this.product()};
      } else if (c === 45) {
        this.at++;
        left = {kind: "-", left, right: this.product()};
      } else {
        return left;
      }
    }
  }

  product() {
    let left = this.atom();
    while (this.peek() === 42) {
      this.at++;
      left = {kind: "*", left, right: this.atom()};
    }
    return left;
  }

  atom() {
    const c = this.peek();
    this.at++;
    if (c === 40) {
      const inner = this.sum();
      this.at++;
      return inner;
    }
    if (c === 120) return {kind: "x"};
    let value = c - 48;
    while (this.peek() >= 48 && this.peek() <= 57) {
      value = value * 10 + this.peek() - 48;
      this.at++;
    }
    return {kind: "n", value};
  }
}

function evaluate(e, x) {
  switch (e.kind) {
    case "n": return e.value;
    case "x": return x;
    case "+": return evaluate(e.left, x) + evaluate(e.right, x);
    case "-": return evaluate(e.left, x) - evaluate(e.right, x);
    default: return evaluate(e.left, x) * evaluate(e.right, x) % 1000003;
  }
}

function main(n) {
  const e = new Parser("(x+12)*(x*x-3*(7+x))+(5-x)*(x+1)*(x+2)-17*x").sum();
  let hash = 0;
  for (let x = 0; x < n; x++) hash = (hash * 31 + evaluate(e, x) + 10000000) % 1000000007;
  console.log(hash);
}

main(Number(process.argv[2]));
