// JSON: encodes and decodes a list of n records, three times.
function main(n) {
  const items = [];
  for (let i = 0; i < n; i++) {
    items.push({
      id: i,
      name: "item number " + i,
      price: i + 0.25,
      active: i % 2 === 0,
      tags: ["alpha", "beta", 'gamma "quoted"'],
      pos: { x: i * 2, name: "nested" },
    });
  }
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    for (const item of JSON.parse(JSON.stringify(items))) sum += item.id + item.tags.length;
  }
  console.log(sum);
}

main(Number(process.argv[2]));
