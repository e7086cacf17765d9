// The page of React 18 and of React 19: the same but for how each writes the elements down.

import { type ComponentType, type ReactNode, useState } from "react";
import { submittedOf } from "./platform";

/** What both components take; each says so itself, because each is an example of its own. */
interface ChecklistProps {
  objectId: string;
  purpose: string;
  disableCheck: boolean;
  disabled: boolean;
  autosave: boolean;
  onCompleted(completed: boolean): void;
  onChanged(what: string): void;
}

export function Page({ Checklist, preview }: { Checklist: ComponentType<ChecklistProps>; preview: ReactNode }) {
  const [mounted, setMounted] = useState(true);
  const [purpose, setPurpose] = useState("");
  const [disableCheck, setDisableCheck] = useState(false);
  const [disabled, setDisabled] = useState(false);
  const [autosave, setAutosave] = useState(true);
  const [completed, setCompleted] = useState(false);
  const [changes, setChanges] = useState<string[]>([]);
  const [submitted, setSubmitted] = useState("");
  return (
    <>
      <button type="button" id="mounted" onClick={() => setMounted(!mounted)}>Mounted</button>
      <button type="button" id="purpose" onClick={() => setPurpose(purpose ? "" : "other")}>Purpose</button>
      <button type="button" id="disable-check" onClick={() => setDisableCheck(!disableCheck)}>Disable check</button>
      <button type="button" id="disabled" onClick={() => setDisabled(!disabled)}>Disabled</button>
      <button type="button" id="autosave" onClick={() => setAutosave(!autosave)}>Autosave</button>
      <p>Completed: <output id="completed">{completed ? "yes" : "no"}</output></p>
      <p>Changes: <output id="changes">{changes.join(" ")}</output></p>
      <p>Submitted: <output id="submitted">{submitted}</output></p>
      <form
        id="form"
        onSubmit={(event) => {
          event.preventDefault();
          setSubmitted(submittedOf(event.currentTarget));
        }}
      >
        <button id="submit">Submit</button>
        <button id="reset" type="reset">Reset</button>
        {mounted && (
          <Checklist
            objectId="1"
            purpose={purpose}
            disableCheck={disableCheck}
            disabled={disabled}
            autosave={autosave}
            onCompleted={setCompleted}
            onChanged={(what) => setChanges((before) => [...before, what])}
          />
        )}
      </form>
      {preview}
    </>
  );
}
