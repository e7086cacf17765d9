/**
 * `<checklist-control>` and `<checklist-preview>`: the two classes, and everything that only a
 * script can do for them: form association, events, attributes, the token, one WASM instance and
 * one style sheet for the page. What is drawn and decided lives in the WASM, which is loaded when
 * the first element is connected. The four names below are filled in when the control is built.
 *
 * Sections: 1 loading, 2 languages, 3 tokens, 4 mounting, 5 live changes,
 * 6 attributes, 7 control, 8 preview.
 */

const GLUE = new URL("__CHECKLIST_GLUE__", import.meta.url);
const WASM = new URL("__CHECKLIST_WASM__", import.meta.url);
const STYLES = new URL("__CHECKLIST_STYLES__", import.meta.url);
/** The tables of words, each named whole: bundlers look for such addresses. English is in the WASM. */
const WORDS = {
  en: new URL("__CHECKLIST_WORDS__.en.json", import.meta.url),
  de: new URL("__CHECKLIST_WORDS__.de.json", import.meta.url),
  fr: new URL("__CHECKLIST_WORDS__.fr.json", import.meta.url),
  es: new URL("__CHECKLIST_WORDS__.es.json", import.meta.url),
  ar: new URL("__CHECKLIST_WORDS__.ar.json", import.meta.url),
};
/** This file lies at `{base_url}/control/`; in the npm package the page's own origin stands here. */
const DEFAULT_BASE = new URL("..", import.meta.url);

// ── 1 Loading ──────────────────────────────────────────────────────────────────────────────────

/** Everything that is mounted or wants to be. */
const mounts = new Set();
let loading;
let attempts = 0;

