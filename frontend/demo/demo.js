/**
 * The demo page: an incident whose form holds two checklists. Everything here is what any host
 * page would do: set attributes, listen to events, read the form. Addresses are relative, so the
 * page works under any base path.
 */

const page = new URL(import.meta.url);
const api = new URL("../api/Vendor/ChecklistControl/", page);
const parameters = new URLSearchParams(location.search);
const incident = parameters.get("incident") ?? "INC-20418";
const task = parameters.get("task") ?? "TASK-7001";

const find = (id) => document.getElementById(id);
const form = find("incident");
const lists = [
  { element: find("list-main"), name: "Incident" },
  { element: find("list-handover"), name: "Handover" },
];

/** An element with attributes and children, built without any HTML text. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// ── The web services ───────────────────────────────────────────────────────────────────────────

let token;

async function call(path, body) {
  if (!token || token.until < Date.now()) {
    const answer = await fetch(new URL("token", page), { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
    const { Token, ExpiresAt } = await answer.json();
    token = { text: Token, until: new Date(ExpiresAt).getTime() - 30_000 };
  }
  const answer = await fetch(new URL(path, api), {
    method: body ? "POST" : "GET",
    headers: { Authorization: `Bearer ${token.text}`, ...(body && { "Content-Type": "application/json" }) },
    body: body && JSON.stringify(body),
  });
  const result = await answer.json();
  if (!answer.ok) throw new Error(result.detail ?? result.title ?? answer.statusText);
  return result;
}

// ── Form, read-out, events ─────────────────────────────────────────────────────────────────────

/** Draws only what is new, so that a selection in the page survives. */
function changed(place, value) {
  const now = JSON.stringify(value);
  if (place.dataset.shown === now) return false;
  place.dataset.shown = now;
  return true;
}

function showData() {
  const rows = [...new FormData(form)].filter(([name]) => name === "Checklist" || name === "Handover");
  const entries = rows.length ? rows : [["Nothing", "A disabled control is not part of the form’s data."]];
  if (!changed(find("data"), entries)) return;
  find("data").replaceChildren(
    ...entries.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, element("code", {}, value))]),
  );
}

function showReadout() {
  const facts = lists.map(({ element: list, name }) => {
    const { Total = 0, Done = 0, NotApplicable = 0 } = list.counts ?? {};
    const details = [list.state ?? "Unknown", `${Done} of ${Total - NotApplicable}`];
    if (NotApplicable) details.push(`${NotApplicable} not applicable`);
    if (list.pendingCount) details.push(`${list.pendingCount} waiting`);
    return { name, completed: String(Boolean(list.completed)), details: details.join(" · ") };
  });
  if (!changed(find("readout"), facts)) return;
  find("readout").replaceChildren(
    ...facts.map(({ name, completed, details }) =>
      element(
        "li",
        { "data-completed": completed },
        element("span", { class: "who" }, name),
        element("code", {}, completed),
        element("small", {}, details),
      ),
    ),
  );
}

/** What is worth saying of an event's detail. */
function told({ detail }) {
  if (!detail || typeof detail !== "object") return "";
  const { what, completed, code, message, before, after } = detail;
  if (completed !== undefined) return String(completed);
  if (code !== undefined) return `${code}: ${message}`;
  const change = before || after ? `${before ?? "–"} → ${after ?? "–"}` : "";
  return [what, change].filter(Boolean).join(": ");
}

const EVENTS = [
  "completed-changed",
  "state-changed",
  "checklist-change",
  "checklist-error",
  "before-checklist-check",
  "before-checklist-edit",
  "before-checklist-delete",
  "before-checklist-refresh",
  "before-checklist-waive",
  "input",
  "change",
];

function logEvent(event) {
  const source = lists.find(({ element: list }) => list === event.target);
  if (!source) return;
  const time = new Date().toLocaleTimeString([], { hour12: false });
  find("events").prepend(
    element("li", {}, element("time", {}, time), element("b", {}, event.type), element("span", {}, [source.name, told(event)].filter(Boolean).join(", "))),
  );
  while (find("events").childElementCount > 60) find("events").lastElementChild.remove();
}

function showFacts() {
  showReadout();
  showData();
}

for (const type of EVENTS) {
  form.addEventListener(type, (event) => {
    logEvent(event);
    showFacts();
    if (type === "checklist-change") setTimeout(showJournal, 600);
  });
}
// Loading and saving have no events of their own.
setInterval(showFacts, 500);

