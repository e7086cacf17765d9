/**
 * Attributes and the properties that mirror them, for both elements.
 */

export const STRINGS = {
  baseUrl: "base-url",
  objectType: "object-type",
  objectId: "object-id",
  purpose: "purpose",
  template: "template",
  type: "type",
  name: "name",
  autosave: "autosave",
  display: "display",
  tokenUrl: "token-url",
};
export const BOOLEANS = {
  disableCheck: "disable-check",
  disableEdit: "disable-edit",
  logInJournal: "log-in-journal",
  hidePresence: "hide-presence",
  required: "required",
  disabled: "disabled",
  readonly: "readonly",
};

/** Gives a class properties that mirror its attributes. */
export function reflect(target, strings, booleans) {
  for (const name of strings) {
    const attribute = STRINGS[name];
    Object.defineProperty(target.prototype, name, {
      configurable: true,
      enumerable: true,
      get() {
        return this.getAttribute(attribute) ?? "";
      },
      set(value) {
        if (value === null || value === undefined) this.removeAttribute(attribute);
        else if (this.getAttribute(attribute) !== String(value)) this.setAttribute(attribute, value);
      },
    });
  }
  for (const name of booleans) {
    const attribute = BOOLEANS[name];
    Object.defineProperty(target.prototype, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = this.getAttribute(attribute);
        // Templating engines write the word.
        return value !== null && value.toLowerCase() !== "false";
      },
      set(value) {
        const wanted = Boolean(value) && value !== "false";
        if (this[name] !== wanted || this.hasAttribute(attribute) !== wanted) this.toggleAttribute(attribute, wanted);
      },
    });
  }
}

/** Takes over what was set on the element before its class was known. */
export function upgrade(element, names) {
  for (const name of names) {
    if (!Object.hasOwn(element, name)) continue;
    const value = element[name];
    delete element[name];
    element[name] = value;
  }
}

export function unchanged(before, after) {
  return before === after;
}
