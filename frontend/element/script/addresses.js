/**
 * The server of an element.
 */

/** This file lies at `{base_url}/control/`; in the npm package the page's own origin stands here. */
export const DEFAULT_BASE = new URL("..", import.meta.url);

export function baseOf(element) {
  return element.baseUrl ? resolve(element.baseUrl) : DEFAULT_BASE.href;
}

/** An address of the page made whole; what is none stays as it is and fails when it is called. */
export function resolve(address) {
  return URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI).href : address;
}
