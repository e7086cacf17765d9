// What the typings for React 18 refuse: each line under `@ts-expect-error` has to be an error.

import "@checklist-control/element/react18";

export const refused = [
  // @ts-expect-error React 18 would write a function into an attribute
  <checklist-control tokenProvider={async () => ({ token: "", expiresAt: 0 })} />,
  // @ts-expect-error React 18 knows no handlers of custom elements
  <checklist-control oncompleted-changed={() => {}} />,
  // @ts-expect-error attributes go by their names
  <checklist-control objectId="1" />,
  // @ts-expect-error on custom elements it is class
  <checklist-control className="narrow" />,
];

export const taken = [
  <checklist-control object-id="1" disable-check={false} class="narrow" ref={(list) => void list?.flush()} onChange={() => {}} />,
  <checklist-preview template="onboarding" hidden />,
];
