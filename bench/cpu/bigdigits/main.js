// Large numbers by hand: the sum of the digits of 2 to the power of n, in base 10,000.
function main(n) {
  const digits = [1];
  for (let k = 0; k < n; k++) {
    let carry = 0;
    for (let i = 0; i < digits.length; i++) {
      const x = digits[i] * 2 + carry;
      digits[i] = x % 10000;
      carry = Math.floor(x / 10000);
    }
    if (carry > 0) digits.push(carry);
  }
  let sum = 0;
  for (let rest of digits) {
    while (rest > 0) {
      sum += rest % 10;
      rest = Math.floor(rest / 10);
    }
  }
  console.log(sum);
}

main(Number(process.argv[2]));
