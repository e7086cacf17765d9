/**
 * The gallery: puts a real element into each state of `gallery-states.js` and keeps it there, beside
 * the HTML that makes it, its attributes and the events that it fires. The element's calls are
 * answered on this page: what has an answer gets it, what has none waits for ever, what is refused
 * finds no server. Everything else is as on any page.
 */

import { base, completeCode } from "./docs.js";
import { answerTo, CHAPTERS } from "./gallery-states.js";

/** `states/{name}/{scheme}/api/…`: where a state's element believes its server to be. */
const PLACE = /\/docs\/states\/([\w-]+)\/\w+\/api\/Vendor\/ChecklistControl\/([^?]+)/;

/** What this page has answered, for the test that compares it with the server's own types. */
window.answered = [];

const real = window.fetch;
window.fetch = async (address, options) => {
  const [, name, call] = PLACE.exec(address.url ?? String(address)) ?? [];
  if (!name) return real.call(window, address, options);
  const text = address instanceof Request ? await address.text() : options?.body;
  const body = text && JSON.parse(text);
  const answer = answerTo(name, call, body);
  if (answer === "refused") throw new TypeError("Failed to fetch");
  if (answer === undefined) return new Promise(() => {});
  // Only problems say their status themselves.
  const { status = 200 } = answer;
  window.answered.push({ Call: call, Status: status, Body: answer });
  const type = status < 400 ? "application/json" : "application/problem+json";
  return new Response(JSON.stringify(answer), { status, headers: { "Content-Type": type } });
};

/** An element with attributes and children, built without any HTML text. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** What a step of a state may do: what a person does, on the rows that it names. */
function hand(list) {
  const root = list.shadowRoot;
  const row = (text) => [...root.querySelectorAll("[data-id]")].find((one) => one.querySelector(".text, .section-text")?.textContent === text);
  const find = (where, what) => {
    const buttons = [...where.querySelectorAll("button, input.box")].filter((one) => one.getClientRects().length);
    // Beside its words an entry of a menu has its keys.
    const words = (one) => (one.querySelector(":scope > span") ?? one).textContent.trim();
    return buttons.find((one) => one.matches(`.${what}`)) ?? buttons.find((one) => words(one) === what);
  };
  return {
    press: (text, what) => () => {
      const found = find(text ? row(text) : root, what);
      found?.click();
      return found;
    },
    type: (text) => () => {
      const field = root.querySelector(".editor .input, .add .input, .search .input");
      if (!field) return false;
      field.value = text;
      field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
      return true;
    },
    shows: (selector) => () => root.querySelector(selector),
    element: (act) => () => (act(list), true),
  };
}

/**
 * Elements that nobody has touched yet. What brings their states about would move the focus, but that
 * belongs to whoever reads the page.
 */
const untouched = new WeakSet();
const realFocus = HTMLElement.prototype.focus;
HTMLElement.prototype.focus = function (options) {
  if (!untouched.has(this.getRootNode().host)) realFocus.call(this, options);
};

const pause = () => new Promise((resolve) => setTimeout(resolve, 30));

/** Waits until a step has found what it acts on; a state that never comes about stays unfinished. */
async function take(step) {
  for (let tries = 0; tries < 400; tries++) {
    if (step()) return;
    await pause();
  }
  throw new Error(`A step of the gallery leads nowhere: ${step}`);
}

// Nothing here is stored, so nothing is lost with the page: the elements need not ask.
addEventListener("beforeunload", (event) => event.stopImmediatePropagation());

// ── Elements ───────────────────────────────────────────────────────────────────────────────────

const both = document.querySelector("#switch-both");
const rtl = document.querySelector("#switch-rtl");
const compact = document.querySelector("#switch-compact");

/** What the switches add to every element that does not say it itself. */
const switched = () => ({ ...(rtl.checked && { lang: "ar" }), ...(compact.checked && { density: "compact" }) });

/** An element whose server knows its list under that name. */
function bound({ tag = "checklist-control", attributes = {} }, name, scheme, object = "INC-20418") {
  const place = tag === "checklist-control" ? { "object-type": "incident", "object-id": object, purpose: name } : {};
  const all = { "base-url": `states/${name}/${scheme}`, ...place, ...switched(), ...attributes };
  for (const name of Object.keys(all)) if (all[name] === null) delete all[name];
  return element(tag, all);
}

