// Generated from custom-elements.json by `cargo xtask describe`.

/** The events of `<checklist-worklist>`. */
export interface ChecklistWorklistEventMap {
  /** A status is about to be set; cancelable. */
  "before-checklist-check": CustomEvent<{what: "check" | "uncheck", context: {ObjectType: string, ObjectId: string, Purpose: string}, itemId: string, before: string, after: string}>;
  /** A person has ticked or unticked an item, and the server has stored it. */
  "checklist-change": CustomEvent<{what: "check" | "uncheck", context: {ObjectType: string, ObjectId: string, Purpose: string}, itemId: string, before: string, after: string}>;
  /** A person opens the object of an item, by a plain click; cancelable, so that a page can show it without following the link of `href`. */
  "checklist-open": CustomEvent<{context: {ObjectType: string, ObjectId: string, Purpose: string}, itemId: string}>;
  /** The items could not be read, or one could not be changed. */
  "checklist-error": CustomEvent<{code: string, status: number, message: string, itemId: string | null}>;
}

/** The attributes of `<checklist-worklist>`. */
export interface ChecklistWorklistAttributes {
  /** Whose items: `me` for the person of the token, `*` for everybody's and nobody's, else the `Id` of an assignee. Default: `me`. */
  "assignee"?: string | undefined;
  /** Shows overdue items only. */
  "late"?: boolean | "" | "true" | "false" | undefined;
  /** Shows only items for which somebody proposes a status that nobody has decided on. */
  "proposed"?: boolean | "" | "true" | "false" | undefined;
  /** Shows only items of objects of that type. */
  "object-type"?: string | undefined;
  /** Shows only items of lists of that purpose. */
  "purpose"?: string | undefined;
  /** Shows only items of lists that follow the template of that id. */
  "template"?: string | undefined;
  /** Shows only items whose text contains each of these words. */
  "text"?: string | undefined;
  /** How many items are loaded at a time, 1 to 200. Default: 50. */
  "limit"?: string | undefined;
  /** The address of an object's page, with `{ObjectType}`, `{ObjectId}`, `{Purpose}` and `{ItemId}` as placeholders. Without it a button dispatches `checklist-open`. */
  "href"?: string | undefined;
  /** Where the web services live, without `/api/…`. Default: the server that this script came from; the page's own origin if it came from the npm package. */
  "base-url"?: string | undefined;
  /** The URL that answers `POST {Contexts}` with `{Token, ExpiresAt}`. */
  "token-url"?: string | undefined;
}

/** The properties of `<checklist-worklist>` that can be set. */
export type ChecklistWorklistProperties = { [Name in "assignee" | "late" | "proposed" | "objectType" | "purpose" | "template" | "text" | "limit" | "href" | "baseUrl" | "tokenUrl" | "tokenProvider" | "messages"]?: ChecklistWorklist[Name] | undefined };

/** Open items across lists, each ticked where it stands. Loaded from a script of its own, `checklist-worklist.js`. */
export declare class ChecklistWorklist extends HTMLElement {
  /** Whose items: `me` for the person of the token, `*` for everybody's and nobody's, else the `Id` of an assignee. Default: `me`. */
  assignee: string;
  /** Shows overdue items only. */
  late: boolean;
  /** Shows only items for which somebody proposes a status that nobody has decided on. */
  proposed: boolean;
  /** Shows only items of objects of that type. */
  objectType: string;
  /** Shows only items of lists of that purpose. */
  purpose: string;
  /** Shows only items of lists that follow the template of that id. */
  template: string;
  /** Shows only items whose text contains each of these words. */
  text: string;
  /** How many items are loaded at a time, 1 to 200. Default: 50. */
  limit: string;
  /** The address of an object's page, with `{ObjectType}`, `{ObjectId}`, `{Purpose}` and `{ItemId}` as placeholders. Without it a button dispatches `checklist-open`. */
  href: string;
  /** Where the web services live, without `/api/…`. Default: the server that this script came from; the page's own origin if it came from the npm package. */
  baseUrl: string;
  /** The URL that answers `POST {Contexts}` with `{Token, ExpiresAt}`. */
  tokenUrl: string;
  /** Returns a token for the contexts; one call serves the whole page. Assigning another function triggers no call; later calls use it. */
  tokenProvider: ((request: {contexts: object[], reason: "call" | "renew"}) => Promise<{token: string, expiresAt: Date | number | string}>) | undefined;
  /** Texts that replace the control's own, by key; placeholders are in braces, plural forms are separated by `|`. The keys are those of the language files. */
  messages: Record<string, string> | undefined;
  /** Reads the items again; items that were ticked go. */
  refresh(): void;
  addEventListener<K extends keyof ChecklistWorklistEventMap>(type: K, listener: (this: ChecklistWorklist, event: ChecklistWorklistEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: (this: ChecklistWorklist, event: HTMLElementEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<K extends keyof ChecklistWorklistEventMap>(type: K, listener: (this: ChecklistWorklist, event: ChecklistWorklistEventMap[K]) => unknown, options?: boolean | EventListenerOptions): void;
  removeEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: (this: ChecklistWorklist, event: HTMLElementEventMap[K]) => unknown, options?: boolean | EventListenerOptions): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "checklist-worklist": ChecklistWorklist;
  }
}
