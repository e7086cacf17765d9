/**
 * What the pages of the documentation do beyond being read: the menu of narrow windows, the choice
 * of colors, buttons that copy, and the search. Everything is built without HTML text, so the
 * strict policy holds.
 */

const root = document.documentElement;
/** From this page to `/docs/`. */
const up = root.dataset.up;

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// ── Menu ───────────────────────────────────────────────────────────────────────────────────────

const menu = document.querySelector(".menu");
const openMenu = (open) => {
  menu.setAttribute("aria-expanded", open);
  root.classList.toggle("menu-open", open);
};
menu.addEventListener("click", () => openMenu(menu.getAttribute("aria-expanded") !== "true"));
document.querySelector("#pages").addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || menu.getAttribute("aria-expanded") !== "true") return;
  openMenu(false);
  menu.focus();
});

// ── Colors ─────────────────────────────────────────────────────────────────────────────────────

const theme = document.querySelector("#theme");
for (const radio of theme.querySelectorAll("input")) radio.checked = radio.value === (root.dataset.theme ?? "auto");
theme.addEventListener("change", () => {
  const chosen = theme.querySelector("input:checked").value;
  if (chosen === "auto") delete root.dataset.theme;
  else root.dataset.theme = chosen;
  try {
    localStorage.setItem("checklist-docs-theme", chosen);
  } catch {
    // The choice ends with the page.
  }
});

// ── Code and tables ────────────────────────────────────────────────────────────────────────────

const status = element("p", { class: "sr", role: "status" });
document.body.append(status);

/** A button that copies what is in a block of code at the time. */
export function copyButton(block) {
  const button = element("button", { type: "button", class: "copy", "aria-label": "Copy the code" }, "Copy");
  button.addEventListener("click", async () => {
    const text = block.querySelector("code").textContent;
    let word = "Copied";
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      getSelection().selectAllChildren(block.querySelector("code"));
      word = "Selected";
    }
    button.textContent = word;
    status.textContent = word;
    setTimeout(() => {
      button.textContent = "Copy";
      status.textContent = "";
    }, 2000);
  });
  return button;
}

/** What scrolls can be scrolled by keyboard; what does not is no stop on the way. */
const measured = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const scrolls = target.scrollWidth > target.clientWidth + 1 || target.scrollHeight > target.clientHeight + 1;
    if (scrolls) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
    if (target.matches(".table")) {
      for (const [name, value] of [["role", "region"], ["aria-label", "Table"]])
        if (scrolls) target.setAttribute(name, value);
        else target.removeAttribute(name);
    }
  }
});

/** Completes the blocks of code below a node. */
export function completeCode(node) {
  for (const block of node.querySelectorAll(".code")) {
    if (!block.matches(".output") && !block.querySelector(".copy")) block.append(copyButton(block));
    measured.observe(block.querySelector("pre"));
  }
  for (const table of node.querySelectorAll(".table")) measured.observe(table);
}
completeCode(document);

// ── This server ────────────────────────────────────────────────────────────────────────────────

/** Its base URL. */
export const base = new URL(`${up}..`, location.href).href.replace(/\/$/, "");

/** Puts the server's address into code that is written for a demo on its default address. */
export const putAddress = (code) => (code.textContent = code.textContent.replaceAll("http://127.0.0.1:8080", base));

/** What differs between servers: `{Demo}`, whether it gives everybody a token. */
export const server = fetch(`${up}server.json`).then((answer) => answer.json());

