/**
 * `<checklist-worklist>`: its attributes, properties and events, and the life of its view. What is
 * drawn and decided lives in the WASM.
 */

import { baseOf } from "./addresses.js";
import { attributesOf, reflect, settingsOf, unchanged, upgrade } from "./attributes.js";
import { WORKLIST } from "./descriptors.js";
import { say } from "./events.js";
import { languageOf } from "./languages.js";
import { Mount } from "./mount.js";
import { askerOf } from "./tokens.js";

/**
 * Open items across lists, each ticked where it stands.
 *
 * Attributes and properties: `shared/descriptors/src/lib.rs`; events, slots and parts:
 * `frontend/package/custom-elements.json`.
 */
export class ChecklistWorklist extends HTMLElement {
  static get observedAttributes() {
    return attributesOf(WORKLIST);
  }

  #tokenProvider;
  #messages;
  #mount;

  constructor() {
    super();
    this.#mount = new Mount(
      this,
      this.attachInternals(),
      (glue, root) => {
        root.replaceChildren();
        return glue.mount_worklist(this.#port(), root);
      },
      (code, error) => say(this, "checklist-error", { code, status: 0, message: error.message, itemId: null }),
      () => ["worklist", baseOf(this), this.assignee, this.late, this.proposed, this.objectType, this.purpose, this.template, this.text],
    );
  }

  get tokenProvider() {
    return this.#tokenProvider;
  }

  set tokenProvider(provider) {
    const isFirst = !this.#tokenProvider;
    this.#tokenProvider = typeof provider === "function" ? provider : undefined;
    if (isFirst && this.#tokenProvider) this.refresh();
  }

  get messages() {
    return this.#messages;
  }

  set messages(messages) {
    this.#messages = messages ?? undefined;
    this.#mount.configure();
  }

  /** Reads the items again. */
  refresh() {
    this.#mount.call("refresh");
  }

  connectedCallback() {
    upgrade(this, WORKLIST);
    this.#mount.connect();
  }

  disconnectedCallback() {
    this.#mount.disconnect();
  }

  /** Moving inside the document changes nothing. */
  connectedMoveCallback() {}

  adoptedCallback() {
    this.#mount.style();
  }

  attributeChangedCallback(_attribute, before, after) {
    if (!unchanged(before, after)) this.#mount.configure();
  }

  /** What the WASM sees of this element. */
  #port() {
    return {
      settings: () => ({
        ...settingsOf(this, WORKLIST),
        "base-url": baseOf(this),
        lang: languageOf(this),
        words: this.#mount.words,
      }),
      token: askerOf(this),
      before: (detail) => say(this, "before-checklist-check", detail, true),
      changed: (detail) => say(this, "checklist-change", detail),
      opened: (detail) => say(this, "checklist-open", detail, true),
      error: (detail) => say(this, "checklist-error", detail),
      shown: () => this.#mount.room.give(),
    };
  }
}

reflect(ChecklistWorklist, WORKLIST);
