// Integer arithmetic in a while loop.
function main(n) {
  let sum = 0;
  let i = 0;
  while (i < n) {
    sum = (sum + i) % 1000003;
    i++;
  }
  console.log(sum);
}

main(Number(process.argv[2]));
