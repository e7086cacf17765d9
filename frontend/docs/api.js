/**
 * The pages of the API reference: one language at a time for all samples, with the address of this
 * server, and a form that sends a call. A token is kept in this page's memory and nowhere else.
 */

import { base, completeCode, putAddress, server } from "./docs.js";

const KEPT = "checklist-docs-language";

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// ── Samples ────────────────────────────────────────────────────────────────────────────────────

for (const code of document.querySelectorAll(".sample code")) putAddress(code);

let language = "sh";
try {
  language = localStorage.getItem(KEPT) ?? language;
} catch {
  // The choice ends with the page.
}

function showLanguage() {
  for (const sample of document.querySelectorAll(".sample")) sample.hidden = sample.dataset.sample !== language;
  for (const radio of document.querySelectorAll(".languages input")) radio.checked = radio.value === language;
}

for (const [number, samples] of [...document.querySelectorAll(".samples")].entries()) {
  const choice = element("fieldset", { class: "segments languages" }, element("legend", { class: "sr" }, "Language of the example"));
  for (const sample of samples.querySelectorAll(".sample")) {
    const title = sample.querySelector("h4");
    const radio = element("input", { type: "radio", name: `language-${number}`, value: sample.dataset.sample });
    choice.append(element("label", {}, radio, element("span", {}, title.textContent)));
    title.remove();
  }
  choice.addEventListener("change", (event) => {
    const top = choice.getBoundingClientRect().top;
    language = event.target.value;
    showLanguage();
    // Samples above have another height now.
    scrollBy({ top: choice.getBoundingClientRect().top - top, behavior: "instant" });
    try {
      localStorage.setItem(KEPT, language);
    } catch {
      // The choice ends with the page.
    }
  });
  samples.prepend(choice);
}
showLanguage();

// ── Try it ─────────────────────────────────────────────────────────────────────────────────────

let token = "";

/** The demo's token, for whoever has none of their own; nothing where there is no demo. */
async function demoToken() {
  if (!(await server).Demo) return "";
  const answer = await fetch(`${base}/demo/token`, { method: "POST", credentials: "omit" });
  if (!answer.ok) return "";
  return (await answer.json()).Token;
}

function form(place, number) {
  const { method, path, body } = place.dataset;
  const address = element("input", { id: `try-address-${number}`, value: path, spellcheck: "false", autocomplete: "off" });
  const secret = element("input", { id: `try-token-${number}`, type: "password", autocomplete: "off", placeholder: "ck_…" });
  server.then(({ Demo }) => Demo && (secret.placeholder = "the demo’s own"));
  const fields = [element("label", { for: address.id }, "Path"), address, element("label", { for: secret.id }, "Token or API key"), secret];
  let text;
  if (body !== undefined) {
    text = element("textarea", { id: `try-body-${number}`, rows: Math.min(14, body.split("\n").length + 1), spellcheck: "false" });
    text.value = body;
    fields.push(element("label", { for: text.id }, "Body"), text);
  }
  const send = element("button", { type: "submit", class: "button" }, `Send ${method}`);
  const result = element("div", { class: "result", role: "status" });
  const made = element("form", {}, ...fields, send, result);
  secret.addEventListener("change", () => (token = secret.value.trim()));
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    result.replaceChildren(element("p", {}, "Sending…"));
    try {
      token = secret.value.trim() || (await demoToken());
      if (!token) {
        result.replaceChildren(element("p", {}, "This server does not run in demo mode: enter a token or an API key."));
        secret.focus();
        return;
      }
      const headers = { Authorization: `Bearer ${token}`, ...(text && { "Content-Type": "application/json" }) };
      const answer = await fetch(base + address.value, { method, headers, body: text?.value, credentials: "omit" });
      const said = await answer.text();
      let shown = said;
      try {
        shown = JSON.stringify(JSON.parse(said), null, 2);
      } catch {
        // No JSON: as it is.
      }
      const block = element("div", { class: "code" }, element("pre", {}, element("code", {}, shown || "(no content)")));
      result.replaceChildren(element("p", {}, element("b", {}, `${answer.status} ${answer.statusText}`.trim())), block);
      completeCode(result);
    } catch (error) {
      result.replaceChildren(element("p", {}, `The call could not be sent: ${error.message}`));
    } finally {
      send.disabled = false;
    }
  });
  return made;
}

for (const [number, place] of [...document.querySelectorAll(".try")].entries()) {
  const details = element("details", {}, element("summary", {}, "Try it"));
  details.addEventListener(
    "toggle",
    () => {
      details.append(form(place, number));
    },
    { once: true },
  );
  place.append(details);
}
