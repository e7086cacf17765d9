import "@checklist-control/element/react";
import { server, tokenProvider } from "../platform";

export interface ChecklistProps {
  objectId: string;
  purpose: string;
  disableCheck: boolean;
  disabled: boolean;
  autosave: boolean;
  onCompleted(completed: boolean): void;
  onChanged(what: string): void;
}

export function Checklist({ onCompleted, onChanged, autosave, ...rest }: ChecklistProps) {
  return (
    <checklist-control
      id="list"
      name="checklist"
      baseUrl={server}
      tokenProvider={tokenProvider}
      objectType="incident"
      autosave={autosave ? "" : "off"}
      oncompleted-changed={(event) => onCompleted(event.detail.completed)}
      onchecklist-change={(event) => onChanged(event.detail.what)}
      {...rest}
    />
  );
}
