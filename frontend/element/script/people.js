/**
 * People that a page offers as assignees and for mentions: a list, or a function that finds them by
 * the beginning of a name. Another function in its place is asked from then on; nothing is asked
 * because of it.
 */

/** How many are offered at most. */
const MOST_PEOPLE = 20;

const folded = (text) => text.toLocaleLowerCase();

/** Those of whom a name, or the address, begins so. */
function peopleMatching(people, prefix) {
  const wanted = folded(prefix.trim());
  const begins = (text) => folded(text).startsWith(wanted) || folded(text).split(/[\s-]+/).some((word) => word.startsWith(wanted));
  return people.filter((person) => begins(person?.name ?? "") || begins(person?.email ?? ""));
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
    const found = typeof this.source === "function" ? await this.source(prefix, { signal }) : peopleMatching(this.source ?? [], prefix);
    const named = Array.from(found ?? []).filter((person) => typeof person?.name === "string" && person.name.trim());
    return named.slice(0, MOST_PEOPLE).map(({ name, email }) => ({ name: name.trim(), email: typeof email === "string" ? email : "" }));
  }
}
