// Generated from custom-elements.json by `cargo xtask describe`.
import type { DetailedHTMLProps, HTMLAttributes } from "react";
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

type Listeners<Host extends HTMLElement, Events> = {
  [Name in keyof Events & string as Name extends keyof HTMLElementEventMap ? never : `on${Name}`]?:
    | ((event: Events[Name] & { currentTarget: Host }) => void)
    | undefined;
};

type Props<Host extends HTMLElement, Own, Events> = Omit<DetailedHTMLProps<HTMLAttributes<Host>, Host>, keyof Own> &
  Own &
  Listeners<Host, Events>;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "checklist-control": Props<ChecklistControl, ChecklistControlAttributes & ChecklistControlProperties, ChecklistControlEventMap>;
      "checklist-preview": Props<ChecklistPreview, ChecklistPreviewAttributes & ChecklistPreviewProperties, ChecklistPreviewEventMap>;
      "checklist-worklist": Props<ChecklistWorklist, ChecklistWorklistAttributes & ChecklistWorklistProperties, ChecklistWorklistEventMap>;
    }
  }
}
