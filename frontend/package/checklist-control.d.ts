// Generated from custom-elements.json by `cargo xtask describe`.

/** The events of `<checklist-control>`. */
export interface ChecklistControlEventMap {
  /** `completed` has changed. */
  "completed-changed": CustomEvent<{completed: boolean}>;
  /** `state` has changed: also when somebody waives the list, or revokes that. */
  "state-changed": CustomEvent<{state: string}>;
  /** A person has changed something. */
  "checklist-change": CustomEvent<{what: string, itemId: string | null, itemIds: string[], before: string | null, after: string | null}>;
  /** A request failed, or a change was rejected. */
  "checklist-error": CustomEvent<{code: string, status: number, message: string, itemId: string | null}>;
  /** Cancelable: a status is about to be set. */
  "before-checklist-check": CustomEvent<{itemId: string | null}>;
  /** Cancelable: something is about to be added, edited or moved. */
  "before-checklist-edit": CustomEvent<{itemId: string | null}>;
  /** Cancelable: an item is about to be deleted. */
  "before-checklist-delete": CustomEvent<{itemId: string | null}>;
  /** Cancelable: the changes of a newer template version are about to be applied. */
  "before-checklist-refresh": CustomEvent<{itemId: string | null}>;
  /** Cancelable: the list is about to be waived, or its waiver revoked. */
  "before-checklist-waive": CustomEvent<{itemId: string | null}>;
  /** A person has changed something. */
  "input": Event;
  /** A person has changed something. */
  "change": Event;
}

/** The attributes of `<checklist-control>`. */
export interface ChecklistControlAttributes {
  /** Where the web services live, without `/api/…`. Default: the server that this script came from; the page's own origin if it came from the npm package. */
  "base-url"?: string | undefined;
  /** The type of the object, for example `incident`. */
  "object-type"?: string | undefined;
  /** The id of the object. Without it the control is a draft: nothing is sent until it is set. */
  "object-id"?: string | undefined;
  /** Distinguishes several lists of one object; has to be set when a page shows more than one. Default: the default list. */
  "purpose"?: string | undefined;
  /** The id of the template (fragment); without it, the object type determines the template. */
  "template"?: string | undefined;
  /** The number of a closed run to show, read-only. The server rejects any other value, and nothing is shown. Default: the present run. */
  "run"?: string | undefined;
  /** Items cannot be checked, and no checkboxes are rendered. */
  "disable-check"?: boolean | "" | "true" | "false" | undefined;
  /** Items cannot be added, edited, deleted or moved. */
  "disable-edit"?: boolean | "" | "true" | "false" | undefined;
  /** Changes of items are logged in the object's journal; its type needs the classes UnitOfWork and ChecklistItem. */
  "log-in-journal"?: boolean | "" | "true" | "false" | undefined;
  /** Does not show who else has the list open, and does not show this person to others. */
  "hide-presence"?: boolean | "" | "true" | "false" | undefined;
  /** Hides completed items until the viewer shows them; the viewer's choice is remembered for each list. */
  "hide-completed"?: boolean | "" | "true" | "false" | undefined;
  /** The form is not valid until the list is completed. */
  "required"?: boolean | "" | "true" | "false" | undefined;
  /** Cannot be changed, and is not part of the form's data. */
  "disabled"?: boolean | "" | "true" | "false" | undefined;
  /** Cannot be changed, but can be focused and read. */
  "readonly"?: boolean | "" | "true" | "false" | undefined;
  /** With `off`, nothing is sent before `flush()` or the form's submit, which waits for it. */
  "autosave"?: "off" | "" | undefined;
  /** With `compact`, one line shows the progress of the list and opens it in place. */
  "display"?: "compact" | "" | undefined;
  /** With `compact`, rows are 32 px high; on touch screens they keep their normal height. */
  "density"?: "compact" | "" | undefined;
  /** With `tab`, unsent changes are kept for this tab only; otherwise a page that the same person opens within 7 days sends them. */
  "unsent"?: "tab" | "" | undefined;
  /** The name of the value in the form. */
  "name"?: string | undefined;
  /** The URL that answers `POST {Contexts}` with `{Token, ExpiresAt}`. */
  "token-url"?: string | undefined;
}

