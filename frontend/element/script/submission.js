/**
 * The submit of a form waits until the server has everything that was done in the control, then
 * happens once. When it cannot have it (no network, no token, a refusal), the submit is off: the
 * control says why, and the person submits again.
 */

/** Milliseconds after which a person is told why nothing happens yet. */
const PATIENCE = 400;

/** The button of a submit that is just beginning. */
let pressed;

addEventListener(
  "click",
  (event) => {
    const button = event.composedPath()[0]?.closest?.("button, input");
    pressed = button?.form && ["submit", "image"].includes(button.type) ? button : undefined;
    // The form is checked before the click is over.
    if (pressed) setTimeout(() => (pressed = undefined));
  },
  true,
);

/** Watches the form that a control belongs to. */
export class Submission {
  #element;
  #isDraft;
  #waits;
  #form = null;
  #isWaiting = false;

  /**
   * @param {HTMLElement} element the control
   * @param {() => boolean} isDraft whether there is no object yet, to which anything could be sent
   * @param {(waits: boolean) => void} waits is told when a submit waits so long that it is noticed
   */
  constructor(element, isDraft, waits) {
    this.#element = element;
    this.#isDraft = isDraft;
    this.#waits = waits;
    element.addEventListener("invalid", this.#refused);
  }

  /** Another form, or none. */
  belongsTo(form) {
    this.#form?.removeEventListener("submit", this.#submitted, true);
    form?.addEventListener("submit", this.#submitted, true);
    this.#form = form;
  }

  get #isUnsent() {
    return this.#element.pendingCount > 0 && !this.#isDraft();
  }

  #submitted = (event) => {
    if (!this.#isWaiting && !this.#isUnsent) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#wait(event.submitter);
  };

  /** A required list is not valid while something is unsent; the submit that this refuses waits as well. */
  #refused = (event) => {
    const form = this.#form;
    if (!form || pressed?.form !== form || !(this.#isWaiting || this.#isUnsent)) return;
    const isFine = (control) => control === this.#element || control.pendingCount > 0 || !control.willValidate || control.validity.valid;
    if (![...form.elements].every(isFine)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#wait(pressed);
  };

  async #wait(submitter) {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const [element, form] = [this.#element, this.#form];
    const free = occupy(submitter);
    const told = setTimeout(() => this.#waits(true), PATIENCE);
    try {
      await element.flush();
    } catch {
      return; // the control shows and tells what went wrong
    } finally {
      clearTimeout(told);
      this.#waits(false);
      free();
      this.#isWaiting = false;
    }
    if (!element.pendingCount && form?.isConnected) form.requestSubmit(submitter?.form === form ? submitter : null);
  }
}

/** Shows that a button is at work; gives what ends that. */
function occupy(button) {
  const names = ["aria-busy", "aria-disabled"];
  const before = names.map((name) => button?.getAttribute(name));
  names.forEach((name) => button?.setAttribute(name, "true"));
  return () =>
    names.forEach((name, at) => {
      if (before[at] == null) button?.removeAttribute(name);
      else button.setAttribute(name, before[at]);
    });
}
