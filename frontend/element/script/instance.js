/**
 * The WASM: loaded once for the page, when the first element is connected, and watched from
 * then on. One that has broken off is replaced by the next, with addresses of its own.
 */

import { GLUE, PARTS, WASM } from "./files.js";

/** Everything that is mounted or wants to be. */
export const mounts = new Set();
let loading;
let attempts = 0;

/** Whether the WASM is here, so that nothing has to stand in for it. */
let here = false;
export const isHere = () => here;

/** The WASM, ready to be called; the same one for the whole page. */
export function load() {
  loading ??= instantiate().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function instantiate() {
  // What failed is remembered under its address, and what has stopped may go on failing: each
  // further instance has addresses of its own.
  const attempt = attempts++ ? `?${attempts}` : "";
  const [script, code] = [GLUE, WASM].map((address) => new URL(attempt, address));
  // Whoever bundles this has copied the glue as it is: see the addresses at the top.
  const glue = await import(/* @vite-ignore */ /* webpackIgnore: true */ script.href);
  // The chunks that come later are parts of the same instance: it stops once, as a whole.
  const instance = { depth: 0, broken: undefined };
  glue.watchedBy((exports) => watched(exports, instance));
  glue.partsBy((name) => fetch(new URL(attempt, PARTS[name])));
  await glue.default({ module_or_path: code });
  here = true;
  return glue;
}

const told = new WeakSet();

/** Whether this error has stopped everything that is mounted, which says so by now. */
export const hasStopped = (error) => told.has(error);

/**
 * What an instance exports, each call with an eye on how it ends. One that broke off inside (a
 * panic, a full memory, a stack without end) leaves the instance half done, so none of its views
 * goes on. Errors that reach the page would not do: WebKit tells a page nothing about those from
 * WASM, and a page may catch what its own calls throw.
 */
function watched(exports, instance) {
  const watch = (call) => (...given) => {
    instance.depth++;
    try {
      return call(...given);
    } catch (error) {
      if ([WebAssembly.RuntimeError, RangeError].some((kind) => error instanceof kind) || error?.name === "InternalError") instance.broken ??= error;
      throw error;
    } finally {
      // Not before nothing of it runs any more.
      if (!--instance.depth && instance.broken && !told.has(instance.broken)) stop(instance.broken);
    }
  };
  return Object.fromEntries(
    Object.entries(exports).map(([name, one]) => [name, typeof one === "function" ? watch(one) : one]),
  );
}

function stop(error) {
  told.add(error);
  loading = undefined;
  mounts.forEach((mount) => mount.fail("stopped"));
}
