/**
 * The states of the gallery: which element with which attributes, its caption, what its server
 * answers, and what a person does to bring the state about. Answers have the shape of the web
 * services; a test reads each with the server's own types.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (offset) => new Date(Date.now() + offset).toISOString();
const person = (name) => ({ Id: name.toLowerCase().replaceAll(/\W+/g, "-"), Name: name, Kind: "Person" });
const assignee = (name) => ({ Id: person(name).Id, Name: name });
const TEMPLATE = { Id: "template", Name: "Template", Kind: "Program" };
const EVERYTHING = ["Read", "Check", "UncheckOthers", "Edit", "Add", "Delete", "Reorder", "Refresh", "Lock", "DeleteRequired"];
const KELLER = person("M. Keller");
const JANSEN = person("A. Jansen");
const BACKUP = { Id: "backup", Name: "Backup server", Kind: "Program" };
const FINCH = { Id: "finch", Name: "Finch", Kind: "Agent", OnBehalfOf: KELLER, Mode: "Autonomous" };
const SAMPLE = { Name: "Restore log of 26 November", Url: "https://backup.example.org/runs/4711" };

/** What items ask for. */
const COLD = { Type: "Number", Unit: "°C", Min: 2, Max: 8 };
const DOOR = { Type: "Choice", Choices: [{ Key: "shut", Text: "Shut" }, { Key: "open", Text: "Open" }, { Key: "ice", Text: "Iced up" }] };

const idOf = (number) => `018f5a00-0000-7000-8000-${String(number).padStart(12, "0")}`;

/** The items of a list, sections with the rows in them: `section(text, …rows)`. */
function items(rows) {
  const made = [];
  const add = ({ Rows = [], ...fields }, parent) => {
    const number = made.length + 1;
    made.push({
      Id: idOf(number),
      Origin: "Template",
      Kind: "Item",
      ...(parent && { ParentId: parent }),
      SortKey: (0x1000 + number).toString(16) + "80",
      TextHash: "",
      TextOverridden: false,
      Status: "Open",
      Required: false,
      AllowNotApplicable: true,
      NotApplicableNeedsReason: false,
      Version: 1,
      CreatedBy: TEMPLATE,
      CreatedAt: at(-30 * HOUR),
      ModifiedBy: TEMPLATE,
      ModifiedAt: at(-30 * HOUR),
      ChangedSinceChecked: false,
      ...fields,
    });
    Rows.forEach((row) => add(row, idOf(number)));
  };
  rows.forEach((row) => add(row));
  return made;
}

const item = (Text, more) => ({ Text, ...more });
const section = (Text, ...Rows) => ({ Text, Kind: "Section", AllowNotApplicable: false, Rows });
const done = (Text, By = KELLER, ago = 16 * MINUTE, more) => ({ Text, Status: "Done", StatusBy: By, StatusAt: at(-ago), ...more });

/** An item that somebody has answered. */
const answered = (Text, AnswerFormat, Answer) => done(Text, KELLER, 4 * MINUTE, { AnswerFormat, Proposal: { Status: "Done", Version: 1, Revision: 6, By: KELLER, At: at(-4 * MINUTE), Answer, Accepted: true } });

/** The answer of GetItems for these rows. */
function list(Title, rows, more) {
  const Items = items(rows);
  const count = (test) => Items.filter((one) => one.Kind === "Item" && test(one)).length;
  const [Total, Done, NotApplicable] = [count(() => true), count((one) => one.Status === "Done"), count((one) => one.Status === "NotApplicable")];
  const Open = Total - Done - NotApplicable;
  const State = Total === 0 ? "Empty" : Open === 0 ? "Complete" : "Open";
  const open = Items.filter((one) => one.Kind === "Item" && one.Status === "Open");
  return {
    Context: { ObjectType: "incident", ObjectId: "INC-20418", Purpose: "" },
    Revision: 7,
    State,
    Completed: State === "Complete",
    Counts: { Total, Done, NotApplicable, Open, RequiredOpen: count((one) => one.Status === "Open" && one.Required) },
    Blockers: open.slice(0, 20).map(({ Id, Text }) => ({ Id, Text })),
    Items,
    Removed: [],
    Delta: false,
    Title,
    TemplateId: "incident-standard",
    TemplateVersion: 3,
    CompletionRule: "All",
    Permissions: EVERYTHING,
    Limits: { Items: { Max: 200, WarnAt: 180, Used: Total }, Text: 1000, Help: 8000, Note: 1000, Batch: 200 },
    ...more,
  };
}

/** The answer of a writing call: what became of its one item. */
function written(before, result, more) {
  const { Revision, State, Completed, Counts, Blockers } = before;
  const Applied = result && ["Conflict", "Failed"].includes(result.Outcome) ? "None" : "All";
  return { Revision: Revision + 1, State, Completed, Counts, Blockers, Applied, Results: result ? [result] : [], Journal: { Written: false, Entries: 0 }, ...more };
}

