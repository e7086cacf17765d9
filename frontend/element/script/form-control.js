/**
 * What every form control of the platform has: the form, the labels, the validity. A click on a
 * label focuses the control.
 */

const internals = new WeakMap();

/** The internals of an element, which are nobody else's business. */
export function internalsOf(element) {
  return internals.get(element);
}

/** Takes part in forms as native controls do. */
export class FormControl extends HTMLElement {
  static formAssociated = true;

  constructor() {
    super();
    internals.set(this, this.attachInternals());
    this.addEventListener("click", labelClicked);
  }

  /** The type, as native controls have one. @readonly @type {"checklist-control"} */
  get type() {
    return this.localName;
  }

  /** @readonly @type {HTMLFormElement | null} */
  get form() {
    return internalsOf(this).form;
  }

  /** @readonly @type {NodeList} */
  get labels() {
    return internalsOf(this).labels;
  }

  /** @readonly @type {boolean} */
  get willValidate() {
    return internalsOf(this).willValidate;
  }

  /** @readonly @type {ValidityState} */
  get validity() {
    return internalsOf(this).validity;
  }

  /** @readonly @type {string} */
  get validationMessage() {
    return internalsOf(this).validationMessage;
  }

  checkValidity() {
    return internalsOf(this).checkValidity();
  }

  reportValidity() {
    return internalsOf(this).reportValidity();
  }
}

/** A click on a label outside arrives at the element itself, and outside of its box. */
function labelClicked(event) {
  if (event.composedPath()[0] !== this) return;
  const box = this.getBoundingClientRect();
  const { clientX: x, clientY: y } = event;
  if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) return;
  this.focus();
}
