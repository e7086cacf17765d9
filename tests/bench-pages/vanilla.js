/**
 * The small checklist without a library: a form-associated element that draws its rows once and
 * changes what has changed. Where a server has drawn the rows already, it takes those.
 */

import { items, newId, status } from "./data.js";

const style = new CSSStyleSheet();
style.replaceSync("ul{list-style:none;margin:0;padding:0}li{display:flex;gap:8px;padding:6px}label{flex:1}");
const rowTemplate = document.createElement("template");
rowTemplate.content.append(document.createElement("li"));
rowTemplate.content.firstChild.append(
  Object.assign(document.createElement("input"), { type: "checkbox" }),
  document.createElement("label"),
  Object.assign(document.createElement("button"), { type: "button", className: "edit", textContent: "Edit" }),
  Object.assign(document.createElement("button"), { type: "button", className: "delete", textContent: "Delete" }),
);

class SmallChecklist extends HTMLElement {
  static formAssociated = true;
  #internals = this.attachInternals();
  #root = this.#internals.shadowRoot ?? this.attachShadow({ mode: "open" });
  #items = [];

  async connectedCallback() {
    this.#root.adoptedStyleSheets = [style];
    if (this.#root.querySelector("ul")) {
      this.#items = [...this.#root.querySelectorAll("li")].map((row) => ({
        id: row.dataset.id,
        text: row.querySelector("label").textContent,
        done: row.querySelector("input").checked,
      }));
    } else {
      const status = Object.assign(document.createElement("p"), { className: "status" });
      const form = document.createElement("form");
      form.append(Object.assign(document.createElement("input"), { name: "text" }));
      this.#root.append(status, document.createElement("ul"), form);
      this.#items = await items();
      this.#list.append(...this.#items.map((item) => this.#row(item)));
    }
    this.#list.addEventListener("change", (event) => this.#tick(event));
    this.#list.addEventListener("click", (event) => this.#press(event));
    this.#root.querySelector("form").addEventListener("submit", (event) => this.#add(event));
    this.#changed();
  }

  get #list() {
    return this.#root.querySelector("ul");
  }

  #row(item) {
    const row = document.importNode(rowTemplate.content, true).firstChild;
    row.dataset.id = item.id;
    const [box, label] = row.children;
    box.id = `c-${item.id}`;
    box.checked = item.done;
    label.htmlFor = box.id;
    label.textContent = item.text;
    return row;
  }

  #of(event) {
    const row = event.target.closest("li");
    return [row, this.#items.find((item) => item.id === row?.dataset.id)];
  }

  #tick(event) {
    const [, item] = this.#of(event);
    if (!item) return;
    item.done = event.target.checked;
    this.#changed();
  }

  #press(event) {
    const [row, item] = this.#of(event);
    if (event.target.matches(".delete")) {
      this.#items = this.#items.filter((other) => other !== item);
      row.remove();
      this.#changed();
    } else if (event.target.matches(".edit")) {
      item.text = prompt("Text", item.text) ?? item.text;
      row.querySelector("label").textContent = item.text;
    }
  }

  #add(event) {
    event.preventDefault();
    const item = { id: newId(), text: event.target.elements.text.value, done: false };
    this.#items.push(item);
    this.#list.append(this.#row(item));
    event.target.reset();
    this.#changed();
  }

  #changed() {
    const said = status(this.#items);
    this.#root.querySelector(".status").textContent = said;
    this.#internals.setFormValue(JSON.stringify({ Completed: said === "Completed" }));
  }
}

customElements.define("small-checklist", SmallChecklist);