// ── Resolving ──────────────────────────────────────────────────────────────────────────────────

const state = form.elements.State;
/** The state before somebody asked for another one. */
let settled = state.value;

function setState(name) {
  settled = name;
  state.value = name;
  find("state").textContent = name;
}

/** Says below the form what became of it. */
function showOutcome(kind, ...parts) {
  const outcome = find("outcome");
  outcome.dataset.kind = kind;
  outcome.replaceChildren(...parts);
  outcome.hidden = !parts.length;
}

/** The required lists that have kept the form from being submitted. */
const blockers = new Set();

function showBlockers() {
  const entries = lists
    .filter(({ element: list }) => blockers.has(list))
    .map(({ element: list, name }) => {
      const show = element("button", { type: "button", class: "action small", "aria-label": `Show ${name}` }, "Show");
      show.addEventListener("click", () => list.focus());
      return element("li", {}, element("span", {}, element("b", {}, name), ": ", element("span", { lang: language }, list.validationMessage)), show);
    });
  blockers.clear();
  setState(settled);
  showOutcome("blocked", element("p", {}, "Not resolved. These checklists are not completed:"), element("ul", {}, ...entries));
  find("outcome").focus();
}

// The browser asks every control before it submits, and tells of each that is not valid. It would
// show the message of the first alone; this page lists all of them.
form.addEventListener(
  "invalid",
  (event) => {
    event.preventDefault();
    if (!blockers.size) setTimeout(showBlockers);
    blockers.add(event.target);
  },
  true,
);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  setState("Resolved");
  const completed = lists.filter(({ element: list }) => list.required).map(({ name }) => name);
  const because = completed.length ? `Completed: ${completed.join(", ")}.` : "No checklist is required.";
  showOutcome("resolved", element("p", {}, `Resolved. ${because}`));
  find("outcome").focus();
});
state.addEventListener("change", () => {
  if (state.value === "Resolved") form.requestSubmit();
  else setState(state.value);
});
form.addEventListener("completed-changed", ({ target: list }) => {
  if (settled !== "Resolved" || list.completed || !list.required) return;
  const { name } = lists.find((one) => one.element === list) ?? {};
  setState("In progress");
  showOutcome("blocked", element("p", {}, `In progress again, because ${name} is no longer completed.`));
});
form.addEventListener("reset", () => {
  showOutcome("");
  // A reset empties what was filled in by script.
  setTimeout(fillIn);
});
find("new-incident").addEventListener("click", () => go({ incident: `INC-${20419 + Math.floor(Math.random() * 70_000)}` }));
find("new-task").addEventListener("click", () => go({ task: `TASK-${7002 + Math.floor(Math.random() * 90_000)}` }, "changed"));
find("clear").addEventListener("click", () => find("events").replaceChildren());

