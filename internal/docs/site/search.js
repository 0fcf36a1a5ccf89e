// names (names.js) lists [name, place, kind, summary, words, takes, gives] of all
// that is documented: the words of the rest of its comment, and the types of what
// a function takes and gives.

// search gives the entries that fit a query, the best first. A query is words, all
// of which an entry must hold, or types: "str, int -> [str]".
function search(query, limit) {
  const rank = query.includes("->") ? byTypes(query) : byWords(query);
  if (!rank) return [];
  const found = [];
  for (const entry of names) {
    const distance = rank(entry);
    if (distance < Infinity) found.push([distance, entry]);
  }
  found.sort((a, b) => a[0] - b[0] || a[1][0].length - b[1][0].length || (a[1][0] < b[1][0] ? -1 : 1));
  return found.slice(0, limit).map(f => f[1]);
}

function byWords(query) {
  const words = query.toLowerCase().split(/\s+/).filter(w => w);
  if (words.length === 0) return null;
  return entry => words.reduce((sum, w) => sum + distance(entry, w), 0);
}

// distance of a word from an entry: 0 when it is its name.
function distance([name, , , summary, words], word) {
  name = name.toLowerCase();
  const last = name.slice(name.lastIndexOf(".") + 1);
  if (name === word) return 0;
  if (last === word) return 1;
  if (last.startsWith(word)) return 2;
  if (name.startsWith(word)) return 3;
  if (name.includes(word)) return 4;
  if (summary.toLowerCase().includes(word)) return 6;
  if ((" " + words).includes(" " + word)) return 8;
  return Infinity;
}

function byTypes(query) {
  const [left, right] = query.split("->").map(side => side.replace(/\s+/g, ""));
  const wanted = split(left);
  if (wanted.length === 0 && !right) return null;
  return ([, , , , , takes, gives]) => {
    if (takes === undefined) return Infinity;
    let distance = fit(gives, right);
    const rest = [...takes];
    for (const type of wanted) {
      let best = 0;
      rest.forEach((t, i) => { if (fit(t, type) < fit(rest[best], type)) best = i; });
      distance += fit(rest[best], type);
      rest.splice(best, 1);
    }
    return distance + rest.length;
  };
}

// split parts types at the commas that stand in no brackets.
function split(types) {
  const parts = [];
  let depth = 0, part = "";
  for (const c of types) {
    if ("([<".includes(c)) depth++;
    if (")]>".includes(c)) depth--;
    if (c === "," && depth === 0) {
      parts.push(part);
      part = "";
    } else {
      part += c;
    }
  }
  return [...parts, part].filter(p => p);
}

// fit of a type with one that is asked for. A T stands for any type.
function fit(type, wanted) {
  if (!wanted) return 0;
  if (type === undefined) return Infinity;
  if (type.toLowerCase() === wanted.toLowerCase()) return 0;
  if (!/\b[A-Z]\b/.test(type)) return Infinity;
  const pattern = type.replace(/[^\w\s]/g, "\\$&").replace(/\b[A-Z]\b/g, ".+");
  return new RegExp("^" + pattern + "$", "i").test(wanted) ? (pattern === ".+" ? 5 : 2) : Infinity;
}

function start() {
  const box = document.getElementById("search-box");
  const list = document.getElementById("search-results");
  let chosen = 0;

  function show() {
    const found = search(box.value, 40);
    list.replaceChildren(...found.map(item));
    const asked = box.value.trim() !== "";
    if (asked && found.length === 0) list.append(nothing());
    open(asked);
    choose(0);
  }

  function item([name, place, kind, summary], i) {
    const link = element("a", "");
    link.href = place;
    link.tabIndex = -1;
    link.append(element("b", name), element("i", kind), element("span", summary));
    link.addEventListener("click", leave);
    const entry = element("li", "");
    entry.id = "search-result-" + i;
    entry.role = "option";
    entry.append(link);
    return entry;
  }

  function nothing() {
    const entry = element("li", "Nothing is found.");
    entry.className = "nothing";
    return entry;
  }

  function element(tag, text) {
    const e = document.createElement(tag);
    e.textContent = text;
    return e;
  }

  function open(is) {
    list.hidden = !is;
    box.setAttribute("aria-expanded", is);
  }

  function leave() {
    open(false);
    box.blur();
  }

  function choose(n) {
    const links = list.querySelectorAll("a");
    chosen = Math.max(0, Math.min(n, links.length - 1));
    links.forEach((link, i) => {
      link.classList.toggle("chosen", i === chosen);
      link.parentNode.ariaSelected = i === chosen;
    });
    if (!links[chosen]) return box.removeAttribute("aria-activedescendant");
    box.setAttribute("aria-activedescendant", links[chosen].parentNode.id);
    links[chosen].scrollIntoView({ block: "nearest" });
  }

  const keys = {
    ArrowDown: () => choose(chosen + 1),
    ArrowUp: () => choose(chosen - 1),
    Enter: () => list.querySelectorAll("a")[chosen]?.click(),
    Escape: leave,
  };
  box.addEventListener("input", show);
  box.addEventListener("focus", show);
  box.addEventListener("keydown", e => {
    if (!keys[e.key]) return;
    e.preventDefault();
    keys[e.key]();
  });
  document.addEventListener("keydown", e => {
    if (e.key !== "/" || document.activeElement === box) return;
    e.preventDefault();
    box.focus();
    box.select();
  });
  document.addEventListener("click", e => {
    if (!e.target.closest(".search")) open(false);
  });
}

if (typeof document !== "undefined") start();
