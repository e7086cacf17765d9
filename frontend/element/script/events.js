/**
 * What the elements tell the page: their own events, and `input` and `change` as native controls
 * have them.
 */

/** Dispatches an event of the element's own; false when a listener has cancelled it. */
export function say(element, type, detail, cancelable = false) {
  return element.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable }));
}

/** The part of a control's port that tells the page something. */
export function portOfEvents(element) {
  return {
    before: (what, itemId = null) => say(element, `before-checklist-${what}`, { itemId }, true),
    completedChanged: (completed) => say(element, "completed-changed", { completed }),
    stateChanged: (state) => say(element, "state-changed", { state }),
    userChange: (detail) => {
      say(element, "checklist-change", detail);
      element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
      element.dispatchEvent(new Event("change", { bubbles: true }));
    },
  };
}
