/**
 * Where the files lie that the worklist loads. The names in underscores are filled in when it is built;
 * the words are those of the control.
 */

export const GLUE = new URL("__CHECKLIST_GLUE__", import.meta.url);
export const WASM = new URL("__CHECKLIST_WASM__", import.meta.url);
/** Nothing of the WASM comes later. */
export const PARTS = {};
export const STYLES = new URL("__CHECKLIST_STYLES__", import.meta.url);
/** The tables of words, each named whole: bundlers look for such addresses. English is in the WASM, and as a table where a page replaces texts. */
export const WORDS = {
  en: new URL("__CHECKLIST_WORDS__.en.json", import.meta.url),
  de: new URL("__CHECKLIST_WORDS__.de.json", import.meta.url),
  fr: new URL("__CHECKLIST_WORDS__.fr.json", import.meta.url),
  es: new URL("__CHECKLIST_WORDS__.es.json", import.meta.url),
  ar: new URL("__CHECKLIST_WORDS__.ar.json", import.meta.url),
};
