// Loads the pages, and says so when they cannot go on: a panic in WebAssembly ends everything
// that follows, so nothing inside it can tell. Loaded by index.html.
import init from "./__PAGES_GLUE__";

const TEXTS = {
  en: ["This page has stopped. Load it again to go on.", "Load again"],
  de: ["Diese Seite ist stehen geblieben. Bitte neu laden.", "Neu laden"],
};

function stopped() {
  if (document.querySelector(".stopped")) return;
  const [sentence, action] = TEXTS[document.documentElement.lang] ?? TEXTS.en;
  const notice = document.createElement("div");
  notice.className = "stopped";
  notice.setAttribute("role", "alert");
  const text = document.createElement("p");
  text.textContent = sentence;
  const again = document.createElement("a");
  again.className = "button primary";
  again.href = location.href;
  again.target = "_self";
  again.textContent = action;
  notice.append(text, again);
  document.body.prepend(notice);
}

const watch = (error) => {
  if (error instanceof WebAssembly.RuntimeError) stopped();
};
addEventListener("error", (event) => watch(event.error));
addEventListener("unhandledrejection", (event) => watch(event.reason));

try {
  await init({ module_or_path: new URL("./__PAGES_WASM__", import.meta.url) });
} catch (error) {
  stopped();
  throw error;
}
