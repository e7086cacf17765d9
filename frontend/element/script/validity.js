/**
 * Whether a required list lets its form through: what is said, which item it points at, and the
 * custom states by which pages style the element.
 */

import { internalsOf } from "./form-control.js";
import { wordsOf } from "./languages.js";

/** The validity of one control. */
export class Validity {
  /** The element that a message points at while no item can be pointed at. */
  anchor = document.createElement("span");
  /** Whether a form was refused because of this control. */
  complained = false;
  #element;
  #root;
  /**
   * Held as long as the element: WebKit forgets what is in the set when nobody holds it and the
   * garbage is collected, and a state of which it knows nothing is never taken away.
   */
  #states;
  #explained;

  constructor(element, root) {
    this.#element = element;
    this.#root = root;
    this.#states = internalsOf(element).states;
    this.anchor.className = "anchor";
    this.anchor.tabIndex = -1;
  }

  /** The states that follow from how the list stands. */
  show(snapshot) {
    for (const state of ["completed", "error", "offline", "readonly"]) this.#setState(state, snapshot[state]);
    this.#setState("pending", snapshot.pending > 0);
    this.#setState("waived", snapshot.state === "Waived");
  }

  /** Tells the form whether something is missing, and the person where. */
  check(missing, { blockers, stillOpen }) {
    const first = missing ? this.firstOpen(blockers) : undefined;
    const internals = internalsOf(this.#element);
    if (missing) {
      const message = stillOpen || wordsOf(this.#element).incomplete;
      internals.setValidity({ valueMissing: true }, message, first ?? this.#root.querySelector(".compact") ?? this.placedAnchor());
    } else {
      internals.setValidity({});
    }
    const refused = missing && this.complained;
    this.#setState("user-invalid", refused);
    this.#explain(refused ? first : undefined);
  }

  /** The box of the first open item; where there are no boxes its row, which can be focused then. */
  firstOpen(blockers) {
    const id = blockers[0]?.Id;
    // By an id: a selector would have the browser look through every row of a long list.
    const row = id && this.#root.getElementById(`m-${id}`)?.closest("[data-id]");
    if (!row) return undefined;
    const box = row.querySelector(".box");
    if (box) return box.disabled ? undefined : box;
    row.tabIndex = -1;
    return row;
  }

  placedAnchor() {
    if (!this.anchor.isConnected && this.anchor.getRootNode() !== this.#root) this.#root.prepend(this.anchor);
    return this.anchor;
  }

  /** Has the sentence of what is open read out at the item that stands in the way, and no longer at the last one. */
  #explain(item) {
    const gate = item && this.#root.querySelector("[part=gate]")?.id;
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
    const states = this.#states;
    // What changes about the host has the browser look at what is inside.
    if (states.has(state) === !!on) return;
    if (on) states.add(state);
    else states.delete(state);
  }
}
