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
 * Attributes and properties: `shared/descriptors/src/lib.rs`; events, slots, parts and states:
 * `frontend/package/custom-elements.json`.
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

  /** How the list stands; `Unknown` while loading and on error. @readonly @type {"Unknown" | "Empty" | "Open" | "Complete" | "Waived"} */
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
      tokenSource: () => Tokens.of(this)?.number ?? 0,
      hasPeople: () => this.#people.isThere,
      people: (prefix) => this.#people.find(prefix),
    };
  }

  /** Follows the list as long as there is one on the screen. */
  #follow() {
    const shown = this.isConnected && this.objectId && !this.run && this.#snapshot.state !== "Unknown";
    const context = shown ? { ...this.#context, TemplateId: this.template || undefined } : undefined;
    Live.follow(this, context, {
      heard: (change) => this.#mount.handle?.receive_change(change),
      met: (people) => this.#mount.handle?.receive_presence(people),
      connected: (connected, refused) => this.#mount.handle?.connected(connected, refused),
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
