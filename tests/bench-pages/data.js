/**
 * What all pages of the comparison share: the items, from the same call of the same server that
 * the control asks, and the words of the status.
 */

const place = JSON.parse(document.getElementById("place").textContent);

/** The items as a small page keeps them. */
export async function items() {
  const answer = await fetch(`${place.api}/GetItems`, {
    method: "POST",
    headers: { Authorization: `Bearer ${place.token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ Contexts: [place.context] }),
  });
  const { Results } = await answer.json();
  return Results[0].Items.map(({ Id, Text, Status }) => ({ id: Id, text: Text, done: Status === "Done" }));
}

/** What stands above the list. */
export function status(items) {
  const done = items.reduce((count, item) => count + (item.done ? 1 : 0), 0);
  return done === items.length ? "Completed" : `${done} of ${items.length} done`;
}

let added = 0;
/** An id for an item that is added. */
export const newId = () => `new-${added++}`;
