/**
 * `<checklist-control>`: its attributes, properties, methods and what the platform tells it. What
 * it does for forms, events, tokens and live changes lies in the modules beside this one.
 */

import { baseOf } from "./addresses.js";
import { advise, adviseOfServer } from "./advice.js";
import { attributesOf, reflect, settingsOf, unchanged, upgrade } from "./attributes.js";
import { CONTROL } from "./descriptors.js";
import { portOfEvents, say } from "./events.js";
import { drawFirst } from "./first-drawing.js";
import { FormControl, internalsOf } from "./form-control.js";
import { isHere } from "./instance.js";
import { languageOf } from "./languages.js";
import { Live } from "./live.js";
import { Mount } from "./mount.js";
import { People } from "./people.js";
import { NOTHING, valueOf } from "./snapshot.js";
import { Submission } from "./submission.js";
import { drawnFor, takeOver } from "./takeover.js";
import { askerOf, Tokens } from "./tokens.js";
import { controls, warnOfTwins } from "./twins.js";
import { Validity } from "./validity.js";

/** The platform itself looks at these, so an attribute that says "false" has to go. */
const OF_THE_PLATFORM = ["disabled", "readonly"];

/**
 * A checklist in a form.
 *
 * @tagname checklist-control
 *
 * @attr {string} base-url - Where the web services live, without `/api/…`. Default: the server that this script came from; the page's own origin if it came from the npm package.
 * @attr {string} object-type - The platform type, for example `incident`.
 * @attr {string} object-id - The id of the object. Without it the control is a draft: nothing is sent until it is set.
 * @attr {string} purpose - Which list of the object; to be set when a page shows several. Default: the default list.
 * @attr {string} template - The id of the template (fragment); else the type decides.
 * @attr {string} lang - The language: a tag such as `de` or `pt-BR`. Default: that of the page around it.
 * @attr {boolean} disable-check - No item can be checked, no checkbox is rendered.
 * @attr {boolean} disable-edit - No adding, editing, deleting, moving.
 * @attr {boolean} log-in-journal - Item changes are logged in the journal.
 * @attr {boolean} hide-presence - Does not show who else is on the list, nor others that this person is.
 * @attr {boolean} hide-completed - Hides what is done until the viewer shows it; what a viewer chooses for a list is remembered.
 * @attr {boolean} required - The form is not valid until the list is completed.
 * @attr {boolean} disabled - Unchangeable, and not part of the form's data.
 * @attr {boolean} readonly - Unchangeable, but focusable and readable.
 * @attr {"off"} autosave - With `off` nothing is sent before `flush()` or the form's submit, which waits for it.
 * @attr {"compact"} display - With `compact` one line says how far the list is, and opens it in place.
 * @attr {"compact"} density - With `compact` rows are 32 px high, for lists of many items; under a finger they keep their height.
 * @attr {"tab"} unsent - With `tab` changes that are not sent yet are kept for this tab alone; else a page that the same person opens within 7 days sends them.
 * @attr {string} name - The name of the value in the form.
 * @attr {string} token-url - Address that answers `POST {Contexts}` with `{Token, ExpiresAt}`.
 *
 * @prop {(request: {contexts: object[], reason: "call" | "renew"}) => Promise<{token: string, expiresAt: Date | number | string}>} tokenProvider - Gives a token for the contexts; asked once for a page. Another function in its place is asked from then on, and nothing is asked again because of it.
 * @prop {{name: string, email?: string}[] | ((prefix: string, options: {signal: AbortSignal}) => {name: string, email?: string}[] | Promise<{name: string, email?: string}[]>)} people - People to choose assignees from, and for mentions in notes: a list, or a function that finds them by the beginning of a name. Any other name can be typed all the same. Another function in its place is asked from then on, and nothing is asked because of it.
 * @prop {Record<string, string>} messages - Words of the host's own in place of the control's, by the name of the text; values stand in braces, plural forms between `|`. The names are those of the language files.
 *
 * @fires {CustomEvent<{completed: boolean}>} completed-changed - `completed` has another value.
 * @fires {CustomEvent<{what: string, itemId: string | null, itemIds: string[], before: string | null, after: string | null}>} checklist-change - A person has changed something.
 * @fires {CustomEvent<{code: string, status: number, message: string, itemId: string | null}>} checklist-error - Something went wrong.
 * @fires {CustomEvent<{itemId: string | null}>} before-checklist-check - Cancelable: a status is about to be set.
 * @fires {CustomEvent<{itemId: string | null}>} before-checklist-edit - Cancelable: something is about to be added, edited or moved.
 * @fires {CustomEvent<{itemId: string | null}>} before-checklist-delete - Cancelable: an item is about to be deleted.
 * @fires {CustomEvent<{itemId: string | null}>} before-checklist-refresh - Cancelable: the template's changes are about to be taken over.
 * @fires {Event} input - A person has changed something.
 * @fires {Event} change - A person has changed something.
 *
 * @slot label - The title; else the template's name.
 * @slot description - Text under the title.
 * @slot empty - What is said when there are no items.
 * @slot - Fallback, shown while and when the control cannot be loaded.
 *
 * @csspart compact - The line of a control with `display="compact"`.
 * @csspart card - The list as a whole.
 * @csspart header - The head of the card.
 * @csspart title - The title.
 * @csspart people - Who else is on the list.
 * @csspart count - How much is done, in words.
 * @csspart progress - The bar's track.
 * @csspart progress-bar - The bar.
 * @csspart strip - What is to be known of the list: its template has changed, it is locked.
 * @csspart review - What taking over the template's changes would do.
 * @csspart messages - What the person is told about the list.
 * @csspart notice - One such message, or one at a row.
 * @csspart section - A section with its rows.
 * @csspart section-title - The heading of a section.
 * @csspart list - The rows of a section.
 * @csspart row - One row.
 * @csspart handle - What a row is dragged by.
 * @csspart section-checkbox - The box of a section, which checks all of it.
 * @csspart checkbox - The box of a row.
 * @csspart mark - The sign in its place where there are no boxes.
 * @csspart text - The text of a row.
 * @csspart meta - The second line: whether it counts, for whom, until when.
 * @csspart required - "Required", in that line.
 * @csspart optional - "Optional", in that line.
 * @csspart assignee - Who should do it.
 * @csspart due - Until when.
 * @csspart by - Who has done it, and when, at the end of the first line.
 * @csspart note - The note.
 * @csspart help - The help, when it is open.
 * @csspart just - What somebody else has just done to a row.
 * @csspart actions - The button of a row's menu.
 * @csspart editor - A form in a row.
 * @csspart menu - The menu of a row.
 * @csspart history - What was done to an item.
 * @csspart selection - The bar of what can be done to the rows that are selected.
 * @csspart add - The row that adds.
 * @csspart pasted - Lines that were pasted and are asked about.
 * @csspart done-items - How many done items are hidden, and the switch.
 * @csspart footer - The foot of the card.
 * @csspart gate - What is still open, in words.
 * @csspart search - The bar in which a long list is searched.
 * @csspart found - How many rows were found.
 * @csspart suggestions - People to choose from below a field.
 * @csspart empty - What is said when there are no items.
 * @csspart failure - Why there is no list.
 *
 * @cssprop --checklist-accent - Done, links, the focus.
 * @cssprop --checklist-accent-strong - The accent under the pointer.
 * @cssprop --checklist-accent-ink - Text on the accent.
 * @cssprop --checklist-accent-soft - The accent as a ground.
 * @cssprop --checklist-ink - Text.
 * @cssprop --checklist-ink-quiet - Text that steps back.
 * @cssprop --checklist-ink-faint - Text that steps back further.
 * @cssprop --checklist-surface - The ground of the card.
 * @cssprop --checklist-surface-hover - The ground of a row under the pointer.
 * @cssprop --checklist-surface-sunken - The ground of what lies deeper.
 * @cssprop --checklist-line - Hairlines.
 * @cssprop --checklist-line-strong - The outlines of boxes and fields.
 * @cssprop --checklist-warn - Text that asks for attention.
 * @cssprop --checklist-warn-soft - Its ground.
 * @cssprop --checklist-warn-line - Its outline.
 * @cssprop --checklist-danger - Late, refused.
 * @cssprop --checklist-danger-soft - Its ground.
 * @cssprop --checklist-danger-line - Its outline.
 * @cssprop --checklist-focus - The focus ring.
 * @cssprop --checklist-font - The typeface.
 * @cssprop --checklist-font-size - The size of the text, 15 px.
 * @cssprop --checklist-radius - The corners of the card, 10 px.
 * @cssprop --checklist-row - The least height of a row, 40 px.
 * @cssprop --checklist-search-top - How far below the top of the window the search bar stays, 0.
 * @cssprop --checklist-inset - The distance to the card's edge, 18 px.
 * @cssprop --checklist-reserve - The room of a list that was never shown here, while it loads; none.
 *
 * @cssstate completed - The server has confirmed that everything is resolved.
 * @cssstate pending - Something is not confirmed by the server yet.
 * @cssstate error - The list could not be loaded.
 * @cssstate offline - The server cannot be reached.
 * @cssstate readonly - Nothing can be changed.
 * @cssstate user-invalid - The form was refused because of this control.
 */
