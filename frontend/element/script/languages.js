/**
 * What is said in which language: the tables of words that the page needs are fetched, and
 * handed to the WASM as lines. English is in there already.
 */

import { WORDS } from "./files.js";

/** What is said while there are no words at all. */
const ENGLISH = {
  failed: "The checklist could not be loaded.",
  stopped: "The checklist has stopped. Everything that was confirmed is stored.",
  again: "Load again",
  incomplete: "This checklist has to be completed.",
};

/** The tables by language, each a promise and then what it gave; nothing where it failed. */
const tables = new Map();

/** The language in force where the element stands, through shadow roots too. */
export function languageOf(element) {
  for (let at = element; at; at = at.parentNode ?? at.host) {
    if (at.lang) return at.lang;
  }
  return navigator.language;
}

/** Which table an element needs: that of its language, and the English one for a host's own words. */
function tableOf(element) {
  const language = languageOf(element).split(/[-_]/)[0].toLowerCase();
  return language !== "en" && Object.hasOwn(WORDS, language) ? language : element.messages && "en";
}

/** A promise of the table that an element needs; undefined when there is nothing to wait for. */
export function fetchTable(element) {
  const name = tableOf(element);
  if (!name || hereFor(element)) return undefined;
  if (!tables.has(name)) {
    const fetched = fetch(WORDS[name])
      .then((answer) => answer.json())
      .then(
        (table) => tables.set(name, table),
        () => tables.delete(name), // English has to do, and the next one asks again
      );
    tables.set(name, fetched);
  }
  return tables.get(name);
}

/** The table that an element needs, once it is here. */
function hereFor(element) {
  const table = tables.get(tableOf(element));
  return table instanceof Promise ? undefined : table;
}

/** The words of an element by name: its host's own, else its language's, in the order of the table. */
export function wordsOf(element) {
  const table = hereFor(element) ?? ENGLISH;
  return Object.fromEntries(Object.entries(table).map(([name, text]) => [name, element.messages?.[name] ?? text]));
}

/** The numbers under which an instance of the WASM knows its words. */
const spoken = new WeakMap();

/** The number of an element's words there; 0 is English as it comes. */
export function numberOf(element, glue) {
  if (!hereFor(element)) return 0;
  const lines = Object.values(wordsOf(element))
    .map((text) => String(text).replaceAll("\n", " "))
    .join("\n");
  if (!spoken.has(glue)) spoken.set(glue, new Map());
  const numbers = spoken.get(glue);
  if (!numbers.has(lines)) numbers.set(lines, glue.speak(lines));
  return numbers.get(lines);
}
