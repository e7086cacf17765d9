/** The small checklist with Lit 3. */

import { LitElement, css, html } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { live } from "lit/directives/live.js";
import { items, newId, status } from "./data.js";

class SmallChecklist extends LitElement {
  static formAssociated = true;
  static properties = { items: { state: true } };
  static styles = css`ul{list-style:none;margin:0;padding:0}li{display:flex;gap:8px;padding:6px}label{flex:1}`;
  #internals = this.attachInternals();

  constructor() {
    super();
    this.items = [];
    items().then((all) => (this.items = all));
  }

  #set(item, change) {
    this.items = this.items.map((other) => (other === item ? { ...other, ...change } : other));
  }

  #row = (item) => html`<li data-id=${item.id}>
    <input type="checkbox" id=${`c-${item.id}`} .checked=${live(item.done)} @change=${(event) => this.#set(item, { done: event.target.checked })}>
    <label for=${`c-${item.id}`}>${item.text}</label>
    <button type="button" @click=${() => this.#set(item, { text: prompt("Text", item.text) ?? item.text })}>Edit</button>
    <button type="button" @click=${() => (this.items = this.items.filter((other) => other !== item))}>Delete</button>
  </li>`;

  #add(event) {
    event.preventDefault();
    this.items = [...this.items, { id: newId(), text: event.target.elements.text.value, done: false }];
    event.target.reset();
  }

  render() {
    return html`<p class="status">${status(this.items)}</p>
      <ul>${repeat(this.items, (item) => item.id, this.#row)}</ul>
      <form @submit=${this.#add}><input name="text"></form>`;
  }

  updated() {
    this.#internals.setFormValue(JSON.stringify({ Completed: status(this.items) === "Completed" }));
  }
}

customElements.define("small-checklist", SmallChecklist);
