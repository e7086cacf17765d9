// What the typings for React 19 refuse: each line under `@ts-expect-error` has to be an error.

import "@checklist-control/element/react";

export const refused = [
  // @ts-expect-error completed can only be read
  <checklist-control completed />,
  // @ts-expect-error an id is a text
  <checklist-control objectId={1} />,
  // @ts-expect-error no such property
  <checklist-control objectKey="1" />,
  // @ts-expect-error a provider is a function
  <checklist-control tokenProvider="token" />,
  // @ts-expect-error no such detail
  <checklist-control oncompleted-changed={(event) => event.detail.done} />,
  // @ts-expect-error a preview has no object
  <checklist-preview objectId="1" />,
];

export const taken = [
  <checklist-control object-id="1" disable-check className="narrow" ref={(list) => void list?.flush()} onChange={() => {}} />,
  <checklist-preview template="onboarding" onchecklist-error={(event) => event.detail.message} />,
];
