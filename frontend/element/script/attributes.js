/**
 * Attributes and the properties that mirror them, for both elements.
 */

/** `object-type` → `objectType`, the property behind an attribute. */
export const propertyOf = (attribute) => attribute.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/** The attributes of some descriptors, with the language, which every element has. */
export const attributesOf = ({ texts, flags, choices }) => ["lang", ...texts, ...flags, ...Object.keys(choices)];

/** Whether a value is an object without a class. Others, such as a `URL`, say themselves what their text is. */
const isPlain = (value) => typeof value === "object" && [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** Gives a class properties that mirror its attributes. */
export function reflect(target, { texts, flags, choices }) {
  for (const attribute of [...texts, ...Object.keys(choices)]) {
    Object.defineProperty(target.prototype, propertyOf(attribute), {
      configurable: true,
      enumerable: true,
      get() {
        return this.getAttribute(attribute) ?? "";
      },
      set(value) {
        if (value === null || value === undefined) return this.removeAttribute(attribute);
        const text = isPlain(value) ? JSON.stringify(value) : String(value);
        if (this.getAttribute(attribute) !== text) this.setAttribute(attribute, text);
      },
    });
  }
  for (const attribute of flags) {
    const name = propertyOf(attribute);
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

/** What the attributes of an element say, by their names: texts, and whether the others are set. */
export function settingsOf(element, { texts, flags, choices }) {
  const settings = {};
  for (const attribute of [...texts, ...flags]) settings[attribute] = element[propertyOf(attribute)];
  for (const attribute in choices) settings[attribute] = element[propertyOf(attribute)].toLowerCase() === choices[attribute];
  return settings;
}

/** Takes over what was set on the element before its class was known. */
export function upgrade(element, descriptors) {
  for (const name of [...attributesOf(descriptors).map(propertyOf), "tokenProvider", "people", "messages"]) {
    if (!Object.hasOwn(element, name)) continue;
    const value = element[name];
    delete element[name];
    element[name] = value;
  }
}

export function unchanged(before, after) {
  return before === after;
}
