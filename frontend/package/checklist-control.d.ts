// Generated from custom-elements.json by `cargo xtask describe`.

/** The events of `<checklist-control>`. */
export interface ChecklistControlEventMap {
  /** `completed` has another value. */
  "completed-changed": CustomEvent<{completed: boolean}>;
  /** A person has changed something. */
  "checklist-change": CustomEvent<{what: string, itemId: string | null, itemIds: string[], before: string | null, after: string | null}>;
  /** Something went wrong. */
  "checklist-error": CustomEvent<{code: string, status: number, message: string, itemId: string | null}>;
  /** Cancelable: a status is about to be set. */
  "before-checklist-check": CustomEvent<{itemId: string | null}>;
  /** Cancelable: something is about to be added, edited or moved. */
  "before-checklist-edit": CustomEvent<{itemId: string | null}>;
  /** Cancelable: an item is about to be deleted. */
  "before-checklist-delete": CustomEvent<{itemId: string | null}>;
  /** Cancelable: the template's changes are about to be taken over. */
  "before-checklist-refresh": CustomEvent<{itemId: string | null}>;
  /** A person has changed something. */
  "input": Event;
  /** A person has changed something. */
  "change": Event;
}

/** The attributes of `<checklist-control>`. */
export interface ChecklistControlAttributes {
  /** Where the web services live, without `/api/…`. Default: the server that this script came from; the page's own origin if it came from the npm package. */
  "base-url"?: string | undefined;
  /** The platform type, for example `incident`. */
  "object-type"?: string | undefined;
  /** The id of the object. Without it the control is a draft: nothing is sent until it is set. */
  "object-id"?: string | undefined;
  /** Which list of the object; to be set when a page shows several. Default: the default list. */
  "purpose"?: string | undefined;
  /** The id of the template (fragment); else the type decides. */
  "template"?: string | undefined;
  /** No item can be checked, no checkbox is rendered. */
  "disable-check"?: boolean | "" | "true" | "false" | undefined;
  /** No adding, editing, deleting, moving. */
  "disable-edit"?: boolean | "" | "true" | "false" | undefined;
  /** Item changes are logged in the journal. */
  "log-in-journal"?: boolean | "" | "true" | "false" | undefined;
  /** Does not show who else is on the list, nor others that this person is. */
  "hide-presence"?: boolean | "" | "true" | "false" | undefined;
  /** Hides what is done until the viewer shows it; what a viewer chooses for a list is remembered. */
  "hide-completed"?: boolean | "" | "true" | "false" | undefined;
  /** The form is not valid until the list is completed. */
  "required"?: boolean | "" | "true" | "false" | undefined;
  /** Unchangeable, and not part of the form's data. */
  "disabled"?: boolean | "" | "true" | "false" | undefined;
  /** Unchangeable, but focusable and readable. */
  "readonly"?: boolean | "" | "true" | "false" | undefined;
  /** With `off` nothing is sent before `flush()` or the form's submit, which waits for it. */
  "autosave"?: "off" | "" | undefined;
  /** With `compact` one line says how far the list is, and opens it in place. */
  "display"?: "compact" | "" | undefined;
  /** With `compact` rows are 32 px high, for lists of many items; under a finger they keep their height. */
  "density"?: "compact" | "" | undefined;
  /** With `tab` changes that are not sent yet are kept for this tab alone; else a page that the same person opens within 7 days sends them. */
  "unsent"?: "tab" | "" | undefined;
  /** The name of the value in the form. */
  "name"?: string | undefined;
  /** Address that answers `POST {Contexts}` with `{Token, ExpiresAt}`. */
  "token-url"?: string | undefined;
}

/** The properties of `<checklist-control>` that can be set. */
export type ChecklistControlProperties = { [Name in "baseUrl" | "objectType" | "objectId" | "purpose" | "template" | "disableCheck" | "disableEdit" | "logInJournal" | "hidePresence" | "hideCompleted" | "required" | "disabled" | "readonly" | "autosave" | "display" | "density" | "unsent" | "name" | "tokenUrl" | "tokenProvider" | "people" | "messages"]?: ChecklistControl[Name] | undefined };

