/**
 * The stream of changes: one for all controls of a page and all tabs that show it, opened again
 * whenever it is lost, and closed while nobody looks.
 */

import { baseOf } from "./addresses.js";
import { languageOf } from "./languages.js";
import { isRefusal, keyOf, MOST_CONTEXTS, tokenEvents, Tokens } from "./tokens.js";
import { Turn } from "./turn.js";

/** After so much silence a stream is taken for lost; the server speaks every 15 seconds. */
const SILENCE = 40_000;
/** The longest time between two attempts to open a stream. */
const LONGEST_WAIT = 10_000;
/** The same while the page gives no token: its server has said so, and writes each question down. */
const LONGEST_WAIT_FOR_TOKEN = 120_000;
/** How long a page that nobody looks at keeps its stream. */
const UNSEEN = 5_000;
/** The most streams of a page to one server: writes need connections, too. */
const MOST_STREAMS = 2;
/** How often a list is read that no stream covers. */
const READ_EVERY = 15_000;

/**
 * The one stream of changes for all controls that share address, language and person, and whether
 * the person is seen by others.
 * Knows nothing of lists but where they belong: a change is handed to the WASM as it came.
 */
export class Live {
  static #streams = new Map();
  static #ofControl = new Map();
  #place;
  #base;
  #lang;
  #seen;
  #followers = new Map();
  /** Which tab holds the stream; undefined while nobody looks. */
  #turn;
  #open;
  #reading = false;
  #timer;
  #attempts = 0;
  #id;
  #token;
  #changes = {};
  /** The lists that the stream covers, by key; undefined while that is not known. */
  #covered;

