/**
 * What the WASM tells the element of its list, and what of that a form gets.
 */

/** What is known before anything has been read. */
export const NOTHING = Object.freeze({
  state: "Unknown",
  completed: false,
  counts: Object.freeze({ Total: 0, Done: 0, NotApplicable: 0, Open: 0, RequiredOpen: 0 }),
  blockers: Object.freeze([]),
  revision: 0,
  pending: 0,
  offline: false,
  error: false,
  readonly: false,
  draft: false,
  incomplete: true,
  stillOpen: "",
});

/** The value in a form. */
export function valueOf({ completed, state, revision }) {
  return { Completed: completed, State: state, Revision: revision };
}