export class ChecklistControl extends FormControl {
  static get observedAttributes() {
    return attributesOf(CONTROL);
  }

  #snapshot = NOTHING;
  #tokenProvider;
  #messages;
  #people = new People();
  #formDisabled = false;
  /** What was done in a draft: a history gives it back, and so does the view that comes after this one. */
  #kept = "";
  #token = askerOf(this);
  /** Ends the drawing that stands in for the control. */
  #drawing;
  #mount;
  #validity;
  #submission;

  constructor() {
    super();
    this.#mount = new Mount(
      this,
      internalsOf(this),
      (glue, root) => {
        this.#drawing?.abort();
        const list = drawnFor(root, this.#context, this.template, languageOf(this));
        return takeOver(root, list, this.#validity.anchor, (rows) => {
          const handle = (this.#mount.handle = glue.mount_control(this.#port(), root));
          handle.bring_back(this.#kept);
          // Only now: whoever is told of something asks back.
          handle.begin(list, rows);
          return handle;
        });
      },
      (code, error) => {
        // What is said of it stays on the screen.
        this.#drawing?.abort();
        this.#changed({ ...this.#snapshot, state: "Unknown", completed: false, incomplete: true, error: true });
        say(this, "checklist-error", { code, status: 0, message: error.message, itemId: null });
      },
      () => [this.objectId, baseOf(this), this.objectType, this.purpose, this.template, this.display],
    );
    this.#validity = new Validity(this, this.#mount.root);
    this.#submission = new Submission(
      this,
      () => this.#snapshot.draft,
      (waits) => this.#mount.handle?.submit_waits(waits),
    );
    this.addEventListener("invalid", () => {
      // Only now is it certain what is on the screen to point at; far down it may not be drawn yet.
      this.#validity.complained = true;
      this.#mount.call("reach_first_open");
      this.#validate();
    });
    this.#store();
    this.#validate();
  }