/** The WASM, ready to be called; the same one for the whole page. */
function load() {
  loading ??= instantiate().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** How stack traces name the code of the one instance that is alive. */
let ours = [];

async function instantiate() {
  // What failed is remembered under its address, and what has stopped may go on failing: each
  // further instance has addresses of its own.
  const attempt = attempts++ ? `?${attempts}` : "";
  const [script, code] = [GLUE, WASM].map((address) => new URL(attempt, address));
  // Whoever bundles this has copied the glue as it is: see the addresses at the top.
  const glue = await import(/* @vite-ignore */ /* webpackIgnore: true */ script.href);
  await glue.default({ module_or_path: code });
  ours = [script, code].map((address) => `${address.pathname}${attempt}:`);
  return glue;
}

addEventListener("error", (event) => watch(event.error));
addEventListener("unhandledrejection", (event) => watch(event.reason));

/**
 * Looks at an error that leaves the WASM. One that broke off inside (a panic, a full memory, a
 * stack without end) leaves it half done, so none of its views goes on. Answers whether it did.
 */
function watch(error) {
  const broken = [WebAssembly.RuntimeError, RangeError].some((kind) => error instanceof kind) || error?.name === "InternalError";
  if (!broken || !ours.some((address) => error.stack?.includes(address))) return false;
  ours = [];
  loading = undefined;
  mounts.forEach((mount) => mount.fail("stopped"));
  return true;
}

const sheets = new WeakMap();
let styles;

/** The one style sheet of a document, shared by all its elements, and a promise of its content. */
function sheetOf(document) {
  let entry = sheets.get(document);
  if (!entry) {
    const sheet = new document.defaultView.CSSStyleSheet();
    sheet.replaceSync(":host{display:block}:host([hidden]){display:none}");
    entry = { sheet, ready: undefined };
    sheets.set(document, entry);
  }
  entry.ready ??= fill(entry.sheet).catch((error) => {
    entry.ready = styles = undefined;
    throw error;
  });
  return entry;
}

async function fill(sheet) {
  styles ??= fetch(STYLES).then((answer) => {
    if (!answer.ok) throw new Error(`${STYLES} answered ${answer.status}`);
    return answer.text();
  });
  sheet.replaceSync(await styles);
}

// ── 2 Languages ────────────────────────────────────────────────────────────────────────────────

/** What is said while there are no words at all. */
const ENGLISH = {
  failed: "The checklist could not be loaded.",
  stopped: "The checklist has stopped. Everything that was confirmed is stored.",
  again: "Load again",
  incomplete: "This checklist has to be completed.",
};

/** The tables by language, each a promise and then what it gave; nothing where it failed. */
const tables = new Map();

/** The language in force where the element stands, through shadow roots too. */
function languageOf(element) {
  for (let at = element; at; at = at.parentNode ?? at.host) {
    if (at.lang) return at.lang;
  }
  return navigator.language;
}

/** Which table an element needs: that of its language, and the English one for a host's own words. */
function tableOf(element) {
  const language = languageOf(element).split(/[-_]/)[0].toLowerCase();
  return language !== "en" && Object.hasOwn(WORDS, language) ? language : element.messages && "en";
}

/** A promise of the table that an element needs; undefined when there is nothing to wait for. */
function fetchTable(element) {
  const name = tableOf(element);
  if (!name || hereFor(element)) return undefined;
  if (!tables.has(name)) {
    const fetched = fetch(WORDS[name])
      .then((answer) => answer.json())
      .then(
        (table) => tables.set(name, table),
        () => tables.delete(name), // English has to do, and the next one asks again
      );
    tables.set(name, fetched);
  }
  return tables.get(name);
}

/** The table that an element needs, once it is here. */
function hereFor(element) {
  const table = tables.get(tableOf(element));
  return table instanceof Promise ? undefined : table;
}

/** The words of an element by name: its host's own, else its language's, in the order of the table. */
function wordsOf(element) {
  const table = hereFor(element) ?? ENGLISH;
  return Object.fromEntries(Object.entries(table).map(([name, text]) => [name, element.messages?.[name] ?? text]));
}

/** The numbers under which an instance of the WASM knows its words. */
const spoken = new WeakMap();

/** The number of an element's words there; 0 is English as it comes. */
function numberOf(element, glue) {
  if (!hereFor(element)) return 0;
  const lines = Object.values(wordsOf(element))
    .map((text) => String(text).replaceAll("\n", " "))
    .join("\n");
  if (!spoken.has(glue)) spoken.set(glue, new Map());
  const numbers = spoken.get(glue);
  if (!numbers.has(lines)) numbers.set(lines, glue.speak(lines));
  return numbers.get(lines);
}

// ── 3 Tokens ───────────────────────────────────────────────────────────────────────────────────

/** The most contexts that one token covers. */
const MOST_CONTEXTS = 200;

const keyOf = ({ ObjectType, ObjectId, Purpose }) => JSON.stringify([ObjectType, ObjectId, Purpose]);

/** Holds the token of one provider and asks it once for all contexts that the page shows. */
class Tokens {
  static #ofProvider = new WeakMap();
  static #ofAddress = new Map();
  static #count = 0;
  /** Which holder it is, among those of the page. */
  number = ++Tokens.#count;
  #provider;
  #wanted = new Map();
  #held;
  #asking;

  constructor(provider) {
    this.#provider = provider;
  }

  /** The holder for an element's provider, else for its token-url; undefined without either. */
  static of(element) {
    const remember = (map, key, provider) => {
      if (!map.has(key)) map.set(key, new Tokens(provider));
      return map.get(key);
    };
    const { tokenProvider, tokenUrl } = element;
    if (tokenProvider) return remember(Tokens.#ofProvider, tokenProvider, tokenProvider);
    if (!tokenUrl) return undefined;
    const address = resolve(tokenUrl);
    return remember(Tokens.#ofAddress, address, (request) => fetchToken(address, request));
  }

  /** Says early that a context will be needed, so that one question covers the page. */
  want(context) {
    const key = keyOf(context);
    this.#wanted.delete(key);
    this.#wanted.set(key, context);
    if (this.#wanted.size > MOST_CONTEXTS) this.#wanted.delete(this.#wanted.keys().next().value);
  }

  /** A token that covers the contexts and is not the refused one. */
  async get(contexts, reason, refused) {
    contexts.forEach((context) => this.want(context));
    const fits = (held) =>
      held && held.until > Date.now() && held.token !== refused && contexts.every((context) => held.covers.has(keyOf(context)));
    // A question on its way may have begun before this one's contexts were known.
    for (let round = 0; round < 2 && !fits(this.#held); round++) {
      this.#asking ??= this.#ask(reason).finally(() => (this.#asking = undefined));
      await this.#asking;
    }
    return this.#held.token;
  }

  async #ask(reason) {
    await undefined; // lets every element of the same moment say what it wants
    const contexts = [...this.#wanted.values()];
    const asked = Date.now();
    const { token, expiresAt } = await this.#provider({ contexts, reason });
    if (typeof token !== "string") throw new TypeError("The token provider gave no token.");
    const life = expiresAt === undefined ? NaN : new Date(expiresAt).getTime() - asked;
    const lasts = Number.isNaN(life) ? 240_000 : life - Math.min(30_000, life / 5);
    this.#held = { token, until: asked + lasts, covers: new Set(contexts.map(keyOf)) };
  }
}

async function fetchToken(address, { contexts }) {
  const answer = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ Contexts: contexts }),
  });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  const { Token, ExpiresAt } = await answer.json();
  return { token: Token, expiresAt: ExpiresAt };
}

// ── 4 Mounting ─────────────────────────────────────────────────────────────────────────────────

/** Mounts the WASM's view into an element's shadow root for as long as the element is connected. */
class Mount {
  /** What the WASM gave back; undefined before and after. */
  handle;
  root;
  #element;
  #start;
  #failed;
  #busy;
  #configuring = false;
  #glue;

  /**
   * @param {HTMLElement} element
   * @param {ElementInternals} internals
   * @param {(glue: object, root: ShadowRoot) => object} start mounts and gives the handle
   * @param {(error: unknown) => void} failed is told why there is no view
   */
  constructor(element, internals, start, failed) {
    this.#element = element;
    this.#start = start;
    this.#failed = failed;
    this.root = internals.shadowRoot;
    if (!this.root) {
      this.root = element.attachShadow({ mode: "open", delegatesFocus: false });
      // Until there is a view, and when there never will be, what the page put inside is shown.
      this.root.append(document.createElement("slot"));
    }
    this.style();
    for (const type of ["input", "change"]) {
      this.root.addEventListener(type, (event) => event.stopPropagation());
    }
  }

  style() {
    const { ownerDocument } = this.#element;
    // Frameworks move elements through documents of templates, which have no window and no styles.
    if (ownerDocument.defaultView) this.root.adoptedStyleSheets = [sheetOf(ownerDocument).sheet];
  }

  /** Resolves when there is a view, at once if there is one already. */
  connect() {
    // In a document without a window nothing is seen; it is connected again when it leaves there.
    if (!this.#element.ownerDocument.defaultView) return Promise.resolve();
    mounts.add(this);
    if (!this.handle) this.#busy ??= this.#mount().finally(() => (this.#busy = undefined));
    return this.#busy ?? Promise.resolve();
  }

  disconnect() {
    // An element that is moved is connected again before this runs and keeps its view.
    queueMicrotask(() => {
      if (this.#element.isConnected) return;
      mounts.delete(this);
      this.call("free");
      this.handle = undefined;
    });
  }

  /** Tells the WASM of new settings, once for all that are set in the same moment. */
  configure() {
    if (!this.handle || this.#configuring) return;
    this.#configuring = true;
    queueMicrotask(async () => {
      // Another language may have to be fetched first.
      const table = fetchTable(this.#element);
      if (table) await table;
      this.#configuring = false;
      this.call("configure");
    });
  }

  /** The number of the words that the element speaks. */
  get words() {
    return numberOf(this.#element, this.#glue);
  }

  /** Calls the view, if there is one. Whoever asked may catch what goes wrong, so it is seen here. */
  call(method) {
    try {
      return this.handle?.[method]();
    } catch (error) {
      watch(error);
      throw error;
    }
  }

  async #mount() {
    try {
      const [glue] = await Promise.all([load(), sheetOf(this.#element.ownerDocument).ready, fetchTable(this.#element)]);
      if (!this.#element.isConnected || this.handle) return;
      this.#glue = glue;
      this.handle = this.#start(glue, this.root);
    } catch (error) {
      if (watch(error)) return;
      await fetchTable(this.#element); // what went wrong is told in the words of the page
      if (this.#element.isConnected) this.fail("failed", error);
    }
  }

  /** Shows that there is no view, keeps what the page put inside and offers to load again. */
  fail(why, error) {
    this.handle = undefined;
    const words = wordsOf(this.#element);
    const notice = document.createElement("div");
    notice.className = "card failure";
    notice.setAttribute("part", "failure");
    notice.setAttribute("role", "alert");
    notice.lang = languageOf(this.#element);
    notice.dir = "auto";
    const text = document.createElement("p");
    text.textContent = words[why];
    const again = document.createElement("button");
    again.type = "button";
    again.className = "button";
    again.textContent = words.again;
    again.addEventListener("click", () => this.connect());
    notice.append(text, again);
    this.root.replaceChildren(notice, document.createElement("slot"));
    this.#failed(why, error ?? new Error(text.textContent));
  }
}

// ── 5 Live changes ─────────────────────────────────────────────────────────────────────────────

/** After so much silence a stream is taken for lost; the server speaks every 15 seconds. */
const SILENCE = 40_000;
/** The longest time between two attempts to open a stream. */
const LONGEST_WAIT = 10_000;
/** How long a page that nobody looks at keeps its stream. */
const UNSEEN = 5_000;

/**
 * The one stream of changes for all controls of a page that share address, language and token, and
 * whether the person is seen by others.
 * Knows nothing of lists but where they belong: a change is handed to the WASM as it came.
 */
class Live {
  static #streams = new Map();
  static #ofControl = new Map();
  #place;
  #base;
  #lang;
  #seen;
  #tokens;
  #followers = new Map();
  #open;
  #reading = false;
  #timer;
  #attempts = 0;
  #id;
  #token;

  static {
    const all = (act) => () => Live.#streams.forEach(act);
    const resume = all((stream) => stream.#start(0));
    addEventListener("online", resume);
    addEventListener("pageshow", resume);
    addEventListener("offline", all((stream) => stream.#end(true)));
    addEventListener("pagehide", all((stream) => stream.#end(false)));
    document.addEventListener("visibilitychange", all((stream) => stream.#start(document.hidden ? UNSEEN : 0)));
  }

  /** Follows the list of a control, where there is one; `told.heard`, `told.met` and `told.connected` are called. */
  static follow(control, context, told) {
    const tokens = Tokens.of(control);
    const [base, lang] = [baseOf(control), languageOf(control)];
    const seen = !control.hidePresence;
    const place = JSON.stringify([base, lang, tokens?.number, seen]);
    const key = context && place + JSON.stringify(context);
    const before = Live.#ofControl.get(control);
    if (before?.key === key) return;
    Live.#ofControl.delete(control);
    before?.stream.#leave(control);
    if (!key) return;
    const stream = Live.#streams.get(place) ?? new Live(place, base, lang, tokens, seen);
    Live.#streams.set(place, stream);
    Live.#ofControl.set(control, { key, stream });
    stream.#followers.set(control, { key: keyOf(context), context, ...told });
    // All that begin in the same moment begin together.
    stream.#start(20, true);
  }

  constructor(place, base, lang, tokens, seen) {
    this.#place = place;
    this.#base = base;
    this.#lang = lang;
    this.#seen = seen;
    this.#tokens = tokens;
  }

  #leave(control) {
    this.#followers.delete(control);
    if (this.#followers.size) return;
    Live.#streams.delete(this.#place);
    this.#end(false);
  }

  #end(told) {
    clearTimeout(this.#timer);
    this.#open?.abort();
    this.#open = undefined;
    if (told) this.#connected(false);
  }

  /** Opens the stream after a while, unless it is open; `anew` also then. */
  #start(wait, anew = false) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (document.hidden || !this.#followers.size) this.#end(false);
      else if (anew || !this.#open || !this.#reading) this.#run("call");
    }, wait);
  }

  #connected(connected) {
    this.#followers.forEach((follower) => follower.connected(connected));
  }

  /** Opens a stream, and lets the one before go only then. */
  async #run(reason) {
    const before = this.#open;
    const open = (this.#open = new AbortController());
    let wait = 0;
    try {
      const wanted = new Map([...this.#followers.values()].map(({ key, context }) => [key, context]));
      const Contexts = [...wanted.values()].slice(0, MOST_CONTEXTS);
      const places = Contexts.map(({ TemplateId: _, ...place }) => place);
      const headers = { "Content-Type": "application/json" };
      this.#token = await this.#tokens?.get(places, reason, reason === "renew" ? this.#token : undefined);
      if (this.#token) headers.Authorization = `Bearer ${this.#token}`;
      const body = JSON.stringify({ Contexts, LastEventId: this.#id, Language: this.#lang || undefined });
      const events = this.#seen ? "Events?Presence=true" : "Events";
      const address = new URL(`api/Vendor/ChecklistControl/${events}`, this.#base.replace(/\/*$/, "/"));
      const answer = await fetch(address, { method: "POST", headers, body, signal: open.signal });
      before?.abort();
      if (answer.ok) {
        this.#attempts = 0;
        this.#reading = true;
        this.#connected(true);
        await this.#read(answer.body, open);
      } else if (answer.status === 401 && reason === "call") {
        if (this.#open === open) this.#run("renew");
        return;
      } else {
        // A server that knows no streams, or a person who may not read, stays as it is.
        if (answer.status === 403 || answer.status === 404) return;
        wait = (Number(answer.headers.get("Retry-After")) || 30) * 1000;
      }
    } catch {
      // Not reached or broken off. Once is no reason to worry anybody.
      before?.abort();
      if (this.#open === open && this.#attempts) this.#connected(false);
    }
    if (this.#open !== open) return;
    this.#reading = false;
    const most = Math.min(500 * 2 ** this.#attempts++, LONGEST_WAIT);
    this.#start(Math.max(wait, (most / 2) * (1 + Math.random())));
  }

  async #read(body, open) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    const changes = {};
    let [text, name, data, alarm] = ["", "", ""];
    try {
      for (;;) {
        clearTimeout(alarm);
        alarm = setTimeout(() => open.abort(), SILENCE);
        const { value, done } = await reader.read();
        if (done || open.signal.aborted) return;
        const lines = (text + value).split("\n");
        text = lines.pop();
        for (const line of lines) {
          if (line.startsWith("event: ")) name = line.slice(7);
          else if (line.startsWith("data: ")) data = line.slice(6);
          else if (line.startsWith("id: ")) this.#id = line.slice(4);
          else if (data) {
            this.#heard(name, JSON.parse(data), changes);
            data = "";
          }
        }
      }
    } finally {
      clearTimeout(alarm);
    }
  }

  /** A change is whole with its `list`; what belongs to it came before. */
  #heard(name, data, changes) {
    if (name === "reauth") {
      this.#run("renew");
      return;
    }
    const key = keyOf(data.Context);
    const followers = [...this.#followers.values()].filter((follower) => follower.key === key);
    if (name === "presence") followers.forEach((follower) => follower.met(data));
    const change = (changes[key] ??= {});
    if (name === "items" || name === "removed") Object.assign(change, data);
    if (name === "reset") change.Reset = true;
    if (name !== "list") return;
    delete changes[key];
    const { Removed: _, Items: __, ...list } = data;
    followers.forEach((follower) => follower.heard({ ...change, ...list }));
  }
}

// ── 6 Attributes ───────────────────────────────────────────────────────────────────────────────

const STRINGS = {
  baseUrl: "base-url",
  objectType: "object-type",
  objectId: "object-id",
  purpose: "purpose",
  template: "template",
  type: "type",
  name: "name",
  autosave: "autosave",
  display: "display",
  tokenUrl: "token-url",
};
const BOOLEANS = {
  disableCheck: "disable-check",
  disableEdit: "disable-edit",
  logInJournal: "log-in-journal",
  hidePresence: "hide-presence",
  required: "required",
  disabled: "disabled",
  readonly: "readonly",
};

/** Gives a class properties that mirror its attributes. */
function reflect(target, strings, booleans) {
  for (const name of strings) {
    const attribute = STRINGS[name];
    Object.defineProperty(target.prototype, name, {
      configurable: true,
      enumerable: true,
      get() {
        return this.getAttribute(attribute) ?? "";
      },
      set(value) {
        if (value === null || value === undefined) this.removeAttribute(attribute);
        else if (this.getAttribute(attribute) !== String(value)) this.setAttribute(attribute, value);
      },
    });
  }
  for (const name of booleans) {
    const attribute = BOOLEANS[name];
    Object.defineProperty(target.prototype, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = this.getAttribute(attribute);
        // Templating engines write the word.
        return value !== null && value.toLowerCase() !== "false";
      },
      set(value) {
        const wanted = Boolean(value) && value !== "false";
        if (this[name] !== wanted || this.hasAttribute(attribute) !== wanted) this.toggleAttribute(attribute, wanted);
      },
    });
  }
}

/** Takes over what was set on the element before its class was known. */
function upgrade(element, names) {
  for (const name of names) {
    if (!Object.hasOwn(element, name)) continue;
    const value = element[name];
    delete element[name];
    element[name] = value;
  }
}

function baseOf(element) {
  return element.baseUrl ? resolve(element.baseUrl) : DEFAULT_BASE.href;
}

/** An address of the page made whole; what is none stays as it is and fails when it is called. */
function resolve(address) {
  return URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI).href : address;
}

function unchanged(before, after) {
  return before === after;
}

// ── 7 The control ──────────────────────────────────────────────────────────────────────────────

const CONTROL_STRINGS = ["baseUrl", "objectType", "objectId", "purpose", "template", "name", "autosave", "display", "tokenUrl"];
const CONTROL_BOOLEANS = Object.keys(BOOLEANS);
/** The platform itself looks at these, so an attribute that says "false" has to go. */
const OF_THE_PLATFORM = ["disabled", "readonly"];

const NOTHING = Object.freeze({
  state: "Unknown",
  completed: false,
  counts: Object.freeze({ Total: 0, Done: 0, NotApplicable: 0, Open: 0, RequiredOpen: 0 }),
  blockers: Object.freeze([]),
  revision: 0,
  pending: 0,
  offline: false,
  error: false,
  readonly: false,
  draft: false,
  stillOpen: "",
});

const warned = new Set();

/** Two lists that mean the same one by accident: the person would see every tick twice. */
function warnOfTwins(element) {
  if (element.purpose || !element.objectId) return;
  const place = (other) => JSON.stringify([baseOf(other), other.objectType, other.objectId]);
  const key = place(element);
  const twins = [...controls].filter((other) => !other.purpose && place(other) === key);
  if (twins.length < 2 || warned.has(key)) return;
  warned.add(key);
  console.warn(`Two <checklist-control> without a purpose show the list of ${element.objectType} ${element.objectId}. Give each a purpose.`, ...twins);
}

const controls = new Set();

/** Where something that has the focus is found again in a view of the same list. */
function placeOf(element) {
  if (!element) return undefined;
  const row = element.closest("[data-id]")?.dataset.id;
  const own = [element.localName, ...element.classList].join(".");
  return row ? `[data-id="${row}"] ${own}` : own;
}

/**
 * A checklist in a form.
 *
 * @tagname checklist-control
 *
 * @attr {string} base-url - Where the web services live, without `/api/…`. Default: the server that this script came from; the page's own origin if it came from the npm package.
 * @attr {string} object-type - The platform type, for example `incident`.
 * @attr {string} object-id - The id of the object. Without it the control is a draft: nothing is sent until it is set.
 * @attr {string} purpose - Which list of the object; to be set when a page shows several.
 * @attr {string} template - The id of the template (fragment); else the type decides.
 * @attr {boolean} disable-check - No item can be checked, no checkbox is rendered.
 * @attr {boolean} disable-edit - No adding, editing, deleting, moving.
 * @attr {boolean} log-in-journal - Item changes are logged in the journal.
 * @attr {boolean} hide-presence - Does not show who else is on the list, nor others that this person is.
 * @attr {string} lang - The language; else that of the page around it.
 * @attr {string} name - The name of the value in the form.
 * @attr {boolean} required - The form is not valid until the list is completed.
 * @attr {boolean} disabled - Unchangeable, and not part of the form's data.
 * @attr {boolean} readonly - Unchangeable, but focusable and readable.
 * @attr {"off"} autosave - With `off` nothing is sent before `flush()` or the form's submit, which waits for it.
 * @attr {"compact"} display - With `compact` one line says how far the list is, and opens it in place.
 * @attr {string} token-url - Address that answers `POST {Contexts}` with `{Token, ExpiresAt}`.
 *
 * @prop {(request: {contexts: object[], reason: "call" | "renew"}) => Promise<{token: string, expiresAt: Date | number | string}>} tokenProvider - Gives a token for the contexts; asked once for a page.
 * @prop {Record<string, string>} messages - Words of the host's own in place of the control's, by the name of the text; values stand in braces, plural forms between `|`. The names are those of the language files.
 *
 * @fires {CustomEvent<{completed: boolean}>} completed-changed - `completed` has another value.
 * @fires {CustomEvent<{what: string, itemId: string | null, before: string | null, after: string | null}>} checklist-change - A person has changed something.
 * @fires {CustomEvent<{code: string, status: number, message: string, itemId: string | null}>} checklist-error - Something went wrong.
 * @fires {CustomEvent<{itemId: string | null}>} before-checklist-check - Cancelable: a status is about to be set.
 * @fires {CustomEvent<{itemId: string | null}>} before-checklist-edit - Cancelable: something is about to be added, edited or moved.
 * @fires {CustomEvent<{itemId: string | null}>} before-checklist-delete - Cancelable: an item is about to be deleted.
 * @fires {CustomEvent<{itemId: string | null}>} before-checklist-refresh - Cancelable: the template's changes are about to be taken over.
 * @fires {Event} input - A person has changed something.
 * @fires {Event} change - A person has changed something.
 *
 * @slot label - The title; else the template's name.
 * @slot description - Text under the title.
 * @slot empty - What is said when there are no items.
 * @slot - Fallback, shown while and when the control cannot be loaded.
 *
 * @csspart compact - The line of a control with `display="compact"`.
 * @csspart card - The list as a whole.
 * @csspart header - The head of the card.
 * @csspart title - The title.
 * @csspart people - Who else is on the list.
 * @csspart count - How much is done, in words.
 * @csspart progress - The bar's track.
 * @csspart progress-bar - The bar.
 * @csspart strip - What is to be known of the list: its template has changed, it is locked.
 * @csspart review - What taking over the template's changes would do.
 * @csspart messages - What the person is told about the list.
 * @csspart notice - One such message, or one at a row.
 * @csspart section - A section with its rows.
 * @csspart section-title - The heading of a section.
 * @csspart list - The rows of a section.
 * @csspart row - One row.
 * @csspart checkbox - The box of a row.
 * @csspart mark - The sign in its place where there are no boxes.
 * @csspart text - The text of a row.
 * @csspart meta - The line under it.
 * @csspart required - "Required", in that line.
 * @csspart assignee - Who should do it.
 * @csspart due - Until when.
 * @csspart by - Who has done it, and when.
 * @csspart note - The note.
 * @csspart help - The help, when it is open.
 * @csspart just - What somebody else has just done to a row.
 * @csspart actions - The buttons of a row.
 * @csspart editor - A form in a row.
 * @csspart menu - The menu of a row.
 * @csspart add - The row that adds.
 * @csspart footer - The foot of the card.
 * @csspart gate - What is still open, in words.
 * @csspart empty - What is said when there are no items.
 * @csspart failure - Why there is no list.
 *
 * @cssprop --checklist-accent - Done, links, the focus.
 * @cssprop --checklist-accent-strong - The accent under the pointer.
 * @cssprop --checklist-accent-ink - Text on the accent.
 * @cssprop --checklist-accent-soft - The accent as a ground.
 * @cssprop --checklist-ink - Text.
 * @cssprop --checklist-ink-quiet - Text that steps back.
 * @cssprop --checklist-ink-faint - Text that steps back further.
 * @cssprop --checklist-surface - The ground of the card.
 * @cssprop --checklist-surface-hover - The ground of a row under the pointer.
 * @cssprop --checklist-surface-sunken - The ground of what lies deeper.
 * @cssprop --checklist-line - Hairlines.
 * @cssprop --checklist-line-strong - The outlines of boxes and fields.
 * @cssprop --checklist-warn - Text that asks for attention.
 * @cssprop --checklist-warn-soft - Its ground.
 * @cssprop --checklist-warn-line - Its outline.
 * @cssprop --checklist-danger - Late, refused.
 * @cssprop --checklist-danger-soft - Its ground.
 * @cssprop --checklist-danger-line - Its outline.
 * @cssprop --checklist-focus - The focus ring.
 * @cssprop --checklist-font - The typeface.
 * @cssprop --checklist-font-size - The size of the text, 15 px.
 * @cssprop --checklist-radius - The corners of the card, 10 px.
 * @cssprop --checklist-row - The least height of a row, 44 px.
 * @cssprop --checklist-inset - The distance to the card's edge, 18 px.
 *
 * @cssstate completed - Everything is resolved.
 * @cssstate pending - Something is not confirmed by the server yet.
 * @cssstate error - The list could not be loaded.
 * @cssstate offline - The server cannot be reached.
 * @cssstate readonly - Nothing can be changed.
 * @cssstate user-invalid - The form was refused because of this control.
 */
export class ChecklistControl extends HTMLElement {
  static formAssociated = true;

  static get observedAttributes() {
    return ["lang", ...CONTROL_STRINGS.map((name) => STRINGS[name]), ...CONTROL_BOOLEANS.map((name) => BOOLEANS[name])];
  }

  #internals = this.attachInternals();
  #snapshot = NOTHING;
  #anchor = document.createElement("span");
  #tokenProvider;
  #messages;
  #lastToken;
  #form = null;
  #formDisabled = false;
  #flushed = false;
  #complained = false;
  #explained;
  /** What was done in a draft: a history gives it back, and so does the view that comes after this one. */
  #kept = "";
  #mount;

  constructor() {
    super();
    this.#anchor.className = "anchor";
    this.#anchor.tabIndex = -1;
    this.#mount = new Mount(
      this,
      this.#internals,
      (glue, root) => {
        const before = [...root.childNodes];
        const list = this.#drawn(root);
        const focused = list && placeOf(root.activeElement);
        // What was not drawn from this list goes at once.
        if (!list) before.splice(0).forEach((node) => node.remove());
        root.prepend(this.#anchor);
        const handle = (this.#mount.handle = glue.mount_control(this.#port(), root));
        handle.bring_back(this.#kept);
        // Only now: whoever is told of something asks back.
        handle.begin(list);
        // The view is drawn in a microtask; nothing is painted before both are through.
        queueMicrotask(() => {
          before.forEach((node) => node === this.#anchor || node.remove());
          if (focused) root.querySelector(focused)?.focus({ preventScroll: true });
        });
        return handle;
      },
      (code, error) => {
        this.#changed({ ...this.#snapshot, state: "Unknown", completed: false, error: true });
        this.#say("checklist-error", { code, status: 0, message: error.message, itemId: null });
      },
    );
    this.addEventListener("invalid", () => {
      // Only now is it certain what is on the screen to point at; far down it may not be drawn yet.
      this.#complained = true;
      this.#mount.call("reach_first_open");
      this.#validate();
    });
    this.addEventListener("click", (event) => this.#labelClicked(event));
    this.#store();
    this.#validate();
  }

  // What the page may read.

  /** The type, as native controls have one. @readonly @type {"checklist-control"} */
  get type() {
    return this.localName;
  }

  /** The submitted value: JSON `{Completed, State, Revision}`. @readonly @type {string} */
  get value() {
    const { completed, state, revision } = this.#snapshot;
    return JSON.stringify({ Completed: completed, State: state, Revision: revision });
  }

  /** Whether everything is resolved; false while loading, on error and without items. @readonly @type {boolean} */
  get completed() {
    return this.#snapshot.completed;
  }

  /** @readonly @type {"Unknown" | "Empty" | "Open" | "Complete"} */
  get state() {
    return this.#snapshot.state;
  }

  /** How many items there are of each status. @readonly @type {{Total: number, Done: number, NotApplicable: number, Open: number, RequiredOpen: number}} */
  get counts() {
    return { ...this.#snapshot.counts };
  }

  /** What keeps the list from being complete, the first 20. @readonly @type {{Id: string, Text: string}[]} */
  get blockers() {
    return this.#snapshot.blockers.map((blocker) => ({ ...blocker }));
  }

  /** The items on the screen, in order. @readonly @type {object[]} */
  get items() {
    return this.#mount.call("items") ?? [];
  }

  /** Operations that the server has not confirmed yet. @readonly @type {number} */
  get pendingCount() {
    return this.#snapshot.pending;
  }

  get tokenProvider() {
    return this.#tokenProvider;
  }

  set tokenProvider(provider) {
    this.#tokenProvider = typeof provider === "function" ? provider : undefined;
    this.#announceContext();
    if (this.#snapshot !== NOTHING) this.#follow();
  }

  get messages() {
    return this.#messages;
  }

  set messages(messages) {
    this.#messages = messages ?? undefined;
    this.#mount.configure();
  }

  /** @readonly @type {HTMLFormElement | null} */
  get form() {
    return this.#internals.form;
  }

  /** @readonly @type {NodeList} */
  get labels() {
    return this.#internals.labels;
  }

  /** @readonly @type {boolean} */
  get willValidate() {
    return this.#internals.willValidate;
  }

  /** @readonly @type {ValidityState} */
  get validity() {
    return this.#internals.validity;
  }

  /** @readonly @type {string} */
  get validationMessage() {
    return this.#internals.validationMessage;
  }

  checkValidity() {
    return this.#internals.checkValidity();
  }

  reportValidity() {
    return this.#internals.reportValidity();
  }

  // What the page may ask for.

  /** Sends what waits. Rejects when something could not be stored. @returns {Promise<void>} */
  async flush() {
    await this.#ready();
    await this.#mount.call("flush");
  }

  /** Reads the list again. @returns {Promise<void>} */
  async refresh() {
    await this.#ready();
    await this.#mount.call("refresh");
  }

  /** Takes the person's last operation back. */
  undo() {
    this.#mount.call("undo");
  }

  /** Focuses the first open item. */
  focus(options) {
    const box = this.#firstOpen();
    if (box) box.focus(options);
    else if (this.#mount.handle) this.#mount.call("focus_first_open");
    else this.#placedAnchor().focus(options);
  }

  // What the platform says.

  connectedCallback() {
    upgrade(this, [...CONTROL_STRINGS, ...CONTROL_BOOLEANS, "tokenProvider", "messages"]);
    controls.add(this);
    this.#announceContext();
    warnOfTwins(this);
    this.#mount.connect();
  }

  disconnectedCallback() {
    controls.delete(this);
    this.#mount.disconnect();
    queueMicrotask(() => this.#follow());
  }

  /** Moving inside the document changes nothing. */
  connectedMoveCallback() {}

  adoptedCallback() {
    this.#mount.style();
  }

  attributeChangedCallback(attribute, before, after) {
    if (unchanged(before, after)) return;
    if (OF_THE_PLATFORM.includes(attribute) && after?.toLowerCase() === "false") {
      this.removeAttribute(attribute);
      return;
    }
    if (attribute === "required") this.#validate();
    if (attribute === "hide-presence") {
      this.#mount.handle?.met({});
      this.#follow();
    }
    if (this.isConnected) {
      this.#announceContext();
      queueMicrotask(() => warnOfTwins(this));
    }
    this.#mount.configure();
  }

  formAssociatedCallback(form) {
    this.#form?.removeEventListener("submit", this.#submitted, true);
    form?.addEventListener("submit", this.#submitted, true);
    this.#form = form;
  }

  formDisabledCallback(disabled) {
    this.#formDisabled = disabled;
    this.#mount.configure();
  }

  formResetCallback() {
    this.#complained = false;
    this.#kept = "";
    this.#mount.call("reset");
    this.#validate();
  }

  /** History gives back how the list stood, which counts until it has been read, and what was done in a draft. */
  formStateRestoreCallback(value) {
    try {
      const { Completed, State, Revision, Kept } = JSON.parse(value);
      if (Kept) {
        this.#kept = Kept;
        this.#mount.handle?.bring_back(Kept);
      }
      if (this.#snapshot !== NOTHING) return;
      this.#snapshot = { ...NOTHING, completed: Completed === true, state: State, revision: Revision };
      this.#store();
      this.#validate();
    } catch {
      // Not ours; the list will be read anyway.
    }
  }

  // Inside.

  #ready() {
    return this.isConnected ? this.#mount.connect() : Promise.resolve();
  }

  get #context() {
    return { ObjectType: this.objectType, ObjectId: this.objectId, Purpose: this.purpose };
  }

  /** The list that a server has drawn here, if it is the one that the element means. */
  #drawn(root) {
    const { value, lang } = root.querySelector("data") ?? {};
    if (!value || lang !== languageOf(this)) return undefined;
    const list = JSON.parse(value);
    const same = keyOf(list.Context) === keyOf(this.#context) && (list.Context.TemplateId ?? "") === this.template;
    return same ? list : undefined;
  }

  #announceContext() {
    if (this.isConnected && this.objectId) Tokens.of(this)?.want(this.#context);
  }

  /** What the WASM sees of this element. */
  #port() {
    return {
      settings: () => ({
        baseUrl: baseOf(this),
        objectType: this.objectType,
        objectId: this.objectId,
        purpose: this.purpose,
        template: this.template,
        lang: languageOf(this),
        words: this.#mount.words,
        disableCheck: this.disableCheck,
        disableEdit: this.disableEdit,
        logInJournal: this.logInJournal,
        autosaveOff: this.autosave.toLowerCase() === "off",
        required: this.required,
        disabled: this.#formDisabled,
        readonly: this.readonly,
        compact: this.display.toLowerCase() === "compact",
      }),
      before: (what, itemId = null) => this.#say(`before-checklist-${what}`, { itemId }, true),
      changed: (snapshot) => this.#changed(snapshot),
      completedChanged: (completed) => this.#say("completed-changed", { completed }),
      userChange: (detail) => {
        this.#say("checklist-change", detail);
        this.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
        this.dispatchEvent(new Event("change", { bubbles: true }));
      },
      error: (detail) => this.#say("checklist-error", detail),
      token: (contexts, reason) => this.#token(contexts, reason),
    };
  }

  async #token(contexts, reason) {
    const tokens = Tokens.of(this);
    // Without a provider the page's own session has to do.
    if (!tokens) return "";
    this.#lastToken = await tokens.get(contexts, reason, reason === "renew" ? this.#lastToken : undefined);
    return this.#lastToken;
  }

  #say(type, detail, cancelable = false) {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable }));
  }

  /** Follows the list as long as there is one on the screen. */
  #follow() {
    const shown = this.isConnected && this.objectId && this.#snapshot.state !== "Unknown";
    const context = shown ? { ...this.#context, TemplateId: this.template || undefined } : undefined;
    Live.follow(this, context, {
      heard: (change) => this.#mount.handle?.heard(change),
      met: (people) => this.#mount.handle?.met(people),
      connected: (connected) => this.#mount.handle?.connected(connected),
    });
  }

  #changed(snapshot) {
    this.#snapshot = snapshot;
    this.#follow();
    this.#store();
    this.#validate();
  }

  #store() {
    const { value } = this;
    this.#kept = this.#mount.call("kept") ?? this.#kept;
    const state = this.#kept ? JSON.stringify({ ...JSON.parse(value), Kept: this.#kept }) : value;
    this.#internals.setFormValue(value, state);
    for (const state of ["completed", "error", "offline", "readonly"]) this.#setState(state, this.#snapshot[state]);
    this.#setState("pending", this.#snapshot.pending > 0);
  }

  #validate() {
    const missing = this.required && !this.completed;
    const first = missing ? this.#firstOpen() : undefined;
    if (missing) {
      const message = this.#snapshot.stillOpen || wordsOf(this).incomplete;
      this.#internals.setValidity({ valueMissing: true }, message, first ?? this.#mount.root.querySelector(".compact") ?? this.#placedAnchor());
    } else {
      this.#internals.setValidity({});
    }
    const refused = missing && this.#complained;
    this.#setState("user-invalid", refused);
    this.#explain(refused ? first : undefined);
  }

  /** Has the sentence of what is open read out at the item that stands in the way, and no longer at the last one. */
  #explain(item) {
    const gate = this.#mount.root.querySelector("[part=gate]")?.id;
    const describe = (element, on) => {
      const ids = new Set(element.getAttribute("aria-describedby")?.split(" "));
      if (on) ids.add(gate);
      else ids.delete(this.#explained.gate);
      element.setAttribute("aria-describedby", [...ids].join(" "));
      // A row without a box is no field, so it cannot be wrong.
      if (element.localName !== "input") return;
      for (const [name, value] of [["aria-invalid", "true"], ["aria-errormessage", gate]]) {
        if (on) element.setAttribute(name, value);
        else element.removeAttribute(name);
      }
    };
    const before = this.#explained;
    if (before && before.item !== item) {
      describe(before.item, false);
      this.#explained = undefined;
    }
    if (!item || !gate) return;
    this.#explained = { item, gate };
    describe(item, true);
  }

  #setState(state, on) {
    const { states } = this.#internals;
    // What changes about the host has the browser look at what is inside.
    if (states.has(state) === !!on) return;
    if (on) states.add(state);
    else states.delete(state);
  }

  /** The box of the first open item; where there are no boxes its row, which can be focused then. */
  #firstOpen() {
    const id = this.#snapshot.blockers[0]?.Id;
    const row = id && this.#mount.root.querySelector(`[data-id="${id}"]`);
    if (!row) return undefined;
    const box = row.querySelector(".box");
    if (box) return box.disabled ? undefined : box;
    row.tabIndex = -1;
    return row;
  }

  /** The element that a message points at while no item can be pointed at. */
  #placedAnchor() {
    if (!this.#anchor.isConnected && this.#anchor.getRootNode() !== this.#mount.root) this.#mount.root.prepend(this.#anchor);
    return this.#anchor;
  }

  /** A click on a label outside arrives at the element itself, and outside of its box. */
  #labelClicked(event) {
    if (event.composedPath()[0] !== this) return;
    const box = this.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) return;
    this.focus();
  }

  /** In form mode the submit waits until everything is stored, then happens once. */
  #submitted = async (event) => {
    if (this.#flushed || this.autosave.toLowerCase() !== "off" || !this.pendingCount || this.#snapshot.draft) return;
    const { target: form, submitter } = event;
    event.preventDefault();
    event.stopImmediatePropagation();
    try {
      await this.flush();
    } catch {
      return; // the control shows and tells what went wrong
    }
    if (this.pendingCount) return;
    this.#flushed = true;
    try {
      form.requestSubmit(submitter?.form === form ? submitter : null);
    } finally {
      this.#flushed = false;
    }
  };
}

// ── 8 The preview ──────────────────────────────────────────────────────────────────────────────

const PREVIEW_STRINGS = ["baseUrl", "template", "type", "purpose", "tokenUrl"];

/**
 * A template as it will look, without a list behind it. Never writes.
 *
 * @tagname checklist-preview
 *
 * @attr {string} base-url - Where the web services live, without `/api/…`. Default: the server that this script came from; the page's own origin if it came from the npm package.
 * @attr {string} template - The id of the template (fragment).
 * @attr {string} type - The platform type whose template is shown when `template` is not set.
 * @attr {string} purpose - Which of the type's templates.
 * @attr {string} lang - The language; else that of the page around it.
 * @attr {string} token-url - Address that answers `POST {Contexts}` with `{Token, ExpiresAt}`.
 *
 * @prop {(request: {contexts: object[], reason: "call" | "renew"}) => Promise<{token: string, expiresAt: Date | number | string}>} tokenProvider - As of `<checklist-control>`.
 * @prop {Record<string, string>} messages - As of `<checklist-control>`.
 *
 * @fires {CustomEvent<{code: string, status: number, message: string, itemId: null}>} checklist-error - The template could not be shown.
 *
 * @slot - Fallback, shown while and when the preview cannot be loaded.
 *
 * @csspart card - The template as a whole.
 * @csspart header - The head of the card.
 * @csspart title - The title.
 * @csspart count - How many items there are.
 * @csspart description - What the template is for.
 * @csspart section - A section with its rows.
 * @csspart section-title - The heading of a section.
 * @csspart list - The rows of a section.
 * @csspart row - One row.
 * @csspart text - The text of a row.
 * @csspart meta - The line under it.
 * @csspart required - "Required", in that line.
 * @csspart assignee - The role that should do it.
 * @csspart due - After which time it is due.
 * @csspart help - The help.
 * @csspart empty - What is said when there are no items.
 * @csspart failure - Why there is no preview.
 */
export class ChecklistPreview extends HTMLElement {
  static get observedAttributes() {
    return ["lang", ...PREVIEW_STRINGS.map((name) => STRINGS[name])];
  }

  #internals = this.attachInternals();
  #tokenProvider;
  #messages;
  #lastToken;
  #mount;

  constructor() {
    super();
    this.#mount = new Mount(
      this,
      this.#internals,
      (glue, root) => {
        // What the server has drawn stays until there is something to put in its place.
        const drawn = [...root.childNodes];
        const shown = () => drawn.splice(0).forEach((node) => node.remove());
        return glue.mount_preview(this.#port(shown), root, drawn.some((node) => node.localName !== "slot"));
      },
      (code, error) => this.#failed({ code, status: 0, message: error.message, itemId: null }),
    );
  }

  get tokenProvider() {
    return this.#tokenProvider;
  }

  set tokenProvider(provider) {
    this.#tokenProvider = typeof provider === "function" ? provider : undefined;
  }

  get messages() {
    return this.#messages;
  }

  set messages(messages) {
    this.#messages = messages ?? undefined;
    this.#mount.configure();
  }

  connectedCallback() {
    upgrade(this, [...PREVIEW_STRINGS, "tokenProvider", "messages"]);
    this.#mount.connect();
  }

  disconnectedCallback() {
    this.#mount.disconnect();
  }

  connectedMoveCallback() {}

  adoptedCallback() {
    this.#mount.style();
  }

  attributeChangedCallback(_attribute, before, after) {
    if (!unchanged(before, after)) this.#mount.configure();
  }

  #port(shown) {
    return {
      settings: () => ({
        baseUrl: baseOf(this),
        template: this.template,
        objectType: this.type,
        purpose: this.purpose,
        lang: languageOf(this),
        words: this.#mount.words,
      }),
      shown,
      error: (detail) => this.#failed(detail),
      token: async (_contexts, reason) => {
        const tokens = Tokens.of(this);
        if (!tokens) return "";
        this.#lastToken = await tokens.get([], reason, reason === "renew" ? this.#lastToken : undefined);
        return this.#lastToken;
      },
    };
  }

  #failed(detail) {
    this.dispatchEvent(new CustomEvent("checklist-error", { detail, bubbles: true, composed: true }));
  }
}

// ── Definition ─────────────────────────────────────────────────────────────────────────────────

reflect(ChecklistControl, CONTROL_STRINGS, CONTROL_BOOLEANS);
reflect(ChecklistPreview, PREVIEW_STRINGS, []);

for (const [name, element] of [
  ["checklist-control", ChecklistControl],
  ["checklist-preview", ChecklistPreview],
]) {
  if (customElements.get(name)) console.warn(`<${name}> is defined already; this second definition is ignored.`);
  else customElements.define(name, element);
}
