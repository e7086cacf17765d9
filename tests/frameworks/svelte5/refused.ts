// What the typings for Svelte's templates refuse: each line under `@ts-expect-error` has to be an error.

import "@checklist-control/element/svelte";
import type { SvelteHTMLElements } from "svelte/elements";

type Control = SvelteHTMLElements["checklist-control"];
type Preview = SvelteHTMLElements["checklist-preview"];

export const refused: [Control, Control, Control, Control, Preview] = [
  // @ts-expect-error completed can only be read
  { completed: true },
  // @ts-expect-error an id is a text
  { objectId: 1 },
  // @ts-expect-error a provider is a function
  { tokenProvider: "token" },
  // @ts-expect-error no such detail
  { "oncompleted-changed": (event) => event.detail.done },
  // @ts-expect-error a preview has no object
  { objectId: "1" },
];

export const taken: [Control, Preview] = [
  { "object-id": "1", "disable-check": true, class: "narrow", onclick: (event) => event.currentTarget.completed },
  { template: "onboarding", "onchecklist-error": (event) => event.detail.message },
];
