/**
 * One style sheet for all elements of a document.
 */

import { STYLES } from "./files.js";

const sheets = new WeakMap();
let styles;

/** The one style sheet of a document, shared by all its elements, and a promise of its content. */
export function sheetOf(document) {
  let entry = sheets.get(document);
  if (!entry) {
    const sheet = new document.defaultView.CSSStyleSheet();
    sheet.replaceSync(":host{display:block}:host([hidden]){display:none}");
    entry = { sheet, ready: undefined };
    sheets.set(document, entry);
  }
  entry.ready ??= fill(entry.sheet).catch((error) => {
    entry.ready = styles = undefined;
    throw error;
  });
  return entry;
}

async function fill(sheet) {
  styles ??= fetch(STYLES).then((answer) => {
    if (!answer.ok) throw new Error(`${STYLES} answered ${answer.status}`);
    return answer.text();
  });
  sheet.replaceSync(await styles);
}
