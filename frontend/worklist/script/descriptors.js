/**
 * The attributes of the elements. Generated from `shared/descriptors/src/lib.rs` by `cargo xtask describe`.
 */

export const WORKLIST = {
  texts: ["assignee", "object-type", "purpose", "template", "text", "limit", "href", "base-url", "token-url"],
  flags: ["late", "proposed"],
  choices: {},
  options: {},
};
