// names (names.js) lists [name, place, kind, summary] of all that is documented.

// search gives the entries that hold every word of a query, the best first.
function search(query, limit) {
  const words = query.toLowerCase().split(/\s+/).filter(w => w);
  if (words.length === 0) return [];
  const found = [];
  for (const entry of names) {
    let sum = 0;
    for (const w of words) sum += distance(entry, w);
    if (sum < Infinity) found.push([sum, entry]);
  }
  found.sort((a, b) => a[0] - b[0] || a[1][0].length - b[1][0].length || (a[1][0] < b[1][0] ? -1 : 1));
  return found.slice(0, limit).map(f => f[1]);
}

// distance of a word from an entry: 0 when it is its name.
function distance([name, , , summary], word) {
  name = name.toLowerCase();
  const last = name.slice(name.lastIndexOf(".") + 1);
  if (name === word) return 0;
  if (last === word) return 1;
  if (last.startsWith(word)) return 2;
  if (name.startsWith(word)) return 3;
  if (name.includes(word)) return 4;
  if (summary.toLowerCase().includes(word)) return 5;
  return Infinity;
}

function start() {
  const box = document.getElementById("search-box");
  const list = document.getElementById("search-results");
  let chosen = 0;

  function show() {
    const found = search(box.value, 30);
    list.replaceChildren(...found.map(([name, place, kind, summary]) => {
      const link = document.createElement("a");
      const title = document.createElement("b");
      const about = document.createElement("span");
      title.textContent = name;
      about.textContent = kind + (summary ? " – " + summary : "");
      link.href = place;
      link.append(title, about);
      link.addEventListener("click", hide);
      const item = document.createElement("li");
      item.append(link);
      return item;
    }));
    list.hidden = found.length === 0;
    choose(0);
  }

  function hide() {
    list.hidden = true;
    box.blur();
  }

  function choose(n) {
    const links = list.querySelectorAll("a");
    chosen = Math.max(0, Math.min(n, links.length - 1));
    links.forEach((link, i) => link.classList.toggle("chosen", i === chosen));
    if (links[chosen]) links[chosen].scrollIntoView({ block: "nearest" });
  }

  const keys = {
    ArrowDown: () => choose(chosen + 1),
    ArrowUp: () => choose(chosen - 1),
    Enter: () => list.querySelectorAll("a")[chosen]?.click(),
    Escape: hide,
  };
  box.addEventListener("input", show);
  box.addEventListener("focus", show);
  box.addEventListener("keydown", e => {
    if (!keys[e.key]) return;
    e.preventDefault();
    keys[e.key]();
  });
  document.addEventListener("keydown", e => {
    if (e.key === "/" && document.activeElement !== box) {
      e.preventDefault();
      box.focus();
    }
  });
  document.addEventListener("click", e => {
    if (!e.target.closest(".search")) list.hidden = true;
  });
}

if (typeof document !== "undefined") {
  // On a narrow screen the list of pages would push the page itself out of sight.
  if (matchMedia("(max-width: 48rem)").matches) document.getElementById("page-list").open = false;
  start();
}
