/**
 * `<checklist-worklist>`: a module and a WASM of its own, so that pages with the control alone load
 * nothing of it. The modules, and those of `frontend/element/script` that it uses, are joined into this
 * one file when the control is built.
 */

import { ChecklistWorklist } from "./worklist.js";

export { ChecklistWorklist };

if (customElements.get("checklist-worklist")) console.warn("<checklist-worklist> is defined already; this second definition is ignored.");
else customElements.define("checklist-worklist", ChecklistWorklist);