for (const code of document.querySelectorAll("[data-this-server] code")) putAddress(code);
server
  .then(({ Demo }) => {
    document.querySelector("#demo").hidden = !Demo;
    if (Demo) return;
    for (const code of document.querySelectorAll("[data-this-server] code"))
      code.textContent = code.textContent.replace(
        /TOKEN=\$\(curl[^]*?\/demo\/token[^]*?'\)/,
        "TOKEN=$(checklist-server key add --tenant acme --name Examples --role editor --data-dir data | grep '^ck_')",
      );
  })
  .catch(() => {}); // Without an answer the pages say what a demo does.

// ── Search ─────────────────────────────────────────────────────────────────────────────────────

const field = document.querySelector("#search");
const found = document.querySelector("#search-results");
const count = document.querySelector("#search-count");
const MOST = 12;
let index;
let results = [];
let active = -1;

const read = () =>
  (index ??= fetch(`${up}search.json`)
    .then((answer) => {
      if (!answer.ok) throw new Error(`The index of the search answered ${answer.status}.`);
      return answer.json();
    })
    .then((all) =>
      all.map(([title, page, address, text]) => ({ title, page, address, text, low: [title, page, text].map((one) => one.toLowerCase()) })),
    )
    .catch((error) => {
      index = undefined;
      throw error;
    }));

/** Pages for those who change the product. */
const INTERNAL = /^(architecture|contributing|glossary|scale|tick|trust)(#|$)/;

/**
 * A factor and an addition to the score of a page: who searches wants to do something, so guides
 * come first, then the other pages, then the reference, whose calls are found by their names, and
 * the pages about the inside, and reasons last.
 */
function weight(address) {
  if (!address || address.startsWith("guides/")) return [1, 5];
  if (address.startsWith("api/") || INTERNAL.test(address)) return [1, 1];
  if (address.startsWith("adr/") || address.startsWith("changelog")) return [0.5, 0];
  return [1, 4];
}

/** A word without its ending, so that "upgrade" finds "Upgrading". */
const stem = (word) => (word.length > 5 ? word.replace(/(e|es|s|ed|ing)$/, "") : word);

/** Where a word is in a text, or -1: a short one like "SSO" only where a word begins. */
function find(text, word) {
  if (word.length > 3) return text.indexOf(stem(word));
  let at = text.indexOf(word);
  while (at > 0 && /\w/.test(text[at - 1])) at = text.indexOf(word, at + 1);
  return at;
}

/** How well an entry fits: every word has to be in it, where it is counts, and what its page is for. */
function score({ address, low: [title, page, text] }, words) {
  // A page before its sections.
  let sum = page ? 0 : 2;
  for (const word of words) {
    const at = find(title, word);
    if (stem(title) === stem(word)) sum += 14;
    else if (at === 0) sum += 8;
    else if (at > 0) sum += /\w/.test(title[at - 1]) ? 4 : 6;
    else if (find(page, word) >= 0) sum += 3;
    else if (find(text, word) >= 0) sum += 1;
    else return 0;
  }
  const [times, plus] = weight(address);
  return sum * times + plus;
}

/** The words around the first place where the text has one of these. */
function excerpt({ text, low }, words) {
  const places = words.map((word) => low[2].indexOf(word)).filter((at) => at >= 0);
  const from = places.length ? Math.max(0, Math.min(...places) - 40) : 0;
  const start = from ? text.indexOf(" ", from) + 1 : 0;
  const part = text.slice(start, start + 120);
  return (start ? "… " : "") + part + (text.length > start + 120 ? " …" : "");
}

/** Text with the words marked. */
function marked(text, words) {
  const parts = [];
  const low = text.toLowerCase();
  let from = 0;
  while (from < text.length) {
    const next = words.map((word) => [low.indexOf(word, from), word.length]).filter(([at]) => at >= 0).sort((one, other) => one[0] - other[0] || other[1] - one[1])[0];
    if (!next) break;
    parts.push(text.slice(from, next[0]), element("mark", {}, text.slice(next[0], next[0] + next[1])));
    from = next[0] + next[1];
  }
  return [...parts, text.slice(from)];
}

function close() {
  found.hidden = true;
  field.setAttribute("aria-expanded", "false");
  field.removeAttribute("aria-activedescendant");
  active = -1;
}

function choose(number) {
  active = number;
  [...found.children].forEach((option, at) => option.setAttribute("aria-selected", at === active));
  const option = found.children[active];
  if (!option) return field.removeAttribute("aria-activedescendant");
  field.setAttribute("aria-activedescendant", option.id);
  option.scrollIntoView({ block: "nearest" });
}

async function search() {
  const wanted = field.value;
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const parts = [...words, ...words.map(stem)];
  if (!words.length) {
    count.textContent = "";
    return close();
  }
  let all;
  try {
    all = await read();
  } catch {
    count.textContent = "The search is not available.";
    found.replaceChildren(element("p", { class: "none" }, "The search is not available."));
    found.hidden = false;
    return;
  }
  // Another letter has been typed since.
  if (field.value !== wanted) return;
  results = all
    .map((entry) => ({ entry, score: score(entry, words) }))
    .filter((one) => one.score)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST)
    .map(({ entry }) => entry);
  found.replaceChildren(
    ...results.map((entry, number) =>
      element(
        "a",
        { role: "option", id: `search-result-${number}`, href: `${up}${entry.address}`, tabindex: "-1", "aria-selected": "false" },
        element("b", {}, ...marked(entry.title, parts)),
        element("small", {}, entry.page),
        element("span", {}, ...marked(excerpt(entry, parts), parts)),
      ),
    ),
  );
  if (!results.length) found.append(element("p", { class: "none" }, `No results for “${wanted.trim()}”.`));
  count.textContent = results.length === MOST ? `The first ${MOST} results` : `${results.length} results`;
  found.hidden = false;
  field.setAttribute("aria-expanded", String(results.length > 0));
  choose(results.length ? 0 : -1);
}

field.addEventListener("input", search);
field.addEventListener("focus", () => {
  read().catch(() => {});
  if (field.value.trim()) search();
});
field.addEventListener("keydown", (event) => {
  const many = results.length;
  if (event.key === "Escape") {
    if (found.hidden) field.blur();
    close();
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && many && !found.hidden) {
    choose((active + (event.key === "ArrowDown" ? 1 : many - 1)) % many);
  } else if (event.key === "Enter" && found.children[active]?.href) {
    const { href } = found.children[active];
    close();
    field.blur();
    location.href = href;
  } else return;
  event.preventDefault();
});
document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest(".search")) close();
});
document.addEventListener("focusin", (event) => {
  if (!event.target.closest(".search")) close();
});
/** Whether `/` leads to the search: speech input may say it by accident, so it can be turned off. */
let shortcut = true;
try {
  shortcut = localStorage.getItem("checklist-docs-shortcut") !== "off";
} catch {
  // The choice ends with the page.
}
const toggle = element("button", { type: "button", id: "shortcut" });
const showShortcut = () => {
  toggle.setAttribute("aria-pressed", shortcut);
  toggle.textContent = `Shortcut “/” for search: ${shortcut ? "on" : "off"}`;
  document.querySelector(".search kbd").hidden = !shortcut;
};
toggle.addEventListener("click", () => {
  shortcut = !shortcut;
  showShortcut();
  try {
    localStorage.setItem("checklist-docs-shortcut", shortcut ? "on" : "off");
  } catch {
    // The choice ends with the page.
  }
});
showShortcut();
document.querySelector("#pages").append(toggle);

document.addEventListener("keydown", (event) => {
  if (!shortcut || event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  // A shadow root hides which of its fields somebody is typing into.
  const [target] = event.composedPath();
  if (target.closest?.("input, textarea, select, [contenteditable]")) return;
  event.preventDefault();
  field.focus();
  field.select();
});
found.addEventListener("click", close);
