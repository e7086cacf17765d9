import init from "./page.js";

await init({ module_or_path: new URL("./page.wasm", import.meta.url) });