/** A table of objects with the list of each. */
function table(state, lists) {
  const cells = (tag, ...parts) => element("tr", {}, ...parts.map((part) => element(tag, {}, part)));
  const lines = state.table.map(({ object, text }, number) => cells("td", element("span", {}, element("b", {}, object), ` ${text}`), lists[number]));
  return element("table", {}, element("thead", {}, cells("th", "Ticket", "Checklist")), element("tbody", {}, ...lines));
}

/** The HTML that makes a state on a page of one's own. */
function markup({ tag = "checklist-control", attributes = {}, words, table: lines }) {
  const write = (object) => {
    const place = tag === "checklist-control" ? { "object-type": "incident", "object-id": object } : {};
    const all = { ...place, "token-url": "/checklist-token", ...attributes };
    const parts = Object.entries(all).filter(([, value]) => value !== null);
    const lines = parts.map(([name, value]) => `\n  ${name}${value === "" ? "" : `="${value}"`}`);
    return `<${tag}${lines.join("")}></${tag}>`;
  };
  let text = (lines?.map((one) => one.object) ?? ["INC-20418"]).map(write).join("\n");
  if ("required" in attributes) text = `<form>\n  ${text.replaceAll("\n", "\n  ")}\n  <button>Resolve</button>\n</form>`;
  if (words) text += `\n<script type="module">\n  document.querySelector("${tag}").messages = ${JSON.stringify(words, null, 2).replaceAll("\n", "\n  ")};\n</script>`;
  return text;
}

/** The fields of a template that make items ask for more than a tick. */
const ASKS = ["AnswerFormat", "NeedsPerson", "SecondPerson", "RequiresEvidence", "NotApplicableNeedsReason", "Signal"];

/** The template of a state whose items ask for more than a tick, as `PUT …/Templates/{id}` takes it. */
function template({ name }) {
  const { CompletionRule = "All", Changeable, Items = [], Title } = answerTo(name, "GetItems") ?? {};
  const rows = Items.filter(({ Kind }) => Kind === "Item");
  if (!Changeable && !rows.some((row) => ASKS.some((field) => row[field]))) return;
  const fields = rows.map((row, number) => {
    const asked = Object.fromEntries(["Required", ...ASKS].filter((field) => row[field]).map((field) => [field, row[field]]));
    // The rest of a signal is what was reported.
    if (asked.Signal) asked.Signal = (({ Source, Key, StaleAfter }) => ({ Source, Key, StaleAfter }))(asked.Signal);
    return { Key: `item-${number + 1}`, Text: { en: row.Text }, ...asked };
  });
  return { Key: name, Name: { en: Title }, ...(CompletionRule !== "All" && { CompletionRule }), ...(Changeable && { Changeable }), Items: fields };
}

/**
 * The requests that bring a state about which nobody has pressed into being: what is proposed, and what other
 * systems report. `who` says whose token it takes.
 */
function requests({ name }) {
  const { Context, Items = [] } = answerTo(name, "GetItems") ?? {};
  const { ObjectType, ObjectId } = Context ?? {};
  const about = (call, who, fields) => ({ call, who, body: { Context: { ObjectType, ObjectId }, Items: [{ Id: "$ITEM", ...fields }] } });
  const change = (item) => {
    const { Status, Reason, Evidence, By, Accepted } = item.Proposal ?? { Accepted: true };
    if (Accepted) return [];
    return [By.Kind === "Person" ? about("UpdateItems", "the first person", { Status }) : about("ProposeItems", "an assistant or a program", { Status, Reason, Evidence })];
  };
  const report = (item) => {
    const { Source, Key, Status, AsOf } = item.Signal ?? {};
    if (!AsOf) return [];
    const sent = { call: "Signals", who: `an API key with the source “${Source}”`, body: { Signals: [{ Context: { ObjectType, ObjectId }, Source, Key, Status, AsOf }] } };
    return item.Status === Status ? [sent] : [sent, about("UpdateItems", "a person", { Status: item.Status, Reason: item.Reason })];
  };
  return Items.flatMap((item) => [...report(item), ...change(item)]);
}

