/**
 * Which tab holds a stream: one for all tabs of an origin. It relays what it hears to the others;
 * when it goes or is closed, the next one holds the stream. Browsers open six connections to a
 * server of HTTP/1.1, all tabs together, and a stream takes one for good.
 */

/** Which tab this is. */
const TAB = crypto.getRandomValues(new Uint32Array(2)).join("-");

/** One tab's place among those that need the same stream. */
export class Turn {
  #channel;
  #ending = new AbortController();
  #release;
  /** What the other tabs follow, by tab; of interest to the one that holds the stream. */
  #wanted = new Map();

  /** Whether this tab holds the stream. */
  holds = false;

  /**
   * @param {string} name of the stream
   * @param {() => object[]} contexts what this tab follows
   * @param {{begin: () => void, changed: (anew: boolean) => void, heard: (message: object) => void}} told
   */
  constructor(name, contexts, told) {
    const begin = () => {
      this.holds = true;
      told.begin();
    };
    const { locks } = navigator;
    // Pages without TLS have no locks, and hold a stream each.
    if (!locks) {
      queueMicrotask(begin);
      return;
    }
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = ({ data: { from, want, leave, ask, ...message } }) => {
      if (ask) this.want(contexts());
      else if (leave) {
        // The person is not to be seen there any longer.
        if (this.#wanted.delete(from) && this.holds) told.changed(true);
      } else if (want) {
        const isNew = !this.#wanted.has(from);
        const before = JSON.stringify(this.#wanted.get(from));
        this.#wanted.set(from, want);
        if (this.holds) told.changed(isNew || JSON.stringify(want) !== before);
      } else if (!this.holds) told.heard(message);
    };
    const hold = () => {
      begin();
      this.#send({ ask: true });
      return new Promise((resolve) => (this.#release = resolve));
    };
    locks.request(name, { signal: this.#ending.signal }, hold).catch((error) => {
      // Frames without an origin of their own have none either.
      if (error?.name === "SecurityError") begin();
    });
    this.want(contexts());
  }

  /** What all tabs follow, this one's first. */
  all(own) {
    return [own, ...this.#wanted.values()].flat();
  }

  /** Says what this tab follows now. */
  want(contexts) {
    this.#send({ want: contexts });
  }

  /** Tells the other tabs. */
  relay(message) {
    if (this.holds) this.#send(message);
  }

  /** The next one, please. */
  end() {
    this.#send({ leave: true });
    this.#channel?.close();
    this.#ending.abort();
    this.#release?.();
    this.holds = false;
  }

  #send(message) {
    this.#channel?.postMessage({ from: TAB, ...message });
  }
}
