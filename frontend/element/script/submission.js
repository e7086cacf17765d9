/**
 * Form mode (`autosave="off"`): the submit of the form waits until everything is stored, then
 * happens once.
 */

/** Watches the form that a control belongs to. */
export class Submission {
  #element;
  #isDraft;
  #form = null;
  #flushed = false;

  constructor(element, isDraft) {
    this.#element = element;
    this.#isDraft = isDraft;
  }

  /** Another form, or none. */
  belongsTo(form) {
    this.#form?.removeEventListener("submit", this.#submitted, true);
    form?.addEventListener("submit", this.#submitted, true);
    this.#form = form;
  }

  #submitted = async (event) => {
    const element = this.#element;
    if (this.#flushed || element.autosave.toLowerCase() !== "off" || !element.pendingCount || this.#isDraft()) return;
    const { target: form, submitter } = event;
    event.preventDefault();
    event.stopImmediatePropagation();
    try {
      await element.flush();
    } catch {
      return; // the control shows and tells what went wrong
    }
    if (element.pendingCount) return;
    this.#flushed = true;
    try {
      form.requestSubmit(submitter?.form === form ? submitter : null);
    } finally {
      this.#flushed = false;
    }
  };
}
