/**
 * People that a page offers as assignees and for mentions: a list, or a function that finds them by
 * the beginning of a name. Another function in its place is asked from then on; nothing is asked
 * because of it.
 */

/** How many are offered at most. */
const MOST_PEOPLE = 20;
/** The most characters of an id or a name that the server stores. */
const MOST_CHARACTERS = 200;

const folded = (text) => text.toLocaleLowerCase();

/** Somebody as the control knows them: a text is a name without an id, and an id may be a number. */
function personOf(entry) {
  if (typeof entry === "string") return { id: "", name: entry.trim(), detail: "" };
  const text = (value) => (typeof value === "string" || typeof value === "number" ? String(value).trim() : "");
  const [id, name] = [text(entry?.id), text(entry?.name)];
  return { id, name: name || id, detail: text(entry?.detail) };
}

/** Those of whom a name, or what is said besides, begins so. */
function peopleMatching(people, prefix) {
  const wanted = folded(prefix.trim());
  const begins = (text) => folded(text).startsWith(wanted) || folded(text).split(/[\s-]+/).some((word) => word.startsWith(wanted));
  return people.filter((person) => begins(person.name) || begins(person.detail));
}

/** The people of one element. */
export class People {
  /** What the page has set. */
  source;
  #asking;

  /** Whether there is anybody to ask. */
  get isThere() {
    return typeof this.source === "function" || Array.isArray(this.source);
  }

  /** Finds people; the question before is not waited for any longer. */
  async find(prefix) {
    this.#asking?.abort();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const isAsked = typeof this.source === "function";
    const found = isAsked ? await this.source(prefix, { signal }) : this.source;
    const fits = (text) => [...text].length <= MOST_CHARACTERS;
    const named = Array.from(found ?? [], personOf).filter(({ id, name }) => name && fits(id) && fits(name));
    return (isAsked ? named : peopleMatching(named, prefix)).slice(0, MOST_PEOPLE);
  }
}
