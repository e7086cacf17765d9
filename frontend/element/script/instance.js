/**
 * The WASM: loaded once for the page, when the first element is connected, and watched from
 * then on. One that has broken off is replaced by the next, with addresses of its own.
 */

import { GLUE, WASM } from "./addresses.js";

/** Everything that is mounted or wants to be. */
export const mounts = new Set();
let loading;
let attempts = 0;

/** The WASM, ready to be called; the same one for the whole page. */
export function load() {
  loading ??= instantiate().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** How stack traces name the code of the one instance that is alive. */
let ours = [];

async function instantiate() {
  // What failed is remembered under its address, and what has stopped may go on failing: each
  // further instance has addresses of its own.
  const attempt = attempts++ ? `?${attempts}` : "";
  const [script, code] = [GLUE, WASM].map((address) => new URL(attempt, address));
  // Whoever bundles this has copied the glue as it is: see the addresses at the top.
  const glue = await import(/* @vite-ignore */ /* webpackIgnore: true */ script.href);
  await glue.default({ module_or_path: code });
  ours = [script, code].map((address) => `${address.pathname}${attempt}:`);
  return glue;
}

addEventListener("error", (event) => watch(event.error));
addEventListener("unhandledrejection", (event) => watch(event.reason));

/**
 * Looks at an error that leaves the WASM. One that broke off inside (a panic, a full memory, a
 * stack without end) leaves it half done, so none of its views goes on. Answers whether it did.
 */
export function watch(error) {
  const broken = [WebAssembly.RuntimeError, RangeError].some((kind) => error instanceof kind) || error?.name === "InternalError";
  if (!broken || !ours.some((address) => error.stack?.includes(address))) return false;
  ours = [];
  loading = undefined;
  mounts.forEach((mount) => mount.fail("stopped"));
  return true;
}
