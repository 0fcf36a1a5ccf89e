// Closures: calls a function that counts in a captured variable.
function counter() {
  let count = 0;
  return () => {
    count++;
    return count;
  };
}

function main(n) {
  const next = counter();
  let sum = 0;
  for (let i = 0; i < n; i++) sum += next();
  console.log(sum);
}

main(Number(process.argv[2]));