  // What the page may read.

  /** The submitted value: JSON `{Completed, State, Revision}`. @readonly @type {string} */
  get value() {
    return JSON.stringify(valueOf(this.#snapshot));
  }

  /** Whether everything is resolved; false while loading, on error and without items. @readonly @type {boolean} */
  get completed() {
    return this.#snapshot.completed;
  }

  /** How the list stands; `Unknown` while loading and on error. @readonly @type {"Unknown" | "Empty" | "Open" | "Complete"} */
  get state() {
    return this.#snapshot.state;
  }

  /** How many items there are of each status. @readonly @type {{Total: number, Done: number, NotApplicable: number, Open: number, RequiredOpen: number}} */
  get counts() {
    return { ...this.#snapshot.counts };
  }

  /** What keeps the list from being complete, the first 20. @readonly @type {{Id: string, Text: string}[]} */
  get blockers() {
    return this.#snapshot.blockers.map((blocker) => ({ ...blocker }));
  }

  /** The items on the screen, in order. @readonly @type {object[]} */
  get items() {
    return this.#mount.call("items") ?? [];
  }

  /** Operations that the server has not confirmed yet. @readonly @type {number} */
  get pendingCount() {
    return this.#snapshot.pending;
  }

  get tokenProvider() {
    return this.#tokenProvider;
  }

  set tokenProvider(provider) {
    this.#tokenProvider = typeof provider === "function" ? provider : undefined;
    this.#announceContext();
    if (this.#snapshot !== NOTHING) this.#follow();
  }

  /** Another list or function is asked from then on; nothing happens because of it. */
  get people() {
    return this.#people.source;
  }

  set people(people) {
    this.#people.source = people ?? undefined;
  }

  get messages() {
    return this.#messages;
  }

  set messages(messages) {
    this.#messages = messages ?? undefined;
    this.#mount.configure();
  }

  // What the page may ask for.

  /** Sends what waits. Rejects when something could not be stored. @returns {Promise<void>} */
  async flush() {
    await this.#ready();
    await this.#mount.call("flush");
  }

  /** Reads the list again. @returns {Promise<void>} */
  async refresh() {
    await this.#ready();
    await this.#mount.call("refresh");
  }

  /** Takes the person's last operation back. */
  undo() {
    this.#mount.call("undo");
  }

  /** Focuses the first open item. */
  focus(options) {
    const box = this.#validity.firstOpen(this.#snapshot.blockers);
    if (box) box.focus(options);
    else if (this.#mount.handle) this.#mount.call("focus_first_open");
    else this.#validity.placedAnchor().focus(options);
  }

  // What the platform says.

  connectedCallback() {
    upgrade(this, CONTROL);
    controls.add(this);
    this.#announceContext();
    warnOfTwins(this);
    this.#mount.connect();
    if (!isHere() && !this.#drawing) {
      this.#drawing = new AbortController();
      drawFirst(this, this.#mount.root, this.#drawing.signal).then((drawn) => drawn && this.#mount.style());
    }
  }

  disconnectedCallback() {
    controls.delete(this);
    this.#mount.disconnect();
    queueMicrotask(() => this.#follow());
  }

  /** Moving inside the document changes nothing. */
  connectedMoveCallback() {}

  adoptedCallback() {
    this.#mount.style();
  }

  attributeChangedCallback(attribute, before, after) {
    if (unchanged(before, after)) return;
    if (OF_THE_PLATFORM.includes(attribute) && after?.toLowerCase() === "false") {
      this.removeAttribute(attribute);
      return;
    }
    if (attribute === "required") this.#validate();
    if (attribute === "hide-presence") {
      this.#mount.handle?.receive_presence({});
      this.#follow();
    }
    if (this.isConnected) {
      this.#announceContext();
      queueMicrotask(() => warnOfTwins(this));
    }
    this.#mount.configure();
  }

  formAssociatedCallback(form) {
    this.#submission.belongsTo(form);
  }

  formDisabledCallback(disabled) {
    this.#formDisabled = disabled;
    this.#mount.configure();
  }

  formResetCallback() {
    this.#validity.complained = false;
    this.#kept = "";
    this.#mount.call("reset");
    this.#validate();
  }

  /** History gives back how the list stood, which counts until it has been read, and what was done in a draft. */
  formStateRestoreCallback(value) {
    try {
      const { Completed, State, Revision, Kept } = JSON.parse(value);
      if (Kept) {
        this.#kept = Kept;
        this.#mount.handle?.bring_back(Kept);
      }
      if (this.#snapshot !== NOTHING) return;
      const completed = Completed === true;
      this.#snapshot = { ...NOTHING, completed, incomplete: !completed, state: State, revision: Revision };
      this.#store();
      this.#validate();
    } catch {
      // Not ours; the list will be read anyway.
    }
  }

  // Inside.

  #ready() {
    return this.isConnected ? this.#mount.connect() : Promise.resolve();
  }

  get #context() {
    return { ObjectType: this.objectType, ObjectId: this.objectId, Purpose: this.purpose };
  }

  #announceContext() {
    if (this.isConnected && this.objectId) Tokens.of(this)?.want(this.#context);
  }

  /** What the WASM sees of this element. */
  #port() {
    return {
      ...portOfEvents(this),
      settings: () => ({
        ...settingsOf(this, CONTROL),
        "base-url": baseOf(this),
        lang: languageOf(this),
        words: this.#mount.words,
        disabled: this.#formDisabled,
        labels: [...this.labels].map((label) => label.textContent.replace(/\s+/g, " ").trim()).join(", "),
      }),
      error: (detail) => {
        if (detail.code === "StorageUnavailable") advise("storage", "This browser keeps nothing for this page (localStorage is full or not allowed).");
        if (detail.code === "Network" && this.#snapshot.state === "Unknown") adviseOfServer(baseOf(this));
        say(this, "checklist-error", detail);
      },
      changed: (snapshot) => this.#changed(snapshot),
      token: this.#token,
      hasPeople: () => this.#people.isThere,
      people: (prefix) => this.#people.find(prefix),
    };
  }

  /** Follows the list as long as there is one on the screen. */
  #follow() {
    const shown = this.isConnected && this.objectId && this.#snapshot.state !== "Unknown";
    const context = shown ? { ...this.#context, TemplateId: this.template || undefined } : undefined;
    Live.follow(this, context, {
      heard: (change) => this.#mount.handle?.receive_change(change),
      met: (people) => this.#mount.handle?.receive_presence(people),
      connected: (connected) => this.#mount.handle?.connected(connected),
      stale: () => this.refresh().catch(() => {}),
    });
  }

  #changed(snapshot) {
    this.#snapshot = snapshot;
    if (snapshot.state !== "Unknown" || snapshot.error) this.#mount.room.give();
    else if (this.objectId) this.#mount.room.hold();
    this.#follow();
    this.#store();
    this.#validate();
  }

  #store() {
    this.#kept = this.#mount.call("kept") ?? this.#kept;
    const { value } = this;
    const state = this.#kept ? JSON.stringify({ ...valueOf(this.#snapshot), Kept: this.#kept }) : value;
    internalsOf(this).setFormValue(value, state);
    this.#validity.show(this.#snapshot);
  }

  #validate() {
    this.#validity.check(this.required && this.#snapshot.incomplete, this.#snapshot);
  }
}

reflect(ChecklistControl, CONTROL);
