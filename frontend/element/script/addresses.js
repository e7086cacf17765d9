/**
 * The server of an element.
 */

/** This file lies at `{base_url}/control/`; in the npm package the page's own origin stands here. */
export const DEFAULT_BASE = new URL("..", import.meta.url);

/** The server of the element that was asked last: all of a page have one, as a rule. */
export let server = DEFAULT_BASE.href;

export function baseOf(element) {
  server = element.baseUrl ? resolve(element.baseUrl) : DEFAULT_BASE.href;
  return server;
}

/** An address of the page made whole; what is none stays as it is and fails when it is called. */
export function resolve(address) {
  return URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI).href : address;
}