function go(change, hash = "") {
  for (const [name, value] of Object.entries(change)) parameters.set(name, value);
  location.assign(`?${parameters}${hash && `#${hash}`}`);
}

function fillIn() {
  form.elements.Number.value = incident;
  find("number").textContent = incident;
  setState(state.value);
}

// ── Journal ────────────────────────────────────────────────────────────────────────────────────

const entries = new Map();
let cursor = 0;

async function showJournal() {
  let more = true;
  try {
    while (more) {
      const answer = await call(`Journal?After=${cursor}&ObjectType=incident&ObjectId=${encodeURIComponent(incident)}`);
      for (const entry of answer.Entries) entries.set(entry.Id, entry);
      cursor = answer.Cursor;
      more = answer.More;
    }
  } catch (error) {
    find("journal").replaceChildren(element("li", { class: "none" }, `The journal cannot be read: ${error.message}`));
    return;
  }
  const newest = [...entries.values()].sort((a, b) => b.Cursor - a.Cursor);
  find("journal").replaceChildren(
    ...newest.map((entry) =>
      element(
        "li",
        {},
        element("time", { datetime: entry.Until }, new Date(entry.Until).toLocaleString([], { dateStyle: "short", timeStyle: "short" })),
        element("b", {}, entry.Actor.Name),
        element("span", {}, entry.Text, entry.Context.Purpose ? element("small", {}, ` ${entry.Context.Purpose}`) : ""),
      ),
    ),
  );
  if (!newest.length) find("journal").append(element("li", { class: "none" }, "Nothing yet. Changes of a list with “Log in journal” appear here."));
}

// ── Descriptors ────────────────────────────────────────────────────────────────────────────────

const target = () => find(document.querySelector("#target input:checked").value);

/** Shows the attributes of the chosen list as they are. */
function showDescriptors() {
  const list = target();
  for (const box of document.querySelectorAll("[data-attribute]")) {
    const { attribute, value } = box.dataset;
    box.checked = value ? list.getAttribute(attribute) === value : list.hasAttribute(attribute);
  }
  find("draft").checked = !list.hasAttribute("object-id");
  find("purpose").value = list.getAttribute("purpose") ?? "";
}

find("target").addEventListener("change", showDescriptors);
find("switches").addEventListener("change", ({ target: box }) => {
  const { attribute, value } = box.dataset;
  const list = target();
  if (box.id === "draft") {
    if (box.checked) list.removeAttribute("object-id");
    else list.setAttribute("object-id", incident);
  } else if (box.checked) list.setAttribute(attribute, value ?? "");
  else list.removeAttribute(attribute);
  showFacts();
});
find("purpose").addEventListener("change", ({ target: field }) => target().setAttribute("purpose", field.value));
find("methods").addEventListener("click", async ({ target: button }) => {
  const list = target();
  try {
    if (button.dataset.method) await list[button.dataset.method]();
    if (button.id === "lock") {
      const Context = { ObjectType: "incident", ObjectId: incident, Purpose: list.purpose };
      const { Locked } = await call("GetItems", { Context, View: "Summary" });
      await call("Lock", { Context, Locked: !Locked, ...(!Locked && { Reason: "Under review" }) });
      await list.refresh();
    }
  } catch (error) {
    showOutcome("blocked", element("p", {}, error.message));
  }
});

// ── A list at an older version of its template ─────────────────────────────────────────────────

async function showChanged() {
  const Context = { ObjectType: "task", ObjectId: task, Purpose: "", TemplateId: "server-decommission" };
  const stage = find("changed-stage");
  try {
    const { Revision } = await call("GetItems", { Context, View: "Summary" });
    if (Revision === 0) await call("RefreshItemsOnTemplateChange", { Context, ToVersion: 1 });
  } catch (error) {
    stage.replaceChildren(element("p", {}, `The list could not be made: ${error.message}`));
    return;
  }
  stage.replaceChildren(
    element("checklist-control", {
      id: "list-changed",
      "base-url": "..",
      "token-url": "token",
      "object-type": "task",
      "object-id": task,
      template: "server-decommission",
      lang: language,
    }),
  );
}

// ── Previews ───────────────────────────────────────────────────────────────────────────────────

const TEMPLATES = ["incident-standard", "handover", "onboarding", "server-decommission"];

function showPreviews() {
  find("preview-grid").replaceChildren(
    ...TEMPLATES.map((template) => {
      const address = new URL(`Preview/${template}?Language=${language}`, api);
      const preview = element("checklist-preview", { "base-url": "..", "token-url": "token", template, lang: language });
      return element(
        "figure",
        {},
        element("div", { class: "frame", tabindex: "0", role: "region", "aria-label": `Preview of ${template}` }, preview),
        element("figcaption", {}, element("code", {}, `template="${template}"`), element("a", { href: address.href }, "Open as a page")),
      );
    }),
  );
}

// ── Colours, language, width ───────────────────────────────────────────────────────────────────

let language = "en";

function choose(group, apply) {
  const radios = find(group).elements;
  const kept = localStorage.getItem(`checklist-demo-${group}`);
  for (const radio of radios) radio.checked = kept ? radio.value === kept : radio.defaultChecked;
  const chosen = () => [...radios].find((radio) => radio.checked)?.value ?? radios[0].value;
  find(group).addEventListener("change", () => {
    localStorage.setItem(`checklist-demo-${group}`, chosen());
    apply(chosen());
  });
  apply(chosen());
}

choose("theme", (theme) => (document.documentElement.dataset.theme = theme));
choose("width", (width) => (document.documentElement.dataset.width = width));
choose("language", (chosen) => {
  language = chosen;
  for (const list of document.querySelectorAll("checklist-control, checklist-preview")) list.setAttribute("lang", chosen);
  if (find("preview-grid").childElementCount) showPreviews();
});

fillIn();
document.title = `${incident}, with its checklists – Checklist Control`;
for (const { element: list } of lists) list.setAttribute("object-id", incident);
showDescriptors();
showFacts();
showJournal();
showChanged();
showPreviews();
