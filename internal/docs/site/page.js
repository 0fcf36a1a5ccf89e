// What a page does beside the search.

// On a narrow screen the lists would push the page itself out of sight.
if (matchMedia("(max-width: 52rem)").matches) {
  for (const details of document.querySelectorAll("nav details")) details.open = false;
}

// A long list of pages begins where this page stands in it.
const here = document.querySelector(".pages [aria-current]");
const list = document.getElementById("page-list");
if (here && here.offsetTop > list.clientHeight) list.scrollTop = here.offsetTop - list.clientHeight / 2;

// Clicking a heading's # copies the link, and moves there as any link does.
for (const anchor of document.querySelectorAll(".anchor")) {
  anchor.addEventListener("click", () => copy(anchor.href, anchor));
}

for (const block of document.querySelectorAll("pre.example, pre.import")) {
  const button = document.createElement("button");
  button.className = "copy";
  button.textContent = "copy";
  button.addEventListener("click", () => copy(block.querySelector("code").textContent, button));
  block.append(button);
}

function copy(text, button) {
  const before = button.textContent;
  navigator.clipboard?.writeText(text).then(() => {
    button.textContent = "copied";
    setTimeout(() => { button.textContent = before; }, 1200);
  }, () => {});
}
