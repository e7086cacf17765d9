/**
 * `<checklist-control>` and `<checklist-preview>`: the two classes, and everything that only a
 * script can do for them: form association, events, attributes, the token, one WASM instance and
 * one style sheet for the page. What is drawn and decided lives in the WASM, which is loaded when
 * the first element is connected. The modules are joined into this one file when the control is built.
 */

import { ChecklistControl } from "./control.js";
import { ChecklistPreview } from "./preview.js";

export { ChecklistControl, ChecklistPreview };

for (const [name, element] of [
  ["checklist-control", ChecklistControl],
  ["checklist-preview", ChecklistPreview],
]) {
  if (customElements.get(name)) console.warn(`<${name}> is defined already; this second definition is ignored.`);
  else customElements.define(name, element);
}