  static {
    const all = (act) => () => Live.#streams.forEach(act);
    const resume = all((stream) => stream.#start(0));
    addEventListener("online", resume);
    addEventListener("pageshow", resume);
    tokenEvents.addEventListener("given", resume);
    addEventListener("offline", all((stream) => stream.#end(true)));
    addEventListener("pagehide", all((stream) => stream.#rest()));
    document.addEventListener("visibilitychange", all((stream) => stream.#start(document.hidden ? UNSEEN : 0)));
    setInterval(all((stream) => stream.#readUncovered()), READ_EVERY);
  }

  /** Follows the list of a control, where there is one; `told.heard`, `told.met`, `told.connected` and `told.stale` are called. */
  static async follow(control, context, told) {
    const tokens = Tokens.of(control);
    const [base, lang] = [baseOf(control), languageOf(control)];
    const seen = !control.hidePresence;
    const key = context && JSON.stringify([base, lang, seen, tokens?.number, context]);
    const before = Live.#ofControl.get(control);
    if (before?.key === key) return;
    Live.#ofControl.delete(control);
    before?.stream?.#leave(control);
    if (!key) return;
    const following = { key };
    Live.#ofControl.set(control, following);
    const { TemplateId: _, ...list } = context;
    // Whose list it is decides which stream it shares. One that gives no token now is asked again there.
    await tokens?.get([list], "call").catch(() => {});
    if (Live.#ofControl.get(control) !== following) return;
    const place = JSON.stringify([base, lang, seen, tokens?.principal]);
    const stream = (following.stream = Live.#streams.get(place) ?? new Live(place, base, lang, seen));
    Live.#streams.set(place, stream);
    stream.#followers.set(control, { key: keyOf(context), context, list, tokens, ...told });
    // All that begin in the same moment begin together.
    stream.#start(20, true);
  }

  constructor(place, base, lang, seen) {
    this.#place = place;
    this.#base = base;
    this.#lang = lang;
    this.#seen = seen;
  }

  #leave(control) {
    this.#followers.delete(control);
    if (this.#followers.size) return;
    Live.#streams.delete(this.#place);
    this.#rest();
  }

  #end(told) {
    clearTimeout(this.#timer);
    this.#open?.abort();
    this.#open = undefined;
    this.#reading = false;
    if (told) this.#connected(false);
  }

  /** Nobody looks: another tab may hold the stream. */
  #rest() {
    this.#end(false);
    this.#turn?.end();
    this.#turn = undefined;
    this.#covered = undefined;
  }

  /** Opens the stream after a while, unless it is open; `anew` also then. */
  #start(wait, anew = false) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (document.hidden || !this.#followers.size) this.#rest();
      else if (!this.#turn) this.#turn = this.#takeTurn();
      else if (!this.#turn.holds) this.#turn.want(this.#contexts());
      else if (anew || !this.#open || !this.#reading) this.#run("call");
    }, wait);
  }

  #takeTurn() {
    return new Turn(`checklist-control ${this.#place}`, () => this.#contexts(), {
      begin: () => this.#start(20, true),
      // One that has just come needs to know how its lists stand now.
      changed: (anew) => (anew ? this.#start(20, true) : this.#tellCovered()),
      heard: ({ name, data, id, connected, covered, refused }) => {
        this.#id = id ?? this.#id;
        if (name) this.#heard(name, data);
        else this.#connected(connected, covered, refused);
      },
    });
  }

  /** What the controls of this page follow, each list once. */
  #contexts() {
    return [...new Map([...this.#followers.values()].map(({ key, context }) => [key, context])).values()];
  }

  /** `refused`: because the page gives no token. */
  #connected(connected, covered, refused = false) {
    this.#changes = {};
    this.#covered = covered && new Set(covered);
    this.#followers.forEach((follower) => follower.connected(connected, refused));
    this.#tellCovered(connected, refused);
  }

  #tellCovered(connected = this.#reading, refused = false) {
    this.#turn?.relay({ connected, refused, covered: this.#covered && [...this.#covered] });
  }

  /** What no stream covers is read from time to time. */
  #readUncovered() {
    if (document.hidden || !this.#covered) return;
    this.#followers.forEach(({ key, stale }) => this.#covered.has(key) || stale());
  }

  /** Opens a stream, and lets the one before go only then. */
  async #run(reason) {
    const before = this.#open;
    const open = (this.#open = new AbortController());
    let wait = 0;
    let refused = false;
    try {
      if (!before && [...Live.#streams.values()].filter((one) => one.#base === this.#base && one.#reading).length >= MOST_STREAMS) {
        this.#open = undefined;
        this.#connected(true, []);
        this.#start(READ_EVERY);
        return;
      }
      const wanted = new Map(this.#turn.all(this.#contexts()).map((context) => [keyOf(context), context]));
      const tokens = await this.#tokenFor([...wanted.values()], reason).catch((error) => {
        refused = isRefusal(error);
        throw error;
      });
      const Contexts = [...wanted.values()].filter((context) => !tokens || tokens.covers(context)).slice(0, MOST_CONTEXTS);
      const headers = { "Content-Type": "application/json" };
      if (this.#token) headers.Authorization = `Bearer ${this.#token}`;
      const body = JSON.stringify({ Contexts, LastEventId: this.#id, Language: this.#lang || undefined });
      const events = this.#seen ? "Events?Presence=true" : "Events";
      const address = new URL(`api/Vendor/ChecklistControl/${events}`, this.#base.replace(/\/*$/, "/"));
      const answer = await fetch(address, { method: "POST", headers, body, signal: open.signal });
      before?.abort();
      if (answer.ok) {
        this.#attempts = 0;
        this.#reading = true;
        this.#connected(true, Contexts.map(keyOf));
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
      if (this.#open === open && this.#attempts) this.#connected(false, undefined, refused);
    }
    if (this.#open !== open) return;
    this.#reading = false;
    const most = Math.min(500 * 2 ** this.#attempts++, refused ? LONGEST_WAIT_FOR_TOKEN : LONGEST_WAIT);
    this.#start(Math.max(wait, (most / 2) * (1 + Math.random())));
  }

  /** Has `#token` cover the lists, by whichever provider of the page does; gives its holder. */
  async #tokenFor(contexts, reason) {
    const lists = contexts.slice(0, MOST_CONTEXTS).map(({ TemplateId: _, ...list }) => list);
    const holders = [...new Set([...this.#followers.values()].map(({ tokens }) => tokens))];
    const holder = holders.find((one) => lists.every((list) => one?.covers(list))) ?? holders[0];
    const refused = reason === "renew" ? this.#token : undefined;
    const own = [...this.#followers.values()].filter(({ tokens }) => tokens === holder).map(({ list }) => list);
    // A provider may know nothing of the lists of others.
    this.#token = await holder?.get(lists, reason, refused).catch((error) => {
      if (own.length >= lists.length) throw error;
      return holder.get(own, reason, refused);
    });
    return holder;
  }

  async #read(body, open) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
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
            const told = JSON.parse(data);
            data = "";
            if (name === "reauth") {
              this.#run("renew");
              continue;
            }
            this.#turn?.relay({ name, data: told, id: this.#id });
            this.#heard(name, told);
          }
        }
      }
    } finally {
      clearTimeout(alarm);
    }
  }

  /** A change is whole with its `list`; what belongs to it came before. */
  #heard(name, data) {
    const key = keyOf(data.Context);
    const followers = [...this.#followers.values()].filter((follower) => follower.key === key);
    if (name === "presence") followers.forEach((follower) => follower.met(data));
    const change = (this.#changes[key] ??= {});
    if (name === "items" || name === "removed") Object.assign(change, data);
    if (name === "reset") change.Reset = true;
    if (name !== "list") return;
    delete this.#changes[key];
    const { Removed: _, Items: __, ...list } = data;
    followers.forEach((follower) => follower.heard({ Removed: [], ...change, ...list }));
  }
}
