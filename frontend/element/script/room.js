/**
 * The room of a list that is not there yet: as high as it was when it was shown last, so that what
 * stands below does not move. Where nothing is known of it, `--checklist-reserve` says how high.
 */

const STORE = "checklist-control heights";
/** How many heights are kept. */
const MOST = 200;
/** Windows that differ by less are taken for equally wide. */
const WIDTH = 50;

/** Heights by list, the one shown last at the end; undefined until somebody asks. */
let heights;
let storing;

function known() {
  try {
    heights ??= new Map(JSON.parse(localStorage.getItem(STORE) ?? "[]"));
  } catch {
    // Storage is forbidden, or holds something else.
    heights = new Map();
  }
  return heights;
}

function keep(key, height) {
  const all = known();
  if (all.get(key) === height) return;
  all.delete(key);
  all.set(key, height);
  storing ??= setTimeout(() => {
    storing = undefined;
    try {
      localStorage.setItem(STORE, JSON.stringify([...all].slice(-MOST)));
    } catch {
      // Full or forbidden: the page's own number has to do.
    }
  }, 300);
}

/** The room of one element. */
export class Room {
  #root;
  #names;
  /** The style sheet of all elements. */
  #shared;
  #watch;
  #holds = false;

  /** `names` gives what distinguishes the list, from its server down to its object. */
  constructor(root, names) {
    this.#root = root;
    this.#names = names;
  }

  /** Styles the element with the sheet of all elements, and while the room is held with one of its own. */
  style(sheet) {
    this.#shared = sheet;
    const sheets = [sheet];
    if (this.#holds) {
      const [list, kind] = this.#keys();
      const height = known().get(list) ?? known().get(kind);
      const own = new (this.#root.host.ownerDocument.defaultView.CSSStyleSheet)();
      const least = `min-height:${height ? `${height}px` : "var(--checklist-reserve,0)"}`;
      // What only stands in for the list may not be higher than it; what can be read already may.
      const most = height && !this.#root.querySelector("data") ? `;max-height:${height}px;overflow:clip` : "";
      own.replaceSync(`:host{${least}${most}}`);
      sheets.push(own);
    }
    this.#root.adoptedStyleSheets = sheets;
  }

  /** Keeps the room until the list is there. */
  hold() {
    if (this.#holds) return;
    this.#holds = true;
    this.#watch?.disconnect();
    this.style(this.#shared);
  }

  /** The list is there: from now on it is as high as it is, which is remembered. */
  give() {
    if (!this.#holds) return;
    this.#holds = false;
    // What is drawn in this moment is on the screen two frames on.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (this.#holds) return;
        this.style(this.#shared);
        const { host } = this.#root;
        this.#watch ??= new ResizeObserver(([{ borderBoxSize }]) => {
          const height = Math.round(borderBoxSize[0].blockSize);
          if (height && !this.#holds && host.isConnected) this.#keys().forEach((key) => keep(key, height));
        });
        this.#watch.observe(host);
      }),
    );
  }

  /** The list itself, and lists of its kind: those of one template are about as high. */
  #keys() {
    const [id, ...kind] = this.#names();
    const of = (...parts) => JSON.stringify([Math.round(innerWidth / WIDTH), ...kind, ...parts]);
    return [of(id), of()];
  }
}