/** A checklist in a form. */
export declare class ChecklistControl extends HTMLElement {
  /** Where the web services live, without `/api/…`. Default: the server that this script came from; the page's own origin if it came from the npm package. */
  baseUrl: string;
  /** The platform type, for example `incident`. */
  objectType: string;
  /** The id of the object. Without it the control is a draft: nothing is sent until it is set. */
  objectId: string;
  /** Which list of the object; to be set when a page shows several. Default: the default list. */
  purpose: string;
  /** The id of the template (fragment); else the type decides. */
  template: string;
  /** No item can be checked, no checkbox is rendered. */
  disableCheck: boolean;
  /** No adding, editing, deleting, moving. */
  disableEdit: boolean;
  /** Item changes are logged in the journal. */
  logInJournal: boolean;
  /** Does not show who else is on the list, nor others that this person is. */
  hidePresence: boolean;
  /** Hides what is done until the viewer shows it; what a viewer chooses for a list is remembered. */
  hideCompleted: boolean;
  /** The form is not valid until the list is completed. */
  required: boolean;
  /** Unchangeable, and not part of the form's data. */
  disabled: boolean;
  /** Unchangeable, but focusable and readable. */
  readonly: boolean;
  /** With `off` nothing is sent before `flush()` or the form's submit, which waits for it. */
  autosave: "off" | "";
  /** With `compact` one line says how far the list is, and opens it in place. */
  display: "compact" | "";
  /** With `compact` rows are 32 px high, for lists of many items; under a finger they keep their height. */
  density: "compact" | "";
  /** With `tab` changes that are not sent yet are kept for this tab alone; else a page that the same person opens within 7 days sends them. */
  unsent: "tab" | "";
  /** The name of the value in the form. */
  name: string;
  /** Address that answers `POST {Contexts}` with `{Token, ExpiresAt}`. */
  tokenUrl: string;
  /** Gives a token for the contexts; asked once for a page. Another function in its place is asked from then on, and nothing is asked again because of it. */
  tokenProvider: ((request: {contexts: object[], reason: "call" | "renew"}) => Promise<{token: string, expiresAt: Date | number | string}>) | undefined;
  /** People to choose assignees from, and for mentions in notes: a list, or a function that finds them by the beginning of a name. Any other name can be typed all the same. Another function in its place is asked from then on, and nothing is asked because of it. */
  people: ({name: string, email?: string}[] | ((prefix: string, options: {signal: AbortSignal}) => {name: string, email?: string}[] | Promise<{name: string, email?: string}[]>)) | undefined;
  /** Words of the host's own in place of the control's, by the name of the text; values stand in braces, plural forms between `|`. The names are those of the language files. */
  messages: Record<string, string> | undefined;
  /** The submitted value: JSON `{Completed, State, Revision}`. */
  readonly value: string;
  /** Whether everything is resolved; false while loading, on error and without items. */
  readonly completed: boolean;
  /** How the list stands; `Unknown` while loading and on error. */
  readonly state: "Unknown" | "Empty" | "Open" | "Complete";
  /** How many items there are of each status. */
  readonly counts: {Total: number, Done: number, NotApplicable: number, Open: number, RequiredOpen: number};
  /** What keeps the list from being complete, the first 20. */
  readonly blockers: {Id: string, Text: string}[];
  /** The items on the screen, in order. */
  readonly items: object[];
  /** Operations that the server has not confirmed yet. */
  readonly pendingCount: number;
  /** The type, as native controls have one. */
  readonly type: "checklist-control";
  readonly form: HTMLFormElement | null;
  readonly labels: NodeList;
  readonly willValidate: boolean;
  readonly validity: ValidityState;
  readonly validationMessage: string;
  /** Sends what waits. Rejects when something could not be stored. */
  flush(): Promise<void>;
  /** Reads the list again. */
  refresh(): Promise<void>;
  /** Takes the person's last operation back. */
  undo(): void;
  /** Focuses the first open item. */
  focus(options?: FocusOptions): void;
  checkValidity(): boolean;
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
  /** The platform type whose template is shown when `template` is not set. */
  "type"?: string | undefined;
  /** Which of the type's templates. */
  "purpose"?: string | undefined;
  /** Where the web services live, without `/api/…`. Default: the server that this script came from; the page's own origin if it came from the npm package. */
  "base-url"?: string | undefined;
  /** The id of the template (fragment); else the type decides. */
  "template"?: string | undefined;
  /** Address that answers `POST {Contexts}` with `{Token, ExpiresAt}`. */
  "token-url"?: string | undefined;
}

/** The properties of `<checklist-preview>` that can be set. */
export type ChecklistPreviewProperties = { [Name in "type" | "purpose" | "baseUrl" | "template" | "tokenUrl" | "tokenProvider" | "messages"]?: ChecklistPreview[Name] | undefined };

/** A template as it will look, without a list behind it. Never writes. */
export declare class ChecklistPreview extends HTMLElement {
  /** The platform type whose template is shown when `template` is not set. */
  type: string;
  /** Which of the type's templates. */
  purpose: string;
  /** Where the web services live, without `/api/…`. Default: the server that this script came from; the page's own origin if it came from the npm package. */
  baseUrl: string;
  /** The id of the template (fragment); else the type decides. */
  template: string;
  /** Address that answers `POST {Contexts}` with `{Token, ExpiresAt}`. */
  tokenUrl: string;
  /** Gives a token for the contexts; asked once for a page. Another function in its place is asked from then on, and nothing is asked again because of it. */
  tokenProvider: ((request: {contexts: object[], reason: "call" | "renew"}) => Promise<{token: string, expiresAt: Date | number | string}>) | undefined;
  /** Words of the host's own in place of the control's, by the name of the text; values stand in braces, plural forms between `|`. The names are those of the language files. */
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
