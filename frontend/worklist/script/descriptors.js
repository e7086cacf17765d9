/**
 * The attributes of the elements. Generated from `shared/src/descriptors.rs` by `cargo xtask describe`.
 */

export const WORKLIST = {
  texts: ["assignee", "object-type", "purpose", "template", "text", "limit", "href", "base-url", "token-url"],
  flags: ["late", "proposed"],
  choices: {},
  options: {},
};
