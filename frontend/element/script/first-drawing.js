/**
 * Render first: while the WASM is on its way the server draws the list, so that people read it
 * before the control is there, which takes it over as it takes over what a host's page brings
 * along (`docs/FIRST-PAINT.md`). What goes wrong here is of no consequence: the control reads the
 * list itself.
 */

import { baseOf } from "./addresses.js";
import { settingsOf } from "./attributes.js";
import { CONTROL } from "./descriptors.js";
import { languageOf } from "./languages.js";
import { sheetOf } from "./styles.js";
import { Tokens } from "./tokens.js";

/** Lists of a page that are drawn one by one; more are read together once the control is there. */
const MOST_LISTS = 3;
/** Longer lists are read in parts, as they come. */
const MOST_ITEMS = 200;

let drawings = 0;
let policy;

/** What the page's Trusted Types ask for; throws where its policy does not know ours. */
function trusted(html) {
  const { trustedTypes } = window;
  policy ??= trustedTypes?.createPolicy("checklist-control", { createHTML: (text) => text });
  return policy?.createHTML(html) ?? html;
}

/** `compact` → `Compact`, as Render writes the words of its options. */
const capitalized = (word) => word[0].toUpperCase() + word.slice(1);

/** Draws the list of an element into its shadow root, unless the control is there before; says whether it did. */
export async function drawFirst(element, root, signal) {
  const { objectType, objectId, purpose, template, messages } = element;
  if (!objectType || !objectId || messages || root.querySelector("data") || ++drawings > MOST_LISTS) return false;
  try {
    await undefined; // lets every element of the same moment say what it wants
    const list = { ObjectType: objectType, ObjectId: objectId, Purpose: purpose };
    const request = {
      Context: { ...list, TemplateId: template || undefined },
      Language: languageOf(element),
      TimeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      MaxItems: MOST_ITEMS,
    };
    const settings = settingsOf(element, CONTROL);
    for (const flag of CONTROL.flags) if (settings[flag]) request[CONTROL.options[flag]] = true;
    for (const choice in CONTROL.choices) if (settings[choice]) request[CONTROL.options[choice]] = capitalized(CONTROL.choices[choice]);
    const token = await Tokens.of(element)?.get([list], "call");
    const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
    const address = new URL("api/Vendor/ChecklistControl/Render", baseOf(element).replace(/\/*$/, "/"));
    // Before the call: a document without a window has none, and nobody would wait for the answer.
    const { ready } = sheetOf(element.ownerDocument);
    const [answer] = await Promise.all([
      fetch(address, { method: "POST", headers, body: JSON.stringify(request), signal }),
      ready,
    ]);
    if (answer.status !== 200) return false;
    const html = trusted(await answer.text());
    if (signal.aborted) return false;
    const { content } = new DOMParser().parseFromString(html, "text/html").querySelector("template");
    // The styles are here already.
    content.querySelectorAll("link, style").forEach((node) => node.remove());
    root.replaceChildren(content);
    return true;
  } catch {
    // The control reads the list itself, and says what is wrong.
    return false;
  }
}