const problem = (status, Code, title, detail) => ({ status, type: `urn:checklist:problem:${Code}`, title, detail, Code, RequestId: "018f5a00-0000-7000-8000-00000000ffff" });

// ── Lists ──────────────────────────────────────────────────────────────────────────────────────

const INCIDENT = () => [
  section("Triage", done("Confirm impact and urgency with the caller"), done("Link the affected configuration item", JANSEN, 12 * MINUTE)),
  section(
    "Diagnosis",
    item("Collect the last 30 minutes of gateway logs", {
      Required: true,
      Assignee: assignee("A. Jansen"),
      Due: at(-90 * MINUTE),
      Help: "Export from the gateway console, filtered by **errors**.\n\nAttach the file to the ticket, not to this list.",
    }),
    item("Restart the print spooler", { Status: "NotApplicable", Reason: "the caller prints by cloud queue", StatusBy: KELLER, StatusAt: at(-10 * MINUTE) }),
    done("Compare with yesterday’s calendar of changes", KELLER, 9 * MINUTE, {
      ChangedSinceChecked: true,
      Attested: { Text: "Compare with the change calendar", Language: "en", TemplateVersion: 2, Basis: "Seen" },
    }),
    item("Agree the workaround with the shift lead", { Due: at(90 * MINUTE), Note: "She is on call until 18:00." }),
  ),
  section("After that", item("Write the summary for the next shift", { Due: at(26 * HOUR) })),
];
const SHORT = () => [done("Summary written for the next shift"), item("Caller informed"), item("Pager handed over")];
const COMPLETE = () => [done("Summary written for the next shift"), done("Caller informed", JANSEN, 5 * MINUTE), done("Pager handed over", KELLER, 2 * MINUTE)];
const CHANGED = { FromVersion: 3, ToVersion: 4, Added: 2, Changed: 1, Removed: 1 };
const LONG = [
  "Check that the certificate of every gateway in both data centres names all of its aliases, is signed by the authority that the phones trust, and does not end before the next maintenance window",
  "Open https://intranet.example.org/operations/voice/gateways/building-4/third-floor/runbooks/certificates?view=complete&sort=ascending and follow it",
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
];

/** Items of several lists as FindItems answers them. */
function OPEN() {
  const made = items([
    item("Call the supplier back", { Assignee: assignee("M. Keller"), Due: at(-90 * MINUTE), Required: true }),
    item("Attach the log of the restore", { Assignee: assignee("M. Keller"), Due: at(20 * HOUR), RequiresEvidence: true }),
    item("Hand the pager over", { Assignee: assignee("M. Keller") }),
  ]);
  const places = [
    ["INC-20418", "Incident handling", "Diagnosis"],
    ["INC-20421", "Restore"],
    ["INC-20430", "Handover"],
  ];
  return places.map(([ObjectId, Title, Section], number) => ({
    Context: { ObjectType: "incident", ObjectId, Purpose: "" },
    Title,
    State: "Open",
    Permissions: EVERYTHING,
    ...(Section && { Section }),
    Item: { ...made[number], TextHash: "0".repeat(64) },
  }));
}
const found = (Items) => ({ Items, AtLeast: Items.length });

// ── States ─────────────────────────────────────────────────────────────────────────────────────

/** Answers of a state by call; a call without one waits for ever. */
const reads = (title, rows, more) => ({ GetItems: () => list(title, rows(), more) });

