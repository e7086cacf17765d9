/**
 * The life of a view: mounted when its element is connected, kept while that is moved, freed when
 * it is gone, and replaced by words and a button when there is none.
 */

import { advise } from "./advice.js";
import { hasStopped, load, mounts } from "./instance.js";
import { fetchTable, languageOf, numberOf, wordsOf } from "./languages.js";
import { Room } from "./room.js";
import { sheetOf } from "./styles.js";

/** Mounts the WASM's view into an element's shadow root for as long as the element is connected. */
export class Mount {
  /** What the WASM gave back; undefined before and after. */
  handle;
  root;
  room;
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
   * @param {() => string[]} names what distinguishes what is shown: its id first, then its kind
   */
  constructor(element, internals, start, failed, names) {
    this.#element = element;
    this.#start = start;
    this.#failed = failed;
    this.root = internals.shadowRoot;
    if (!this.root) {
      this.root = element.attachShadow({ mode: "open", delegatesFocus: false });
      // Until there is a view, and when there never will be, what the page put inside is shown.
      this.root.append(document.createElement("slot"));
    }
    this.room = new Room(this.root, names);
    this.style();
    for (const type of ["input", "change"]) {
      this.root.addEventListener(type, (event) => event.stopPropagation());
    }
  }

  style() {
    const { ownerDocument } = this.#element;
    // Frameworks move elements through documents of templates, which have no window and no styles.
    if (ownerDocument.defaultView) this.room.style(sheetOf(ownerDocument).sheet);
  }

  /** Resolves when there is a view, at once if there is one already. */
  connect() {
    // In a document without a window nothing is seen; it is connected again when it leaves there.
    if (!this.#element.ownerDocument.defaultView) return Promise.resolve();
    mounts.add(this);
    if (!this.handle && this.root.querySelector("data") === null) this.room.hold();
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

  /** Calls the view, if there is one. */
  call(method) {
    return this.handle?.[method]();
  }

  async #mount() {
    try {
      const [glue] = await Promise.all([load(), sheetOf(this.#element.ownerDocument).ready, fetchTable(this.#element)]);
      // The page may have set its own texts, or another language, since.
      await fetchTable(this.#element);
      if (!this.#element.isConnected || this.handle) return;
      this.#glue = glue;
      this.handle = this.#start(glue, this.root);
    } catch (error) {
      if (hasStopped(error)) return;
      const refused = error instanceof WebAssembly.CompileError || /unsafe-eval/.test(error?.message);
      if (refused) advise("policy", "The page's policy does not allow WebAssembly: script-src needs 'wasm-unsafe-eval'.");
      else advise("files", `A file of the control could not be loaded: ${error?.message}.`);
      await fetchTable(this.#element); // what went wrong is told in the words of the page
      if (this.#element.isConnected) this.fail("failed", error);
    }
  }

  /** Shows that there is no view, keeps what the page put inside and offers to load again. */
  fail(why, error) {
    this.handle = undefined;
    this.room.give();
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
