/**
 * `<checklist-preview>`: a template as it will look. Shares everything but forms and live changes
 * with the control.
 */

import { baseOf } from "./addresses.js";
import { attributesOf, reflect, settingsOf, unchanged, upgrade } from "./attributes.js";
import { PREVIEW } from "./descriptors.js";
import { say } from "./events.js";
import { languageOf } from "./languages.js";
import { Mount } from "./mount.js";
import { askerOf } from "./tokens.js";

/**
 * A template as it will look, without a list behind it. Never writes.
 *
 * Attributes and properties: `shared/descriptors/src/lib.rs`; events, slots, parts and states:
 * `frontend/package/custom-elements.json`.
 */
export class ChecklistPreview extends HTMLElement {
  static get observedAttributes() {
    return attributesOf(PREVIEW);
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
        // What the server has drawn stays until there is something to put in its place.
        const drawn = [...root.childNodes];
        const shown = () => {
          drawn.splice(0).forEach((node) => node.remove());
          this.#mount.room.give();
        };
        return glue.mount_preview(this.#port(shown), root, drawn.some((node) => node.localName !== "slot"));
      },
      (code, error) => this.#failed({ code, status: 0, message: error.message, itemId: null }),
      () => [this.template, baseOf(this), this.type, this.purpose],
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
    this.#show();
  }

  connectedCallback() {
    upgrade(this, PREVIEW);
    this.#show();
  }

  disconnectedCallback() {
    this.#mount.disconnect();
  }

  connectedMoveCallback() {}

  adoptedCallback() {
    this.#mount.style();
  }

  attributeChangedCallback(_attribute, before, after) {
    if (!unchanged(before, after)) this.#show();
  }

  /** Shows what the attributes say. What a server has drawn of it stands there, and needs no WASM. */
  #show() {
    const { value, lang, dataset } = this.#mount.root.querySelector("data") ?? {};
    const isDrawn = value === this.template && lang === languageOf(this) && (dataset.facts ?? "") === this.facts;
    if (isDrawn && !this.#messages) return;
    if (this.isConnected) this.#mount.connect();
    this.#mount.configure();
  }

  #port(shown) {
    return {
      settings: () => ({
        ...settingsOf(this, PREVIEW),
        "base-url": baseOf(this),
        lang: languageOf(this),
        words: this.#mount.words,
      }),
      shown,
      error: (detail) => this.#failed(detail),
      token: askerOf(this),
    };
  }

  #failed(detail) {
    this.#mount.room.give();
    say(this, "checklist-error", detail);
  }
}

reflect(ChecklistPreview, PREVIEW);
