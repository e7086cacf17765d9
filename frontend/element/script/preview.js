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
 * @tagname checklist-preview
 *
 * @attr {string} type - The platform type whose template is shown when `template` is not set.
 * @attr {string} purpose - Which of the type's templates.
 * @attr {string} base-url - Where the web services live, without `/api/…`. Default: the server that this script came from; the page's own origin if it came from the npm package.
 * @attr {string} template - The id of the template (fragment); else the type decides.
 * @attr {string} lang - The language: a tag such as `de` or `pt-BR`. Default: that of the page around it.
 * @attr {string} token-url - Address that answers `POST {Contexts}` with `{Token, ExpiresAt}`.
 *
 * @prop {(request: {contexts: object[], reason: "call" | "renew"}) => Promise<{token: string, expiresAt: Date | number | string}>} tokenProvider - Gives a token for the contexts; asked once for a page. Another function in its place is asked from then on, and nothing is asked again because of it.
 * @prop {Record<string, string>} messages - Words of the host's own in place of the control's, by the name of the text; values stand in braces, plural forms between `|`. The names are those of the language files.
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
    const { value, lang } = this.#mount.root.querySelector("data") ?? {};
    if (value === this.template && lang === languageOf(this) && !this.#messages) return;
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
