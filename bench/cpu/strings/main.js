// Strings: formats n short ones and joins them.
function main(n) {
  const parts = [];
  for (let i = 0; i < n; i++) parts.push("item" + (i % 1000));
  console.log(parts.join(",").length);
}

main(Number(process.argv[2]));
