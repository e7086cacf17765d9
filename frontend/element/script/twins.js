/**
 * The controls of the page, and a warning for those who show one list twice by accident: the person
 * would see every tick twice.
 */

import { baseOf } from "./addresses.js";

/** All that are connected. */
export const controls = new Set();

const warned = new Set();

/** Warns once of two controls without a purpose that mean the same list. */
export function warnOfTwins(element) {
  if (element.purpose || !element.objectId) return;
  const place = (other) => JSON.stringify([baseOf(other), other.objectType, other.objectId]);
  const key = place(element);
  // With `innerHTML` the new one is told that it is there before the old one that it is gone.
  const shown = [...controls].filter((other) => other.isConnected);
  const twins = shown.filter((other) => !other.purpose && place(other) === key);
  if (twins.length < 2 || warned.has(key)) return;
  warned.add(key);
  console.warn(`Two <checklist-control> without a purpose show the list of ${element.objectType} ${element.objectId}. Give each a purpose.`, ...twins);
}
