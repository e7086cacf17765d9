/**
 * The tokens of the page: a provider is asked once for all lists that the page shows, early
 * enough before the last token ends, and for another one when a server refuses it.
 */

import { resolve } from "./addresses.js";

/** The most contexts that one token covers. */
export const MOST_CONTEXTS = 200;

export const keyOf = ({ ObjectType, ObjectId, Purpose }) => JSON.stringify([ObjectType, ObjectId, Purpose]);

/** Holds the token of one provider and asks it once for all contexts that the page shows. */
export class Tokens {
  static #ofProvider = new WeakMap();
  static #ofAddress = new Map();
  static #count = 0;
  /** Which holder it is, among those of the page. */
  number = ++Tokens.#count;
  #provider;
  #wanted = new Map();
  #held;
  #asking;

  constructor(provider) {
    this.#provider = provider;
  }

  /** The holder for an element's provider, else for its token-url; undefined without either. */
  static of(element) {
    const remember = (map, key, provider) => {
      if (!map.has(key)) map.set(key, new Tokens(provider));
      return map.get(key);
    };
    const { tokenProvider, tokenUrl } = element;
    if (tokenProvider) return remember(Tokens.#ofProvider, tokenProvider, tokenProvider);
    if (!tokenUrl) return undefined;
    const address = resolve(tokenUrl);
    return remember(Tokens.#ofAddress, address, (request) => fetchToken(address, request));
  }

  /** Says early that a context will be needed, so that one question covers the page. */
  want(context) {
    const key = keyOf(context);
    this.#wanted.delete(key);
    this.#wanted.set(key, context);
    if (this.#wanted.size > MOST_CONTEXTS) this.#wanted.delete(this.#wanted.keys().next().value);
  }

  /** A token that covers the contexts and is not the refused one. */
  async get(contexts, reason, refused) {
    contexts.forEach((context) => this.want(context));
    const fits = (held) =>
      held && held.until > Date.now() && held.token !== refused && contexts.every((context) => held.covers.has(keyOf(context)));
    // A question on its way may have begun before this one's contexts were known.
    for (let round = 0; round < 2 && !fits(this.#held); round++) {
      this.#asking ??= this.#ask(reason).finally(() => (this.#asking = undefined));
      await this.#asking;
    }
    return this.#held.token;
  }

  async #ask(reason) {
    await undefined; // lets every element of the same moment say what it wants
    const contexts = [...this.#wanted.values()];
    const asked = Date.now();
    const { token, expiresAt } = await this.#provider({ contexts, reason });
    if (typeof token !== "string") throw new TypeError("The token provider gave no token.");
    const life = expiresAt === undefined ? NaN : new Date(expiresAt).getTime() - asked;
    const lasts = Number.isNaN(life) ? 240_000 : life - Math.min(30_000, life / 5);
    this.#held = { token, until: asked + lasts, covers: new Set(contexts.map(keyOf)) };
  }
}

async function fetchToken(address, { contexts }) {
  const answer = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ Contexts: contexts }),
  });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  const { Token, ExpiresAt } = await answer.json();
  return { token: Token, expiresAt: ExpiresAt };
}

/** What asks for an element's token, and knows which one it was given last. */
export function askerOf(element) {
  let last;
  return async (contexts, reason) => {
    const tokens = Tokens.of(element);
    // Without a provider the page's own session has to do.
    if (!tokens) return "";
    last = await tokens.get(contexts, reason, reason === "renew" ? last : undefined);
    return last;
  };
}
