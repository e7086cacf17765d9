/**
 * The attributes of the elements. Generated from `shared/descriptors/src/lib.rs` by `cargo xtask describe`.
 */

export const CONTROL = {
  texts: ["base-url", "object-type", "object-id", "purpose", "template", "run", "name", "token-url"],
  flags: ["disable-check", "disable-edit", "log-in-journal", "hide-presence", "hide-completed", "required", "disabled", "readonly"],
  choices: { autosave: "off", display: "compact", density: "compact", unsent: "tab" },
  options: { "disable-check": "DisableCheck", "disable-edit": "DisableEdit", "log-in-journal": "LogInJournal", "hide-presence": "HidePresence", "hide-completed": "HideCompleted", "required": "Required", "disabled": "Disabled", "readonly": "ReadOnly", "autosave": "Autosave", "display": "Display", "density": "Density", "unsent": "Unsent" },
};

export const PREVIEW = {
  texts: ["type", "purpose", "facts", "base-url", "template", "token-url"],
  flags: [],
  choices: {},
  options: {},
};