/** A request as curl sends it. */
function curl({ call, who, body }) {
  const variables = [`TOKEN: of ${who}`, "Items" in body && "ITEM: the Id of the item, from GetItems"].filter(Boolean);
  const data = JSON.stringify(body, null, 2).replaceAll("'", "'\\''").replace("$ITEM", `'"$ITEM"'`);
  const parts = [`curl --silent "${base}/api/Vendor/ChecklistControl/${call}"`, '--header "Authorization: Bearer $TOKEN"', '--header "Content-Type: application/json"', `--data '${data}'`];
  return `# ${variables.join("; ")}\n${parts.join(" \\\n  ")}`;
}

// ── What stands beside a state ─────────────────────────────────────────────────────────────────

const described = fetch("./elements.json").then((answer) => answer.json());
const MOST_EVENTS = 6;

/** A sentence of the description; what stands between backticks is code. */
const prose = (text) => text.split("`").map((part, at) => (at % 2 ? element("code", {}, part) : part));

/** The code, the attributes in it, and the events that have been fired. */
function facts(state) {
  const { tag = "checklist-control", attributes = {}, words } = state;
  const code = element("div", { class: "code", "data-language": "html" }, element("pre", {}, element("code", {}, markup(state))));
  const names = [...Object.keys(attributes).filter((name) => attributes[name] !== null), ...(words ? ["messages"] : [])];
  const list = element("dl", { class: "members" });
  const log = element("ul", { class: "events" }, element("li", { class: "quiet" }, "None yet."));
  described.then((all) => {
    const about = { ...all[tag].members, ...all[tag].attributes };
    for (const name of names) list.append(element("dt", {}, element("code", {}, name)), element("dd", {}, ...prose(about[name] ?? "")));
  });
  const parts = [code];
  const block = (title, call, language, text) =>
    parts.push(
      element("p", { class: "label" }, `${title} (`, element("code", {}, call), ")"),
      element("div", { class: "code", "data-language": language }, element("pre", {}, element("code", {}, text))),
    );
  const draft_of_it = template(state);
  if (draft_of_it) block("Template", "PUT …/Templates/{id}", "json", JSON.stringify(draft_of_it, null, 2));
  for (const request of requests(state)) block("Request", `POST …/${request.call}`, "sh", curl(request));
  if (names.length) parts.push(element("p", { class: "label" }, words ? "Properties" : "Attributes"), list);
  parts.push(element("p", { class: "label" }, "Events"), log);
  const made = element("div", { class: "facts" }, ...parts);
  completeCode(made);
  return { made, log };
}

/** Listens to the element's events from outside, as a page does. */
function listen(stage, tag, log) {
  described.then((all) => {
    for (const [name, about] of Object.entries(all[tag].events)) {
      stage.addEventListener(name, (event) => {
        // Of the element alone: it stops those of the fields inside.
        if (event.target.localName !== tag) return;
        const detail = event.detail && typeof event.detail === "object" ? JSON.stringify(event.detail) : "";
        log.querySelector(".quiet")?.remove();
        log.prepend(element("li", {}, element("code", { title: about }, name), detail && " ", detail && element("small", {}, detail)));
        while (log.children.length > MOST_EVENTS) log.lastChild.remove();
      });
    }
  });
}

// ── The page ───────────────────────────────────────────────────────────────────────────────────

/** Waits until all of it can be seen, or it takes half of the window. */
function seen(stage) {
  const threshold = Array.from({ length: 21 }, (_, part) => part / 20);
  return new Promise((resolve) => {
    const act = (entries, watch) => {
      const { intersectionRatio, intersectionRect } = entries.at(-1);
      if (intersectionRatio < 1 && intersectionRect.height < innerHeight / 2) return;
      watch.disconnect();
      resolve();
    };
    new IntersectionObserver(act, { threshold }).observe(stage);
  });
}

