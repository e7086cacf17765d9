/**
 * The gallery: puts a real element into each state of `gallery-states.js` and keeps it there. The
 * element's calls are answered on this page: what has an answer gets it, what has none waits for
 * ever, what is refused finds no server. Everything else is as on any page.
 */

import { answerTo, CHAPTERS } from "./gallery-states.js";

/** `states/{name}/{scheme}/api/…`: where a state's element believes its server to be. */
const PLACE = /\/demo\/states\/([\w-]+)\/\w+\/api\/Vendor\/ChecklistControl\/([^?]+)/;

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

const pause = () => new Promise((resolve) => setTimeout(resolve, 30));

/** Waits until a step has found what it acts on; a state that never comes about stays unfinished. */
async function take(step) {
  for (let tries = 0; tries < 400; tries++) {
    if (step()) return;
    await pause();
  }
  throw new Error(`A step of the gallery leads nowhere: ${step}`);
}

/** An element whose server knows its list under that name. */
function bound({ tag = "checklist-control", attributes = {} }, name, scheme, object = "INC-20418") {
  const place = tag === "checklist-control" ? { "object-type": "incident", "object-id": object, purpose: name } : {};
  const all = { "base-url": `states/${name}/${scheme}`, ...place, ...attributes };
  for (const name of Object.keys(all)) if (all[name] === null) delete all[name];
  return element(tag, all);
}

/** A table of objects with the list of each. */
function table(state, lists) {
  const cells = (tag, ...parts) => element("tr", {}, ...parts.map((part) => element(tag, {}, part)));
  const lines = state.table.map(({ object, text }, number) => cells("td", element("span", {}, element("b", {}, object), ` ${text}`), lists[number]));
  return element("table", {}, element("thead", {}, cells("th", "Ticket", "Checklist")), element("tbody", {}, ...lines));
}

async function show(state, stage, scheme) {
  const { name, words, steps, ready } = state;
  const lists = state.table?.map(({ object }, number) => bound(state, `${name}-${number}`, scheme, object)) ?? [bound(state, name, scheme)];
  const [list] = lists;
  // A menu opens upwards where it finds no room below.
  if (state.roomy) stage.scrollIntoView({ block: "start" });
  if (words) list.messages = words;
  const whole = state.table ? table(state, lists) : list;
  stage.replaceChildren(list.required ? element("form", {}, whole) : whole);
  await take(() => lists.every((one) => one.shadowRoot?.querySelector(ready ?? ".row")));
  for (const step of steps?.(hand(list)) ?? []) {
    await take(step);
    await pause();
  }
}

/** The states one after the other: only one thing on a page has the focus. */
async function showAll(scheme) {
  const figures = [];
  const chapters = CHAPTERS.map(({ id, title, states }) =>
    element(
      "section",
      { class: "chapter", id, "aria-labelledby": `${id}-title` },
      element("h2", { id: `${id}-title` }, title),
      element("div", { class: "states" }, ...states.map((state) => figure(state, scheme, figures))),
    ),
  );
  document.querySelectorAll(".chapter").forEach((chapter) => chapter.remove());
  document.querySelector("main").append(...chapters);
  await import("../control/checklist-control.js");
  const place = scrollY;
  for (const [number, draw] of figures.entries()) {
    document.documentElement.dataset.drawn = number;
    await draw();
  }
  scrollTo(0, place);
  if (document.querySelector(location.hash || null)) document.querySelector(location.hash).scrollIntoView();
  document.documentElement.dataset.ready = scheme;
}

function figure(state, scheme, figures) {
  const schemes = scheme === "both" ? ["light", "dark"] : [scheme];
  const kinds = ["stage", state.roomy && "roomy", state.scrolls && "scrolls"].filter(Boolean).join(" ");
  const stages = schemes.map((one) => {
    const attributes = state.scrolls ? { tabindex: "0", role: "region", "aria-label": state.title } : {};
    return element("div", { class: `${kinds} ${one}`, ...attributes });
  });
  const caption = element("figcaption", {}, element("b", {}, state.title), element("span", {}, state.about ?? ""));
  const draw = async () => {
    for (const [number, stage] of stages.entries()) await show(state, stage, schemes[number]);
  };
  if (state.steps) {
    const again = element("button", { type: "button", "aria-label": `Show again: ${state.title}` }, "Show again");
    again.addEventListener("click", draw);
    caption.append(again);
  }
  figures.push(draw);
  return element("figure", { class: state.wide ? "state wide" : "state", id: state.name }, caption, element("div", { class: `stages ${scheme}` }, ...stages));
}

document.querySelector("#chapters").append(...CHAPTERS.map(({ id, title }) => element("a", { href: `#${id}` }, title)));

const theme = document.querySelector("#theme");
const wish = new URLSearchParams(location.search).get("theme");
for (const radio of theme.querySelectorAll("input")) if (radio.value === wish) radio.checked = true;
const chosen = () => theme.querySelector("input:checked").value;
const choose = () => {
  document.documentElement.dataset.theme = chosen();
  return showAll(chosen());
};
theme.addEventListener("change", choose);
choose();
