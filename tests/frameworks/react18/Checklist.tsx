import "@checklist-control/element/react18";
import type { ChecklistControl } from "@checklist-control/element";
import { useEffect, useLayoutEffect, useRef } from "react";
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

export function Checklist({ objectId, purpose, disableCheck, disabled, autosave, onCompleted, onChanged }: ChecklistProps) {
  const list = useRef<ChecklistControl>(null);
  const callbacks = useRef({ onCompleted, onChanged });
  useEffect(() => {
    callbacks.current = { onCompleted, onChanged };
  });
  // React 18 writes attributes; an object and listeners go to the element itself.
  useLayoutEffect(() => {
    const element = list.current!;
    const going = new AbortController();
    element.tokenProvider = tokenProvider;
    element.addEventListener("completed-changed", (event) => callbacks.current.onCompleted(event.detail.completed), going);
    element.addEventListener("checklist-change", (event) => callbacks.current.onChanged(event.detail.what), going);
    return () => going.abort();
  }, []);
  return (
    <checklist-control
      ref={list}
      id="list"
      name="checklist"
      base-url={server}
      object-type="incident"
      object-id={objectId}
      purpose={purpose}
      disable-check={disableCheck}
      disabled={disabled}
      autosave={autosave ? undefined : "off"}
    />
  );
}