export const CHAPTERS = [
  {
    id: "work",
    title: "Default",
    states: [
      { name: "incident", wide: true, title: "Default", about: "Completed, required, overdue, not applicable, wording changed since it was checked; the help of one item is open.", answers: reads("Incident handling", INCIDENT), steps: ({ press }) => [press("Collect the last 30 minutes of gateway logs", "help-toggle")] },
      { name: "completed", title: "Completed", about: "Every item is resolved. :state(completed) matches.", answers: reads("Handover", COMPLETE) },
      { name: "pending", title: "Saving", about: "An item is checked, and the server has not confirmed it yet. :state(pending) matches.", answers: reads("Handover", SHORT), steps: ({ press, shows }) => [press("Caller informed", "box"), shows(".pending")] },
    ],
  },
  {
    id: "reading",
    title: "Read-only",
    states: [
      { name: "no-check", title: "Disable check", about: "No checkboxes are rendered; the status is an icon with its text.", attributes: { "disable-check": "" }, answers: reads("Handover", () => [...SHORT(), item("Badge returned", { Status: "NotApplicable", StatusBy: KELLER, StatusAt: at(-HOUR) })]) },
      { name: "no-edit", title: "Disable edit", about: "Items can be checked, but not added, changed, moved or deleted.", attributes: { "disable-edit": "" }, answers: reads("Handover", SHORT) },
      { name: "read-only", title: "Read-only", about: "Can be focused and read; the value stays in the form. :state(readonly) matches.", attributes: { readonly: "" }, answers: reads("Handover", SHORT) },
      { name: "disabled", title: "Disabled", about: "Cannot be changed, and is not part of the form’s data.", attributes: { disabled: "" }, answers: reads("Handover", SHORT) },
      { name: "closed-run", title: "A closed run", about: "The attribute run shows an earlier run of the list as it was when it was closed, with who closed it and why.", attributes: { run: "1" }, answers: reads("Handover", () => [answered("Measure the temperature", COLD, { Value: 4.5, Label: "°C" }), item("Caller informed")], { Permissions: ["Read"], Run: { Number: 1, StartedAt: at(-8 * HOUR), Closed: { Reason: "End of the night shift", By: KELLER, At: at(-HOUR) } }, Locked: { Reason: "End of the night shift", By: KELLER, At: at(-HOUR) } }) },
      { name: "locked", title: "Locked", about: "Somebody has locked the list; the reason is shown. No attribute: the call Lock does it.", answers: reads("Handover", SHORT, { Locked: { Reason: "Under review", By: JANSEN, At: at(-25 * MINUTE) } }) },
      { name: "waived", title: "Waived", about: "Somebody with the permission Waive has let the list pass although items are open; who and why stays at its head, on paper too. :state(waived) matches, and a form that requires the list can be sent.", attributes: { required: "" }, answers: reads("Handover", SHORT, { State: "Waived", Waived: { Reason: "The badge is being reprinted until Monday", By: JANSEN, At: at(-25 * MINUTE) }, Permissions: [...EVERYTHING, "Waive"] }) },
      { name: "no-permission", title: "Permission to read only", about: "The token grants Read and nothing else. No attribute: the server says what the person may do.", answers: reads("Handover", SHORT, { Permissions: ["Read"] }) },
    ],
  },
  {
    id: "nothing",
    title: "Empty and loading",
    states: [
      { name: "empty", title: "Empty", about: "No items, for a person who may add some.", answers: reads("Handover", () => []), ready: ".empty" },
      { name: "empty-read", title: "Empty, read-only", about: "No items, for a person who may not add any.", answers: reads("Handover", () => [], { Permissions: ["Read"] }), ready: ".empty" },
      { name: "loading", title: "Loading", about: "Until the server has answered. The slot of the element shows before its script has loaded.", answers: {}, ready: ".skeleton" },
      { name: "error", title: "List cannot be loaded", about: "The server has answered with an error, here because the person may not see the list. :state(error) matches.", answers: { GetItems: () => problem(403, "PermissionDenied", "Forbidden", "This context is not open to the caller.") }, ready: ".failure" },
      { name: "unreachable", title: "No connection while loading", about: "The server does not answer. The control tries again by itself.", answers: { GetItems: () => "refused" }, ready: ".failure" },
      { name: "offline", title: "Offline", about: "The connection was lost; changes are kept and sent later. :state(offline) matches.", answers: { ...reads("Handover", SHORT), Events: () => "refused", UpdateItems: () => "refused" }, steps: ({ press, shows }) => [press("Caller informed", "box"), shows(".strip.quiet")] },
      { name: "signed-out", title: "Signed out", about: "The token has expired and there is no new one; the change waits.", answers: { ...reads("Handover", SHORT), UpdateItems: () => problem(401, "Unauthenticated", "Sign in", "No token.") }, steps: ({ press, shows }) => [press("Caller informed", "box"), shows(".messages")] },
      { name: "draft", title: "Draft", about: "Without object-id: the template is shown, and changes are sent once the object has an id.", attributes: { "object-id": null, template: "handover" }, answers: { Template: () => preview() } },
    ],
  },
  {
    id: "writing",
    title: "Editing",
    states: [
      { name: "editor", title: "Text editor", about: "F2, or Edit in the menu of a row.", answers: reads("Handover", SHORT), steps: ({ press, shows }) => [press("Caller informed", "more"), press("Caller informed", "Edit"), shows(".editor .input")] },
      { name: "definition", title: "What defines an item", about: "Help, required and kind, where the template lets people change them.", answers: reads("Handover", () => SHORT().map((row) => ({ ...row, Required: row.Text === "Caller informed" })), { CompletionRule: "Required", Changeable: ["Kind", "Required", "Help"] }), steps: ({ press, shows }) => [press("Caller informed", "more"), press("Caller informed", "Edit details"), shows(".editor textarea")] },
      { name: "details", title: "Details", about: "Note, assignee and due date of an item.", answers: reads("Handover", SHORT), steps: ({ press, shows }) => [press("Caller informed", "more"), press("Caller informed", "Edit details"), shows(".editor textarea")] },
      { name: "reason", title: "Reason required", about: "The template asks for a reason for “not applicable”.", answers: reads("Handover", () => SHORT().map((row) => ({ ...row, NotApplicableNeedsReason: true }))), steps: ({ press, shows }) => [press("Caller informed", "more"), press("Caller informed", "Not applicable…"), shows(".editor .input"), press("Caller informed", "Not applicable"), shows(".hint.danger")] },
      { name: "position", title: "Move to a position", about: "The alternative to dragging that needs no pointer.", answers: reads("Handover", SHORT), steps: ({ press, shows }) => [press("Caller informed", "more"), press("Caller informed", "Move to position…"), shows(".editor .input")] },
      { name: "adding", title: "Add an item", about: "The list is almost full, so the room that is left is shown.", answers: reads("Handover", SHORT, { Limits: { Items: { Max: 5, WarnAt: 3, Used: 3 }, Text: 1000, Help: 8000, Note: 1000, Batch: 200 } }), steps: ({ press, shows, type }) => [press(null, "add-button"), shows(".add .input"), type("Tell the duty manager")] },
    ],
  },
  {
    id: "messages",
    title: "Notifications",
    states: [
      {
        name: "text-conflict",
        title: "Text conflict",
        about: "Somebody else has changed the same text; both versions are kept until the person decides.",
        answers: {
          ...reads("Handover", SHORT),
          UpdateItems: () => {
            const theirs = { ...items(SHORT())[1], Text: "Caller and team informed", Version: 2, ModifiedBy: JANSEN, ModifiedAt: at(-2 * MINUTE) };
            return written(list("Handover", SHORT()), { Id: theirs.Id, Outcome: "Conflict", Item: theirs, Problem: { Code: "TextConflict", Detail: "The text has changed." } });
          },
        },
        steps: ({ press, shows, type }) => [press("Caller informed", "more"), press("Caller informed", "Edit"), shows(".editor .input"), type("Caller informed by phone"), press("Caller informed", "Save"), shows(".row .notice")],
      },
      {
        name: "tick-conflict",
        title: "Status conflict",
        about: "Somebody else has set another status; theirs is shown with name and time.",
        answers: {
          ...reads("Handover", SHORT),
          UpdateItems: () => {
            const theirs = { ...items(SHORT())[1], Status: "NotApplicable", StatusBy: JANSEN, StatusAt: at(-MINUTE), Version: 2, ModifiedBy: JANSEN, ModifiedAt: at(-MINUTE) };
            return written(list("Handover", SHORT()), { Id: theirs.Id, Outcome: "Conflict", Item: theirs, Problem: { Code: "StatusConflict", Detail: "The status has changed." } });
          },
        },
        steps: ({ press, shows }) => [press("Caller informed", "box"), shows(".row .notice")],
      },
      {
        name: "refused",
        title: "Change not saved",
        about: "The server has refused one change; it is rolled back with the reason.",
        answers: { ...reads("Handover", SHORT), UpdateItems: () => written(list("Handover", SHORT()), { Id: items(SHORT())[1].Id, Outcome: "Failed", Problem: { Code: "PermissionDenied", Detail: "Not allowed." } }) },
        steps: ({ press, shows }) => [press("Caller informed", "box"), shows(".row .notice")],
      },
      {
        name: "deleted",
        title: "Deleted",
        about: "Undo stays until the next change; there is no time limit.",
        answers: { ...reads("Handover", SHORT), DeleteItems: () => written(list("Handover", SHORT().slice(0, 1).concat(SHORT().slice(2))), { Id: items(SHORT())[1].Id, Outcome: "Deleted" }, { UndoId: undefined }) },
        steps: ({ press, shows }) => [press("Caller informed", "more"), press("Caller informed", "Delete"), shows(".messages")],
      },
      {
        name: "not-journaled",
        title: "Saved without a journal entry",
        about: "log-in-journal is set, but the object type keeps no journal; the reason is shown once.",
        attributes: { "log-in-journal": "" },
        answers: {
          ...reads("Handover", SHORT),
          UpdateItems: () => {
            const ticked = { ...items(SHORT())[1], Status: "Done", StatusBy: KELLER, StatusAt: at(0), Version: 2 };
            const Journal = { Written: false, Entries: 0, Reason: "Nothing is journaled: add UnitOfWork to the classes of the type 'task'." };
            return written(list("Handover", SHORT()), { Id: ticked.Id, Outcome: "Updated", Item: ticked }, { Journal });
          },
        },
        steps: ({ press, shows }) => [press("Caller informed", "box"), shows(".messages")],
      },
    ],
  },
  {
    id: "template",
    title: "Template updates",
    states: [
      { name: "changed", title: "Newer template version", about: "The template has a newer version that this list does not follow yet.", answers: reads("Handover", SHORT, { TemplateUpdate: CHANGED }) },
      {
        name: "review",
        title: "Review the changes",
        about: "What the new version would change, before it is applied.",
        answers: {
          ...reads("Handover", SHORT, { TemplateUpdate: CHANGED }),
          RefreshItemsOnTemplateChange: () =>
            written(list("Handover", SHORT()), undefined, {
              Changes: [
                { Case: "Added", TemplateKey: "e", Id: idOf(91), After: "Read the open alarms together" },
                { Case: "Updated", TemplateKey: "b", Id: idOf(2), Before: "Caller informed", After: "Caller and team informed" },
                { Case: "ChangedSinceChecked", TemplateKey: "a", Id: idOf(1), Before: "Summary written for the next shift", After: "Summary written and read out" },
                { Case: "Removed", TemplateKey: "d", Id: idOf(92), Before: "Fax forwarded" },
              ],
            }),
        },
        steps: ({ press, shows }) => [press(null, "Review"), shows(".review .change")],
      },
      {
        name: "kept",
        title: "Reworded and retired items",
        about: "An item that was reworded here, and one that is no longer in the template.",
        answers: reads("Handover", () => [
          item("Caller told twice", { TextOverridden: true, TemplateText: "Caller informed" }),
          item("Fax forwarded", { RetiredAt: at(-HOUR), Status: "Done", StatusBy: KELLER, StatusAt: at(-26 * HOUR) }),
        ]),
      },
    ],
  },
  {
    id: "answers",
    title: "Answers",
    states: [
      { name: "asking", title: "Asks for a number", about: "The item is done only with an answer within the bounds. It is pressed here.", answers: reads("Cold store", () => [item("Measure the temperature", { AnswerFormat: COLD }), item("Look at the door", { AnswerFormat: DOOR })]), steps: ({ press, shows }) => [press("Measure the temperature", "box"), shows(".editor .input")] },
      { name: "choosing", title: "Asks for a choice", about: "Arrow keys choose, Enter answers.", answers: reads("Cold store", () => [item("Look at the door", { AnswerFormat: DOOR }), item("Say what you noticed", { AnswerFormat: { Type: "Text" } })]), steps: ({ press, shows }) => [press("Look at the door", "box"), shows(".editor .answer-radio")] },
      { name: "answered", title: "Answered", about: "The answer stands in the row, in the journal and in the audit trail. The menu of the row changes it.", answers: reads("Cold store", () => [answered("Measure the temperature", COLD, { Value: 4.5, Label: "°C" }), answered("Look at the door", DOOR, { Value: "ice", Label: "Iced up" }), item("Caller informed")]) },
    ],
  },
  {
    id: "decisions",
    title: "Decisions and evidence",
    states: [
      { name: "proposed", title: "Proposed by an assistant", about: "The item needs a person: programs and agents can only propose, with a reason and evidence.", answers: reads("Handover", () => [item("Backup restored on a spare machine", { NeedsPerson: true, Proposal: { Status: "Done", Version: 1, Revision: 6, By: FINCH, At: at(-4 * MINUTE), Reason: "All 412 files have the same checksums.", Evidence: SAMPLE } }), item("Caller informed")]) },
      { name: "second-person", title: "Waiting for a second person", about: "One person has done it, and another one confirms it or sends it back. Until then the item is open.", answers: reads("Handover", () => [item("Door of the machine room locked", { SecondPerson: true, Proposal: { Status: "Done", Version: 1, Revision: 6, By: JANSEN, At: at(-9 * MINUTE) } }), item("Caller informed")]) },
      { name: "evidence", title: "Evidence required", about: "The item is done only with the name and the address of something that supports it. It is pressed here.", answers: reads("Handover", () => [item("Backup restored on a spare machine", { RequiresEvidence: true }), item("Caller informed")]), steps: ({ press, shows }) => [press("Backup restored on a spare machine", "box"), shows(".editor .input")] },
      { name: "supported", title: "Done with evidence", about: "What supports the status stays beside it, also on paper and in the audit trail.", answers: reads("Handover", () => [done("Backup restored on a spare machine", KELLER, 4 * MINUTE, { RequiresEvidence: true, Proposal: { Status: "Done", Version: 1, Revision: 6, By: KELLER, At: at(-4 * MINUTE), Evidence: SAMPLE, Accepted: true } }), item("Caller informed")]) },
      { name: "reported", title: "Set by another system", about: "What a backup server or a build reports sets the status. Its last report is out of date here: the template says after what time.", answers: reads("Handover", () => [done("Nightly backup finished", BACKUP, 26 * HOUR, { Signal: { Source: "Backup server", Key: "nightly", StaleAfter: "P1D", Status: "Done", AsOf: at(-26 * HOUR), StaleAt: at(-2 * HOUR) } }), item("Caller informed")]) },
      { name: "overridden", title: "Overridden", about: "A person has set another status than the system reports, and says why. It stays until they set what the system says, or the system says the same.", answers: reads("Handover", () => [done("Nightly backup finished", KELLER, 4 * MINUTE, { Reason: "Copied by hand to the second site", Signal: { Source: "Backup server", Key: "nightly", Status: "Open", AsOf: at(-20 * MINUTE) } }), item("Caller informed")]) },
    ],
  },
  {
    id: "form",
    title: "Required in a form",
    states: [
      { name: "gate", title: "Required", about: "Names the open items that keep the form from being submitted, and leads to them.", attributes: { required: "", name: "Checklist" }, answers: reads("Handover", () => SHORT().map((row) => ({ ...row, Required: row.Text !== "Pager handed over" })), { CompletionRule: "Required" }) },
      { name: "refused-form", title: "Submitted with open items", about: "Somebody has tried to submit the form. What is required and open turns red; :state(user-invalid) matches.", attributes: { required: "", name: "Checklist" }, answers: reads("Handover", () => SHORT().map((row) => ({ ...row, Required: true })), { CompletionRule: "Required" }), steps: ({ element }) => [element((control) => control.checkValidity())] },
    ],
  },
  {
    id: "words",
    title: "Texts and languages",
    states: [
      { name: "long", title: "Long texts", about: "Texts wrap; a word that is too long is broken.", answers: reads("A list whose name does not end where the card ends but goes on", () => [section(LONG[0], ...LONG.map((text) => item(text, { Required: true, Assignee: assignee("The operations team for voice, gateways and everything else in building 4") })))]) },
      { name: "mixed", title: "Mixed directions", about: "Each text has the direction of its own script.", answers: reads("Handover", () => [done("אישור השפעה עם המתקשר, INC-20418.", person("דנה כהן")), item("Tell “محمد الأحمد” (3rd floor) first!", { Required: true, Assignee: assignee("محمد الأحمد") }), item("Caller informed", { Status: "NotApplicable", Reason: "אין צורך.", StatusBy: KELLER, StatusAt: at(-MINUTE) })]) },
      {
        name: "arabic",
        title: "Arabic",
        about: "Right to left. The language is that of the page, or of the attribute lang.",
        attributes: { lang: "ar" },
        answers: reads("معالجة العطل", () => [
          section("الفرز", done("تأكيد الأثر والإلحاح مع المتصل", person("محمد الأحمد"))),
          section("التشخيص", item("جمع سجلات البوابة لآخر 30 دقيقة", { Required: true, Assignee: assignee("A. Jansen"), Due: at(-HOUR), Help: "التصدير من لوحة البوابة." }), item("Restart the print spooler", { Status: "NotApplicable", Reason: "يطبع المتصل من السحابة", StatusBy: KELLER, StatusAt: at(-MINUTE) })),
        ]),
      },
      { name: "german", title: "German", attributes: { lang: "de", required: "" }, answers: reads("Übergabe", () => [done("Zusammenfassung für die nächste Schicht geschrieben"), item("Anrufer informiert", { Required: true, Due: at(-HOUR) })], { TemplateUpdate: CHANGED }) },
      { name: "french", title: "French", attributes: { lang: "fr", required: "" }, answers: reads("Passage de relais", () => [done("Résumé écrit pour l’équipe suivante"), item("Appelant informé", { Required: true, Due: at(-HOUR) })], { TemplateUpdate: CHANGED }) },
      { name: "spanish", title: "Spanish", attributes: { lang: "es", required: "" }, answers: reads("Relevo", () => [done("Resumen escrito para el turno siguiente"), item("Informado quien llamó", { Required: true, Due: at(-HOUR) })], { TemplateUpdate: CHANGED }) },
      { name: "own-words", title: "Texts of the host", about: "The property messages replaces single texts.", words: { done_of: "{done} out of {total} steps", add_item: "Add a step", required: "Must" }, answers: reads("Handover", () => SHORT().map((row) => ({ ...row, Required: true }))) },
    ],
  },
  {
    id: "several",
    title: "Selection and search",
    states: [
      { name: "selected", title: "Selected rows", about: "Several rows are selected; the bar acts on all of them.", answers: reads("Handover", SHORT), steps: ({ press, shows }) => [press("Caller informed", "more"), press("Caller informed", "Select"), shows(".selection"), press("Pager handed over", "more"), press("Pager handed over", "Select"), shows(".selected ~ .selected")] },
      { name: "assigned", title: "Assign selected rows", about: "One assignee for all selected rows.", answers: reads("Handover", SHORT), steps: ({ press, shows }) => [press("Caller informed", "more"), press("Caller informed", "Select"), press(null, "assign"), shows(".selection .input")] },
      { name: "found", title: "Search", about: "Lists with 30 items or more have a search.", scrolls: true, answers: reads("Inventory of building 4", SOCKETS), ready: ".search", steps: ({ type, shows }) => [type("4.1"), shows(".search .found")] },
      { name: "not-found", title: "Search without results", scrolls: true, answers: reads("Inventory of building 4", SOCKETS), ready: ".search", steps: ({ type, shows }) => [type("lamp"), shows(".search .found")] },
      { name: "dense", title: "Compact rows", about: "Rows are 32 px high; on touch screens they keep their height.", attributes: { density: "compact" }, answers: reads("Incident handling", INCIDENT) },
    ],
  },
  {
    id: "many",
    title: "Large lists",
    states: [{ name: "five-hundred", title: "500 items", about: "20 sections of 25 items. The search stays at the top of the window.", scrolls: true, wide: true, answers: reads("Inventory of building 4", () => Array.from({ length: 20 }, (_, room) => section(`Room ${room + 1}`, ...Array.from({ length: 25 }, (_, n) => (n % 3 ? item(`Socket ${room + 1}.${n + 1}`) : done(`Socket ${room + 1}.${n + 1}`))))), { Limits: { Items: { Max: 1000, WarnAt: 900, Used: 500 }, Text: 1000, Help: 8000, Note: 1000, Batch: 200 } }) }],
  },
  {
    id: "previews",
    title: "Preview",
    states: [
      { name: "preview", tag: "checklist-preview", title: "Template", about: "What a list of this template will look like. Never writes.", attributes: { template: "onboarding" }, answers: { Template: () => preview() } },
      { name: "preview-arabic", tag: "checklist-preview", title: "Template, right to left", attributes: { template: "onboarding", lang: "ar" }, answers: { Template: () => preview("Moving desks") } },
      { name: "preview-conditions", tag: "checklist-preview", title: "Template with conditions", about: "Every item, with its condition in words: no facts are given.", attributes: { template: "onboarding" }, answers: { Template: () => withConditions() } },
      { name: "preview-facts", tag: "checklist-preview", title: "Template for facts", about: "Only what applies to a colleague in Bonn who leads a team.", attributes: { template: "onboarding", facts: '{"Site": "Bonn", "TeamSize": 4}' }, answers: { Template: () => withConditions(["key", "team"]) } },
      { name: "preview-demands", tag: "checklist-preview", title: "Template that asks for more", about: "Items that need evidence, an answer, a person or a second one, and one whose status another system reports.", attributes: { template: "onboarding" }, answers: { Template: () => withDemands() } },
      { name: "preview-empty", tag: "checklist-preview", title: "Template without items", attributes: { template: "onboarding" }, answers: { Template: () => ({ ...preview("Farewell"), Items: [] }) }, ready: ".empty" },
      { name: "preview-loading", tag: "checklist-preview", title: "Template, loading", attributes: { template: "onboarding" }, answers: {}, ready: ".loading" },
      { name: "preview-error", tag: "checklist-preview", title: "Template not found", attributes: { template: "onboarding" }, answers: { Template: () => problem(404, "TemplateNotFound", "Not found", "There is no such template.") }, ready: ".failure" },
    ],
  },
  {
    id: "worklist",
    title: "Worklist",
    states: [
      { name: "worklist-mine", tag: "checklist-worklist", title: "Assigned to me", about: "Items of several lists, each ticked where it stands. What takes more than a tick says so, and links to its object.", attributes: { href: "/incidents/{ObjectId}" }, answers: { FindItems: () => found(OPEN()) } },
      {
        name: "worklist-meanwhile",
        tag: "checklist-worklist",
        title: "Checked by somebody else meanwhile",
        about: "The row says what has happened, and stays until the next load.",
        attributes: { assignee: "*" },
        answers: {
          FindItems: () => found(OPEN().slice(0, 2)),
          UpdateItems: ({ Items: [{ Id }] }) => {
            const { Item } = OPEN().find((one) => one.Item.Id === Id);
            return written(list("", []), { Id, Outcome: "Unchanged", Item: { ...Item, Version: 2, Status: "Done", StatusBy: JANSEN, StatusAt: at(-2 * MINUTE) } });
          },
        },
        steps: ({ press, shows }) => [press("Call the supplier back", "box"), shows(".notice")],
      },
      { name: "worklist-empty", tag: "checklist-worklist", title: "Nothing overdue", attributes: { late: "" }, answers: { FindItems: () => found([]) }, ready: ".empty" },
    ],
  },
  {
    id: "compact",
    title: "Compact",
    states: [
      { name: "compact-closed", title: "Closed", about: "One line with the progress; it opens the list in place.", attributes: { display: "compact" }, answers: reads("Handover", SHORT), ready: ".compact .progress" },
      { name: "compact-completed", title: "Completed", attributes: { display: "compact" }, answers: reads("Handover", COMPLETE), ready: ".compact.complete" },
      { name: "compact-open", title: "Open", about: "The list opens below the line and covers nothing.", attributes: { display: "compact" }, answers: reads("Handover", SHORT), ready: ".compact .progress", steps: ({ press, shows }) => [press(null, "compact"), shows(".row")] },
      {
        name: "compact-table",
        title: "In a table",
        about: "One list in each row. All of them share one live stream.",
        attributes: { display: "compact" },
        ready: ".compact .progress",
        table: [
          { object: "INC-20418", text: "No sound at the front desk", answers: reads("Incident handling", INCIDENT) },
          { object: "INC-20421", text: "Badge reader answers late", answers: reads("Handover", COMPLETE) },
          { object: "INC-20430", text: "Printer on floor 3", answers: reads("Handover", () => []) },
        ],
      },
    ],
  },
  {
    id: "menus",
    title: "Menu",
    states: [{ name: "menu", title: "Row menu", about: "Everything that can be done with an item, with its keys.", roomy: true, answers: reads("Handover", SHORT), steps: ({ press, shows }) => [press("Caller informed", "more"), shows(".menu")] }],
  },
];

