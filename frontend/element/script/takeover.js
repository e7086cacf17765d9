/**
 * The first paint: a list that a server has drawn into the shadow root, and how the view takes its
 * place without anything moving (`docs/FIRST-PAINT.md`).
 */

import { keyOf } from "./tokens.js";

/** The list that a server has drawn here, if it is the one that the element means. */
export function drawnFor(root, context, template, language) {
  const { value, lang } = root.querySelector("data") ?? {};
  if (!value || lang !== language) return undefined;
  const list = JSON.parse(value);
  const same = keyOf(list.Context) === keyOf(context) && (list.Context.TemplateId ?? "") === template;
  return same ? list : undefined;
}

/** Has the view mounted in the place of what stands there, with as many rows as are to be there at once; gives its handle. */
export function takeOver(root, list, anchor, mount) {
  const before = [...root.childNodes];
  const focused = list && placeOf(root.activeElement);
  // What somebody reads already stays open.
  const opened = list ? [...root.querySelectorAll("details[open] > summary")].map(placeOf) : [];
  const rows = list ? rowsRead(root) : 0;
  // What was not drawn from this list goes at once.
  if (!list) before.splice(0).forEach((node) => node.remove());
  root.prepend(anchor);
  const handle = mount(rows);
  // The view is drawn in a microtask; nothing is painted before both are through.
  queueMicrotask(() => {
    before.forEach((node) => node === anchor || node.remove());
    for (const place of opened) root.querySelector(place)?.click();
    if (focused) root.querySelector(focused)?.focus({ preventScroll: true });
  });
  return handle;
}

/** How many rows begin above the window's lower edge: nobody may see one of those go and come again. */
function rowsRead(root) {
  const rows = [...root.querySelectorAll(".row")];
  const below = rows.findIndex((row) => row.getBoundingClientRect().top > innerHeight);
  return below < 0 ? rows.length : below;
}

/** Where something that has the focus is found again in a view of the same list. */
function placeOf(element) {
  if (!element) return undefined;
  const row = element.closest("[data-id]")?.dataset.id;
  // Not by the kind of element: what a server draws opens by itself, without a script.
  const own = element.classList.length ? `.${[...element.classList].join(".")}` : element.localName;
  return row ? `[data-id="${row}"] ${own}` : own;
}
