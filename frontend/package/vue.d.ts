// Generated from custom-elements.json by `cargo xtask describe`.
import type { EmitFn, HTMLAttributes, PublicProps } from "vue";
import type {
  ChecklistControl,
  ChecklistControlAttributes,
  ChecklistControlEventMap,
  ChecklistControlProperties,
  ChecklistPreview,
  ChecklistPreviewAttributes,
  ChecklistPreviewEventMap,
  ChecklistPreviewProperties,
} from "./checklist-control.js";
import type {
  ChecklistWorklist,
  ChecklistWorklistAttributes,
  ChecklistWorklistEventMap,
  ChecklistWorklistProperties,
} from "./checklist-worklist.js";

export * from "./checklist-control.js";

type Described<Host extends HTMLElement, Own, Events> = new () => Host & {
  /** For templates; at run time there is no such property. */
  $props: HTMLAttributes & Own & PublicProps;
  /** For templates; at run time there is no such method. */
  $emit: EmitFn<{ [Name in keyof Events]: (event: Events[Name]) => void }>;
};

declare module "vue" {
  interface GlobalComponents {
    "checklist-control": Described<ChecklistControl, ChecklistControlAttributes & ChecklistControlProperties, ChecklistControlEventMap>;
    "checklist-preview": Described<ChecklistPreview, ChecklistPreviewAttributes & ChecklistPreviewProperties, ChecklistPreviewEventMap>;
    "checklist-worklist": Described<ChecklistWorklist, ChecklistWorklistAttributes & ChecklistWorklistProperties, ChecklistWorklistEventMap>;
  }
}
