// What TypeScript knows of the elements where templates are written by hand, with `h`.

import { h } from "vue";
import type { ChecklistControl, ChecklistControlEventMap } from "@checklist-control/element/vue";

export const written = h("checklist-control", {
  objectId: "1",
  onCompletedChanged: (event: ChecklistControlEventMap["completed-changed"]) => event.detail.completed,
  ref: (list) => (list as ChecklistControl | null)?.completed,
});

export const refused = h("checklist-control", {
  // @ts-expect-error no such detail
  onCompletedChanged: (event: ChecklistControlEventMap["completed-changed"]) => event.detail.done,
});
