/**
 * The tokens of the page: a provider is asked once for all lists that the page shows, early
 * enough before the last token ends, and for another one when a server refuses it.
 */

import { resolve } from "./addresses.js";
import { advise } from "./advice.js";

/** The most contexts that one token covers. */
export const MOST_CONTEXTS = 200;

export const keyOf = ({ ObjectType, ObjectId, Purpose }) => JSON.stringify([ObjectType, ObjectId, Purpose ?? ""]);

/** Says `given` when a provider gives a token again that had refused one. */
export const tokenEvents = new EventTarget();

/** No token was given; `refused` unless the provider could not be reached. */
class NoToken extends TypeError {
  constructor(refused) {
    super("The page gave no token.");
    this.refused = refused;
  }
}

/** Whether an error says that the person is given no token, and not that a network is down. */
export const isRefusal = (error) => (error instanceof NoToken ? error.refused : !(error instanceof TypeError));

/** Holds the token of one provider and asks it once for all contexts that the page shows. */
export class Tokens {
  static #ofElement = new WeakMap();
  static #ofProvider = new WeakMap();
  static #ofAddress = new Map();
  static #count = 0;
  /** Which holder it is, among those of the page. */
  number = ++Tokens.#count;
  #source;
  #wanted = new Map();
  /** What the provider was asked for in vain, so that it is not asked again and again. */
  #beyond = new Set();
  #held;
  #asking;
  #refused = false;

  constructor(source) {
    this.#source = source;
  }

  /**
   * The holder for an element's provider, else for its token-url; undefined without either. An
   * element keeps its holder when its provider is replaced by another function: frameworks make
   * callbacks anew whenever they render.
   */
  static of(element) {
    const source = element.tokenProvider ?? (element.tokenUrl && resolve(element.tokenUrl));
    const isFunction = typeof source === "function";
    let holder = Tokens.#ofElement.get(element);
    if (!source) holder = undefined;
    else if (holder?.#source !== source) {
      const known = isFunction ? Tokens.#ofProvider : Tokens.#ofAddress;
      if (holder && isFunction && typeof holder.#source === "function") holder.#source = source;
      else holder = known.get(source) ?? new Tokens(source);
      known.set(source, holder);
    }
    Tokens.#ofElement.set(element, holder);
    return holder;
  }

  /** Says early that a context will be needed, so that one question covers the page. */
  want(context) {
    const key = keyOf(context);
    this.#wanted.delete(key);
    this.#wanted.set(key, context);
    if (this.#wanted.size > MOST_CONTEXTS) this.#wanted.delete(this.#wanted.keys().next().value);
  }

  /** Whether the token at hand opens a list. */
  covers(context) {
    return !!this.#held?.covers(context);
  }

  /** Whom the token at hand speaks for, and with which permissions. */
  get principal() {
    return this.#held?.principal ?? this.number;
  }

  /** A token that covers the contexts, as far as the provider gives one, and is not the refused one. */
  async get(contexts, reason, refused) {
    contexts.forEach((context) => this.want(context));
    const fits = (held) =>
      held &&
      held.until > Date.now() &&
      held.token !== refused &&
      contexts.every((context) => held.covers(context) || this.#beyond.has(keyOf(context)));
    // A question on its way may have begun before this one's contexts were known.
    for (let round = 0; round < 2 && !fits(this.#held); round++) {
      this.#asking ??= this.#ask(reason).finally(() => (this.#asking = undefined));
      await this.#asking;
    }
    return this.#held.token;
  }

  async #ask(reason) {
    try {
      await this.#askOnce(reason);
    } catch (error) {
      this.#refused = true;
      throw error;
    }
    if (this.#refused) tokenEvents.dispatchEvent(new Event("given"));
    this.#refused = false;
  }

  async #askOnce(reason) {
    await undefined; // lets every element of the same moment say what it wants
    const contexts = [...this.#wanted.values()];
    const asked = Date.now();
    const source = this.#source;
    const given = await (typeof source === "function" ? source({ contexts, reason }) : fetchToken(source, contexts));
    const { token, expiresAt } = given ?? {};
    if (!token || typeof token !== "string") {
      const wanted = typeof source === "function" ? "tokenProvider has to give { token, expiresAt }" : `${source} has to answer { Token, ExpiresAt }`;
      // The members alone: consoles are recorded, and the value may well be a token.
      const gave = given && typeof given === "object" ? `the members ${Object.keys(given).join(", ") || "(none)"}` : `a value of the type ${typeof given}`;
      advise("tokens", `${wanted}, with the token as a text; it gave ${gave}.`);
      throw new NoToken(true);
    }
    const life = expiresAt === undefined ? NaN : new Date(expiresAt).getTime() - asked;
    const lasts = Number.isNaN(life) ? 240_000 : life - Math.min(30_000, life / 5);
    this.#held = { token, until: asked + lasts, ...readToken(token, contexts) };
    for (const context of contexts) {
      if (this.#held.covers(context)) this.#beyond.delete(keyOf(context));
      else this.#beyond.add(keyOf(context));
    }
  }
}

/** What a token says of itself; one that cannot be read covers what was asked for. */
function readToken(token, asked) {
  try {
    const part = atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"));
    const claims = JSON.parse(new TextDecoder().decode(Uint8Array.from(part, (character) => character.charCodeAt(0))));
    const { contexts, exp: _, iat: __, nbf: ___, jti: ____, ...principal } = claims;
    const matches = (pattern, value) => pattern === "*" || (pattern ?? "") === (value ?? "");
    return {
      principal: JSON.stringify(principal),
      covers: (wanted) =>
        !Array.isArray(contexts) || contexts.some((one) => ["ObjectType", "ObjectId", "Purpose"].every((name) => matches(one[name], wanted[name]))),
    };
  } catch {
    const keys = new Set(asked.map(keyOf));
    return { covers: (wanted) => keys.has(keyOf(wanted)) };
  }
}

async function fetchToken(address, contexts) {
  let advice = `${address} has to answer { Token, ExpiresAt }; it cannot be reached (connect-src, CORS).`;
  let refused = false;
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ Contexts: contexts }),
    });
    const { ok, status } = answer;
    const type = answer.headers.get("Content-Type");
    refused = true;
    advice =
      status === 401 || status === 403
        ? `${address} answered ${status}: nobody is signed in there any more, or may have a token.`
        : `${address} has to answer { Token, ExpiresAt }; it answered ${status} ${type}.`;
    if (ok) {
      const { Token, ExpiresAt } = await answer.json();
      return { token: Token, expiresAt: ExpiresAt };
    }
    if (type?.startsWith("application/problem+json")) advice += ` ${(await answer.json()).detail ?? ""}`;
  } catch {
    // The advice says it.
  }
  // Without a network nobody has made a mistake.
  if (navigator.onLine) advise("tokens", advice);
  throw new NoToken(refused);
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