/** The properties of `<checklist-control>` that can be set. */
export type ChecklistControlProperties = { [Name in "baseUrl" | "objectType" | "objectId" | "purpose" | "template" | "run" | "disableCheck" | "disableEdit" | "logInJournal" | "hidePresence" | "hideCompleted" | "required" | "disabled" | "readonly" | "autosave" | "display" | "density" | "unsent" | "name" | "tokenUrl" | "tokenProvider" | "people" | "messages"]?: ChecklistControl[Name] | undefined };

/** A checklist in a form. */
export declare class ChecklistControl extends HTMLElement {
  /** Where the web services live, without `/api/…`. Default: the server that this script came from; the page's own origin if it came from the npm package. */
  baseUrl: string;
  /** The type of the object, for example `incident`. */
  objectType: string;
  /** The id of the object. Without it the control is a draft: nothing is sent until it is set. */
  objectId: string;
  /** Distinguishes several lists of one object; has to be set when a page shows more than one. Default: the default list. */
  purpose: string;
  /** The id of the template (fragment); without it, the object type determines the template. */
  template: string;
  /** The number of a closed run to show, read-only. The server rejects any other value, and nothing is shown. Default: the present run. */
  run: string;
  /** Items cannot be checked, and no checkboxes are rendered. */
  disableCheck: boolean;
  /** Items cannot be added, edited, deleted or moved. */
  disableEdit: boolean;
  /** Changes of items are logged in the object's journal; its type needs the classes UnitOfWork and ChecklistItem. */
  logInJournal: boolean;
  /** Does not show who else has the list open, and does not show this person to others. */
  hidePresence: boolean;
  /** Hides completed items until the viewer shows them; the viewer's choice is remembered for each list. */
  hideCompleted: boolean;
  /** The form is not valid until the list is completed. */
  required: boolean;
  /** Cannot be changed, and is not part of the form's data. */
  disabled: boolean;
  /** Cannot be changed, but can be focused and read. */
  readonly: boolean;
  /** With `off`, nothing is sent before `flush()` or the form's submit, which waits for it. */
  autosave: "off" | "";
  /** With `compact`, one line shows the progress of the list and opens it in place. */
  display: "compact" | "";
  /** With `compact`, rows are 32 px high; on touch screens they keep their normal height. */
  density: "compact" | "";
  /** With `tab`, unsent changes are kept for this tab only; otherwise a page that the same person opens within 7 days sends them. */
  unsent: "tab" | "";
  /** The name of the value in the form. */
  name: string;
  /** The URL that answers `POST {Contexts}` with `{Token, ExpiresAt}`. */
  tokenUrl: string;
  /** Returns a token for the contexts; one call serves the whole page. Assigning another function triggers no call; later calls use it. */
  tokenProvider: ((request: {contexts: object[], reason: "call" | "renew"}) => Promise<{token: string, expiresAt: Date | number | string}>) | undefined;
  /** People to suggest as assignees and for mentions in notes: a list, or a function that finds them by the start of a name. `id` is the `sub` of their tokens; `detail` tells people of one name apart; a text is a name without an id. Other names can still be typed. Assigning another function triggers no call. */
  people: (({id: string, name: string, detail?: string} | string)[] | ((prefix: string, options: {signal: AbortSignal}) => ({id: string, name: string, detail?: string} | string)[] | Promise<({id: string, name: string, detail?: string} | string)[]>)) | undefined;
  /** Texts that replace the control's own, by key; placeholders are in braces, plural forms are separated by `|`. The keys are those of the language files. */
  messages: Record<string, string> | undefined;
  /** The submitted value: JSON `{Completed, State, Revision}`. */
  readonly value: string;
  /** Whether the list is completed; false while loading, on error and without items. */
  readonly completed: boolean;
  /** The state of the list; `Unknown` while loading and on error. */
  readonly state: "Unknown" | "Empty" | "Open" | "Complete";
  /** The number of items by status. */
  readonly counts: {Total: number, Done: number, NotApplicable: number, Open: number, RequiredOpen: number};
  /** The open items that keep the list from being completed; the first 20. */
  readonly blockers: {Id: string, Text: string}[];
  /** The items on the screen, in order. */
  readonly items: object[];
  /** The number of operations that the server has not confirmed yet. */
  readonly pendingCount: number;
  /** The type, as native controls have one. */
  readonly type: "checklist-control";
  /** The form that the element belongs to. */
  readonly form: HTMLFormElement | null;
  /** The labels of the element. */
  readonly labels: NodeList;
  /** Whether the element takes part in validation. */
  readonly willValidate: boolean;
  /** The validity, as of a native control. */
  readonly validity: ValidityState;
  /** The reason why the form cannot be submitted. */
  readonly validationMessage: string;
  /** Sends pending changes. Rejects if one could not be stored. */
  flush(): Promise<void>;
  /** Reads the list again. */
  refresh(): Promise<void>;
  /** Undoes the person's last operation. */
  undo(): void;
  /** Focuses the first open item. */
  focus(options?: FocusOptions): void;
  /** Whether the element is valid; fires `invalid` if not. */
  checkValidity(): boolean;
  /** The same, and shows the reason. */
  reportValidity(): boolean;
  addEventListener<K extends keyof ChecklistControlEventMap>(type: K, listener: (this: ChecklistControl, event: ChecklistControlEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: (this: ChecklistControl, event: HTMLElementEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<K extends keyof ChecklistControlEventMap>(type: K, listener: (this: ChecklistControl, event: ChecklistControlEventMap[K]) => unknown, options?: boolean | EventListenerOptions): void;
  removeEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: (this: ChecklistControl, event: HTMLElementEventMap[K]) => unknown, options?: boolean | EventListenerOptions): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

/** The events of `<checklist-preview>`. */
export interface ChecklistPreviewEventMap {
  /** The template could not be shown. */
  "checklist-error": CustomEvent<{code: string, status: number, message: string, itemId: null}>;
}

/** The attributes of `<checklist-preview>`. */
export interface ChecklistPreviewAttributes {
  /** The object type whose template is shown when `template` is not set. */
  "type"?: string | undefined;
  /** Distinguishes several templates of the type. */
  "purpose"?: string | undefined;
  /** Facts to try the template with, such as `{"Priority": 1}`: only what applies by them is shown. Without them every item is, with its condition in words. */
  "facts"?: Record<string, string | number | boolean> | string | "" | undefined;
  /** Where the web services live, without `/api/…`. Default: the server that this script came from; the page's own origin if it came from the npm package. */
  "base-url"?: string | undefined;
  /** The id of the template (fragment); without it, the object type determines the template. */
  "template"?: string | undefined;
  /** The URL that answers `POST {Contexts}` with `{Token, ExpiresAt}`. */
  "token-url"?: string | undefined;
}

/** The properties of `<checklist-preview>` that can be set. */
export type ChecklistPreviewProperties = { [Name in "type" | "purpose" | "facts" | "baseUrl" | "template" | "tokenUrl" | "tokenProvider" | "messages"]?: ChecklistPreview[Name] | undefined };

/** A template as it will look, without a list. Never writes. */
export declare class ChecklistPreview extends HTMLElement {
  /** The object type whose template is shown when `template` is not set. */
  type: string;
  /** Distinguishes several templates of the type. */
  purpose: string;
  /** Facts to try the template with, such as `{"Priority": 1}`: only what applies by them is shown. Without them every item is, with its condition in words. */
  facts: Record<string, string | number | boolean> | string | "";
  /** Where the web services live, without `/api/…`. Default: the server that this script came from; the page's own origin if it came from the npm package. */
  baseUrl: string;
  /** The id of the template (fragment); without it, the object type determines the template. */
  template: string;
  /** The URL that answers `POST {Contexts}` with `{Token, ExpiresAt}`. */
  tokenUrl: string;
  /** Returns a token for the contexts; one call serves the whole page. Assigning another function triggers no call; later calls use it. */
  tokenProvider: ((request: {contexts: object[], reason: "call" | "renew"}) => Promise<{token: string, expiresAt: Date | number | string}>) | undefined;
  /** Texts that replace the control's own, by key; placeholders are in braces, plural forms are separated by `|`. The keys are those of the language files. */
  messages: Record<string, string> | undefined;
  addEventListener<K extends keyof ChecklistPreviewEventMap>(type: K, listener: (this: ChecklistPreview, event: ChecklistPreviewEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: (this: ChecklistPreview, event: HTMLElementEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<K extends keyof ChecklistPreviewEventMap>(type: K, listener: (this: ChecklistPreview, event: ChecklistPreviewEventMap[K]) => unknown, options?: boolean | EventListenerOptions): void;
  removeEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: (this: ChecklistPreview, event: HTMLElementEventMap[K]) => unknown, options?: boolean | EventListenerOptions): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "checklist-control": ChecklistControl;
    "checklist-preview": ChecklistPreview;
  }
}