async function show(state, stage, scheme) {
  const { name, words, steps, ready } = state;
  const lists = state.table?.map(({ object }, number) => bound(state, `${name}-${number}`, scheme, object)) ?? [bound(state, name, scheme)];
  const [list] = lists;
  if (words) list.messages = words;
  const whole = state.table ? table(state, lists) : list;
  for (const one of lists) {
    untouched.add(one);
    for (const type of ["pointerdown", "keydown", "click"]) one.addEventListener(type, (event) => event.isTrusted && untouched.delete(one), true);
  }
  stage.replaceChildren(list.required ? element("form", {}, whole) : whole);
  await take(() => lists.every((one) => one.shadowRoot?.querySelector(ready ?? ".row")));
  // A menu is placed inside the window, so its button has to be there.
  if (state.roomy) await seen(stage);
  // Steps name what they press in English; the switches act on what has come about.
  for (const step of steps?.(hand(list)) ?? []) {
    await take(step);
    await pause();
  }
  stage.dataset.shown = "";
}

/** The states one after the other, from the top; those that wait until they are seen hold up no other. */
async function showAll(scheme) {
  const draws = [];
  const chapters = CHAPTERS.map(({ id, title, states }) =>
    element(
      "section",
      { class: "chapter", id, "aria-labelledby": `${id}-title` },
      element("h2", { id: `${id}-title` }, title),
      ...states.map((state) => figure(state, scheme, draws)),
    ),
  );
  document.querySelector("#states").replaceChildren(...chapters);
  const named = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  named?.scrollIntoView?.();
  await Promise.all([import("../control/checklist-control.js"), import("../control/checklist-worklist.js")]);
  for (const [number, draw] of draws.entries()) {
    document.documentElement.dataset.drawn = number;
    await draw();
  }
  named?.scrollIntoView?.();
  document.documentElement.dataset.ready = scheme;
}

function figure(state, scheme, draws) {
  const { name, title, about, steps, tag = "checklist-control" } = state;
  const schemes = scheme === "both" ? ["light", "dark"] : ["auto"];
  const kinds = ["stage", state.roomy && "roomy", state.scrolls && "scrolls"].filter(Boolean).join(" ");
  const { made, log } = facts(state);
  const stages = schemes.map((one) => {
    const attributes = state.scrolls ? { tabindex: "0", role: "region", "aria-label": title } : {};
    const stage = element("div", { class: `${kinds} ${one}`, ...attributes });
    listen(stage, tag, log);
    return stage;
  });
  const link = element("a", { class: "anchor", href: `#${name}`, "aria-label": `Link to “${title}”` }, "#");
  const caption = element("figcaption", {}, element("h3", {}, title, " ", link), element("p", {}, about ?? ""));
  const draw = async () => {
    for (const [number, stage] of stages.entries()) await show(state, stage, schemes[number]);
  };
  if (steps) {
    const again = element("button", { type: "button", class: "again", "aria-label": `Show again: ${title}` }, "Show again");
    again.addEventListener("click", draw);
    caption.append(again);
  }
  draws.push(state.roomy ? () => void draw() : draw);
  return element("figure", { class: "state", id: name }, caption, element("div", { class: `stages ${scheme}` }, ...stages), made);
}

both.addEventListener("change", () => showAll(both.checked ? "both" : "one"));

/** The states by name, to know which attributes are their own. */
const STATES = new Map(CHAPTERS.flatMap(({ states }) => states.map((state) => [state.name, state])));
for (const [box, name, value] of [
  [rtl, "lang", "ar"],
  [compact, "density", "compact"],
]) {
  box.addEventListener("change", () => {
    for (const one of document.querySelectorAll(".stage :is(checklist-control, checklist-preview, checklist-worklist)")) {
      if (name in (STATES.get(one.closest(".state").id).attributes ?? {})) continue;
      if (box.checked) one.setAttribute(name, value);
      else one.removeAttribute(name);
    }
  });
}

// The menu of the chapters closes with a choice.
const chapters = document.querySelector(".chapters");
chapters.addEventListener("click", ({ target }) => target.closest("a") && (chapters.open = false));
chapters.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  chapters.open = false;
  chapters.firstElementChild.focus();
});

for (const box of [both, rtl, compact]) box.checked = false;
showAll("one");
