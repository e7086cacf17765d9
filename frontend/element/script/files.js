/**
 * Where the files lie that are loaded. The names in underscores are filled in when the control is built.
 */

export const GLUE = new URL("__CHECKLIST_GLUE__", import.meta.url);
export const WASM = new URL("__CHECKLIST_WASM__", import.meta.url);
/** What of the WASM comes later, by the names that the glue has for it. */
export const PARTS = {
  deeds: new URL("__CHECKLIST_DEEDS__", import.meta.url),
  shared: new URL("__CHECKLIST_SHARED__", import.meta.url),
  views: new URL("__CHECKLIST_VIEWS__", import.meta.url),
};
export const STYLES = new URL("__CHECKLIST_STYLES__", import.meta.url);
/** The tables of words, each named whole: bundlers look for such addresses. English is in the WASM. */
export const WORDS = {
  en: new URL("__CHECKLIST_WORDS__.en.json", import.meta.url),
  de: new URL("__CHECKLIST_WORDS__.de.json", import.meta.url),
  fr: new URL("__CHECKLIST_WORDS__.fr.json", import.meta.url),
  es: new URL("__CHECKLIST_WORDS__.es.json", import.meta.url),
  ar: new URL("__CHECKLIST_WORDS__.ar.json", import.meta.url),
};
