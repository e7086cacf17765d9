// Runs in every page before its own scripts. Notes what goes wrong, and finds things by what
// people see of them: items by their text, buttons by their name.
(() => {
  if (window.__probe) return;
  const troubles = [];
  const note = (kind, text) => troubles.push(`${kind}: ${text}`);
  addEventListener("securitypolicyviolation", (event) => {
    // The browser's own wish for an icon is none of the page's.
    if (event.blockedURI.endsWith("/favicon.ico")) return;
    note("violation", `${event.effectiveDirective} ${event.blockedURI} ${event.sample} ${event.sourceFile}:${event.lineNumber}`);
  });
  addEventListener("error", (event) => note("error", event.message || `${event.target?.tagName} could not be loaded`), true);
  addEventListener("unhandledrejection", (event) => note("rejection", String(event.reason)));
  for (const level of ["error", "warn"]) {
    const original = console[level].bind(console);
    console[level] = (...parts) => {
      note(level, parts.map(String).join(" "));
      original(...parts);
    };
  }

  if (window.__slowWasm) {
    const real = window.fetch;
    window.fetch = async (what, ...rest) => {
      if (String(what.url ?? what).endsWith(".wasm")) await new Promise((go) => setTimeout(go, window.__slowWasm));
      return real(what, ...rest);
    };
  }

  const tidy = (text) => (text ?? "").replace(/[\u2066-\u2069\u200e\u200f]/g, "").replace(/\s+/g, " ").trim();
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    return box.width > 0 && box.height > 0 && style.visibility !== "hidden";
  };
  // A list that only the server has drawn cannot be worked with yet: it counts as not there, but
  // for tests that look at the drawing itself and say so by `__looksAtDrawings`.
  const root = (selector) => {
    const shadow = document.querySelector(selector)?.shadowRoot ?? null;
    return !window.__looksAtDrawings && shadow?.querySelector("data[hidden]") ? null : shadow;
  };
  const named = (element) => {
    const by = element.getAttribute("aria-labelledby");
    if (by) {
      const scope = element.getRootNode();
      return tidy(by.split(/\s+/).map((id) => scope.getElementById(id)?.textContent).join(" "));
    }
    const label = element.getAttribute("aria-label");
    if (label) return tidy(label);
    const labels = element.labels;
    if (labels?.length) return tidy([...labels].map((one) => one.textContent).join(" "));
    // The keys beside an entry of a menu are for the eye alone.
    const said = [...element.childNodes].filter((one) => one.ariaHidden !== "true").map((one) => one.textContent).join("");
    return tidy(said || element.textContent || element.title || element.placeholder);
  };
  const all = (selector, what) => [...(root(selector)?.querySelectorAll(what) ?? [])];

  // A row is a list item with a text of its own; what it holds of others does not count.
  const rows = (selector) => all(selector, "li.row, li[part~='row']");
  const textOf = (row) => tidy(row.querySelector("[part~='text'], .text")?.textContent);
  const row = (selector, text) => rows(selector).find((one) => textOf(one) === text) ?? null;

  // How far around its centre a target can be hit, itself or its label, in CSS pixels.
  const reach = (element) => {
    element.scrollIntoView({ block: "center" });
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const hits = (dx, dy) => {
      const hit = element.getRootNode().elementFromPoint(x + dx, y + dy);
      return !!hit && (element.contains(hit) || hit.closest("label")?.control === element);
    };
    const run = (dx, dy) => {
      let far = 0;
      while (far < 48 && hits(dx * (far + 1), dy * (far + 1))) far += 1;
      return far;
    };
    return { width: run(-1, 0) + run(1, 0) + 1, height: run(0, -1) + run(0, 1) + 1 };
  };

  // Pages with Trusted Types load further scripts through a policy of their own.
  const policy = window.trustedTypes?.createPolicy("page", { createScriptURL: (url) => url });
  const load = (url, type = "text/javascript") => {
    const script = document.createElement("script");
    script.type = type;
    script.src = policy ? policy.createScriptURL(url) : url;
    document.head.append(script);
  };

  const deepActive = () => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active;
  };

  // Whether an element is where it was some 20 ms ago.
  const standsStill = async (element) => {
    const place = () => JSON.stringify(element?.getBoundingClientRect());
    const before = place();
    await new Promise((go) => setTimeout(go, 20));
    return place() === before;
  };

  window.__probe = {
    standsStill,
    troubles,
    tidy,
    seen,
    root,
    named,
    reach,
    load,
    rows: (selector) =>
      rows(selector).filter(seen).map((one) => {
        const box = one.querySelector("input[type=checkbox]");
        return { Text: textOf(one), Checkbox: !!box, Checked: !!box?.checked, Disabled: !!box?.disabled || box?.getAttribute("aria-disabled") === "true", All: tidy(one.textContent) };
      }),
    row,
    checkbox: (selector, text) => row(selector, text)?.querySelector("input[type=checkbox]") ?? null,
    within: (selector, text, what, name) => {
      const scope = text === null ? root(selector) : row(selector, text);
      const found = [...(scope?.querySelectorAll(what) ?? [])].filter(seen);
      return found.find((one) => named(one) === name) ?? found.find((one) => named(one).startsWith(name)) ?? null;
    },
    buttons: (selector) => all(selector, "button, [role=menuitem]").filter(seen).map(named),
    deepActive,
    active: () => {
      const active = deepActive();
      return active ? `${active.localName} ${named(active)}`.trim() : "";
    },
    focusRow: () => textOf(deepActive()?.closest("li") ?? document.createElement("li")),
    text: (selector) => tidy(root(selector)?.textContent),
    said: (selector) => all(selector, "[aria-live], [role=status], [role=alert]").map((one) => tidy(one.textContent)).filter(Boolean),
    state: (selector, name) => document.querySelector(selector).matches(`:state(${name})`),
  };
})();
