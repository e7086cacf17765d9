/**
 * The stream of changes: one for all controls of a page, opened again whenever it is lost,
 * and closed while nobody looks.
 */

import { baseOf } from "./addresses.js";
import { languageOf } from "./languages.js";
import { keyOf, MOST_CONTEXTS, Tokens } from "./tokens.js";

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
export class Live {
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