/** More rows than fit in sight. */
function SOCKETS() {
  return Array.from({ length: 5 }, (_, room) => section(`Room ${room + 1}`, ...Array.from({ length: 8 }, (_, n) => (n % 3 ? item(`Socket ${room + 1}.${n + 1}`) : done(`Socket ${room + 1}.${n + 1}`)))));
}

/** The answer of Template, in one language. */
function preview(Name = "Onboarding") {
  const row = (Key, Text, more) => ({ Key, Kind: "Item", Text, Required: false, AllowNotApplicable: true, NotApplicableNeedsReason: false, OnTextChange: "Flag", ...more });
  return {
    Id: "onboarding",
    Key: "onboarding",
    Name,
    Description: "What a new colleague needs, from the first letter to the end of the first week.",
    Status: "Published",
    Version: 1,
    CompletionRule: "Required",
    RefreshPolicy: "Manual",
    Items: [
      row("before", "Before day one", { Kind: "Section" }),
      row("laptop", "Order laptop and dock", { ParentKey: "before", Required: true, AssigneeRole: "IT service" }),
      row("account", "Create account and mailbox", { ParentKey: "before", DueOffset: "P2D", Help: "Ask for the **team** first." }),
      row("week", "First week", { Kind: "Section" }),
      row("briefing", "Security briefing", { ParentKey: "week", DueOffset: "P1W" }),
      row("note", "Everything else can wait.", { Kind: "Info", ParentKey: "week" }),
    ],
  };
}

