// What TypeScript knows of the elements on a page without a framework. Lines under
// `@ts-expect-error` have to be refused.

import type { ChecklistControl, ChecklistControlEventMap } from "@checklist-control/element";

const list = document.querySelector("checklist-control")!;
const made: ChecklistControl = document.createElement("checklist-control");

list.objectId = "INC-1";
list.disableCheck = true;
list.autosave = "off";
list.tokenProvider = async ({ contexts, reason }) => ({ token: `${contexts.length} ${reason}`, expiresAt: new Date() });
const completed: boolean = list.completed;
const open: number = list.counts.Open;
const blocker: string | undefined = list.blockers[0]?.Text;
const waited: Promise<void> = list.flush();

list.addEventListener("completed-changed", (event) => {
  const now: boolean = event.detail.completed;
  return now;
});
list.addEventListener("checklist-change", function (event) {
  const whose: ChecklistControl = this;
  const what: string = event.detail.what;
  const item: string | null = event.detail.itemId;
  return [whose, what, item];
});
list.addEventListener("before-checklist-delete", (event) => event.preventDefault(), { once: true });
list.addEventListener("click", (event) => event.clientX);
const listener = (event: ChecklistControlEventMap["checklist-error"]) => event.detail.status;
list.removeEventListener("checklist-error", listener);

const preview = document.createElement("checklist-preview");
preview.template = "onboarding";
preview.addEventListener("checklist-error", (event) => event.detail.message);

// @ts-expect-error completed can only be read
list.completed = true;
// @ts-expect-error no such property
list.objectid = "INC-1";
// @ts-expect-error a boolean
list.disableCheck = "yes";
// @ts-expect-error only "off"
list.autosave = "on";
// @ts-expect-error a provider promises a token
list.tokenProvider = () => "token";
// @ts-expect-error a preview has no object
preview.objectId = "INC-1";
// @ts-expect-error no such detail
list.addEventListener("completed-changed", (event) => event.detail.done);
// @ts-expect-error previews tell of errors only
preview.addEventListener("completed-changed", (event) => event.detail.completed);

export { blocker, completed, made, open, waited };
