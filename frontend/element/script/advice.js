/**
 * What the developer of a page is told: a mistake of the page, once, with the place where it is
 * explained. People who use the page read a sentence in the control instead.
 */

import { server } from "./addresses.js";

const advised = new Set();

/** Warns once of a mistake; `section` names where it is explained. */
export function advise(section, sentence) {
  const key = section + sentence;
  if (advised.has(key)) return;
  advised.add(key);
  console.warn(`checklist-control: ${sentence} ${server.replace(/\/*$/, "/")}docs/embedding#${section}`);
}

/** Looks why a server gave no answer: one that answers without being asked for CORS refuses the page. */
export async function adviseOfServer(base) {
  if (!navigator.onLine) return;
  try {
    await fetch(new URL("readyz", base.replace(/\/*$/, "/")), { mode: "no-cors", credentials: "omit" });
    advise("origins", `The server at ${base} answers, but pages of ${location.origin} may not read its answers (CORS).`);
  } catch {
    advise("server", `The server at ${base} cannot be reached, or the page's policy (connect-src) does not allow it.`);
  }
}
