// Generated from custom-elements.json by `cargo xtask describe`.
import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type {
  ChecklistControl,
  ChecklistControlAttributes,
  ChecklistControlEventMap,
  ChecklistPreview,
  ChecklistPreviewAttributes,
  ChecklistPreviewEventMap,
} from "./checklist-control.js";
import type {
  ChecklistWorklist,
  ChecklistWorklistAttributes,
  ChecklistWorklistEventMap,
} from "./checklist-worklist.js";

export * from "./checklist-control.js";

/** React 18 would write handlers into attributes. */
type Unheard<Events> = {
  [Name in keyof Events & string as Name extends keyof HTMLElementEventMap ? never : `on${Name}`]?: never;
};

type Props<Host extends HTMLElement, Own, Events> = Omit<DetailedHTMLProps<HTMLAttributes<Host>, Host>, keyof Own | "className"> &
  Own &
  Unheard<Events> & { class?: string | undefined };

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "checklist-control": Props<ChecklistControl, ChecklistControlAttributes, ChecklistControlEventMap>;
      "checklist-preview": Props<ChecklistPreview, ChecklistPreviewAttributes, ChecklistPreviewEventMap>;
      "checklist-worklist": Props<ChecklistWorklist, ChecklistWorklistAttributes, ChecklistWorklistEventMap>;
    }
  }
}