/** The same with conditions; with the keys of those that apply only these, as the server answers facts. */
function withConditions(applying) {
  const template = preview(applying ? "Onboarding in Bonn" : "Onboarding by site");
  const conditions = { key: ["Order a key card", "Applies if Site is “Bonn”"], team: ["Meet the team", "Applies if TeamSize is at least 2"], abroad: ["Register the stay abroad", "Applies if Country is known and Country is not “DE”"] };
  for (const [Key, [Text, WhenText]] of Object.entries(conditions)) {
    const row = { ...template.Items[1], Key, Text, ParentKey: "before", Required: false, AssigneeRole: undefined };
    if (!applying) template.Items.splice(3, 0, { ...row, WhenText });
    else if (applying.includes(Key)) template.Items.splice(3, 0, row);
  }
  return template;
}

/** A template whose items take more than a tick. */
function withDemands() {
  const { Items: [, plain], ...template } = preview("Cold store");
  const item = (Key, Text, more) => ({ ...plain, Key, Text, ParentKey: undefined, Required: false, AssigneeRole: undefined, ...more });
  return {
    ...template,
    Description: "What a round through the cold store takes.",
    CompletionRule: "All",
    Items: [
      item("measure", "Measure the temperature", { AnswerFormat: { Type: "Number", Unit: "°C", Min: 2, Max: 8 }, DueOffset: "PT1H" }),
      item("door", "Look at the door", { AnswerFormat: { Type: "Choice", Choices: [{ Key: "shut", Text: "Shut" }, { Key: "ice", Text: "Iced up" }] } }),
      item("report", "Attach the report", { RequiresEvidence: true, AssigneeRole: "Logistics" }),
      item("release", "Release the goods", { NeedsPerson: true, SecondPerson: true }),
      item("alarm", "Alarm line works", { Signal: { Source: "Building control", Key: "alarm" } }),
    ],
  };
}

/** The lines of a table are states of their own to their servers. */
const ANSWERS = new Map(
  CHAPTERS.flatMap(({ states }) => states.flatMap(({ name, answers, table }) => table?.map((line, number) => [`${name}-${number}`, line.answers]) ?? [[name, answers]])),
);

/** What the server of a state answers a call with. */
export function answerTo(name, call, body) {
  const answer = ANSWERS.get(name)?.[call.split("/")[0]]?.(body);
  if (call === "GetItems" && answer?.Context) answer.Context.Purpose = name;
  return answer;
}
