//! Checks requests and answers against the examples of the API document, which a running server gave.
//!
//! Runs natively, through serde_json: the browser reads the types with the same code.

use checklist_shared::item::Kind;
use checklist_shared::patch::Patch;
use checklist_shared::problem::{ItemProblemCode, ProblemCode};
use checklist_shared::wire::list::{GetItems, ListAnswer};
use checklist_shared::wire::live::{ItemsChanged, ItemsRemoved, PresenceChanged};
use checklist_shared::wire::template::LocalTemplate;
use checklist_shared::wire::write::{
    AddItem, AddItems, DeleteItems, Outcome, RefreshCase, RefreshItems, Undo, UpdateItem,
    UpdateItems, WriteAnswer, WriteOutcome,
};
use checklist_shared::{Context, Item, ItemId, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::requests::{TypeTemplates, Write};
use super::saved::StoredOperations;
use crate::i18n::Words;
use crate::model::error::{Error, Problem};
use crate::model::notice::RejectionReason;
use crate::model::operation::{Action, Operation};
use crate::model::policy::Reply;
use crate::model::served::ServedList;

const WRITES: [&str; 5] = [
    "AddItems",
    "UpdateItems",
    "DeleteItems",
    "RefreshItemsOnTemplateChange",
    "Undo",
];

fn document() -> Value {
    let text = include_str!("../../../docs/openapi.json");
    serde_json::from_str(text).expect("the API document is JSON")
}

/// The example of a call: its request, or its answer.
fn example(call: &str, answer: bool) -> Value {
    let document = document();
    let paths = document["paths"].as_object().expect("paths");
    let calls = paths.values().filter_map(Value::as_object);
    let found = calls
        .flat_map(|calls| calls.values())
        .find(|one| one["operationId"] == call)
        .unwrap_or_else(|| panic!("{call} is in the document"));
    let holder = if answer {
        &found["responses"]["200"]
    } else {
        &found["requestBody"]
    };
    let content = &holder["content"]["application/json"];
    let several = &content["examples"]["Default"]["value"];
    content.get("example").unwrap_or(several).clone()
}

fn read<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"))
}

/// The same with a member that nobody knows in every object; in facts each is the host's.
fn grown(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| match name.as_str() {
                "Facts" => (name.clone(), value.clone()),
                _ => (name.clone(), grown(value)),
            });
            let unknown = ("NewInLevel9".to_owned(), json!({ "Deep": [1] }));
            Value::Object(fields.chain([unknown]).collect())
        }
        Value::Array(values) => values.iter().map(grown).collect(),
        other => other.clone(),
    }
}

/// Reads an answer as it is and with members of a later level, which say the same.
fn answer<T: DeserializeOwned + PartialEq + std::fmt::Debug>(value: &Value) -> T {
    let read_as_is: T = read(value);
    assert_eq!(read::<T>(&grown(value)), read_as_is, "members were added");
    read_as_is
}

fn goes_and_comes<T>(call: &str)
where
    T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let request: T = read(&example(call, false));
    let written = serde_json::to_value(&request).expect("JSON");
    assert_eq!(read::<T>(&written), request, "{call}");
}

#[test]
fn every_request_of_the_document_is_read_and_written_alike() {
    goes_and_comes::<GetItems>("GetItems");
    goes_and_comes::<AddItems>("AddItems");
    goes_and_comes::<UpdateItems>("UpdateItems");
    goes_and_comes::<DeleteItems>("DeleteItems");
    goes_and_comes::<RefreshItems>("RefreshItemsOnTemplateChange");
    goes_and_comes::<Undo>("Undo");
}

#[test]
fn every_answer_of_the_document_is_read_though_answers_grow() {
    let list: ListAnswer = answer(&example("GetItems", true));
    let (revision, items) = (list.revision, list.items.as_ref().map_or(0, Vec::len));
    let served = ServedList::from(list);
    assert_eq!((served.revision, served.items.len()), (revision, items));
    assert!(!served.template.id.is_empty());
    for call in WRITES {
        let example = example(call, true);
        let whole: WriteAnswer = answer(&example);
        let outcome: WriteOutcome = answer(&example);
        assert_eq!(outcome.results, whole.results, "{call}");
        assert_eq!(outcome.changes, whole.changes.unwrap_or_default(), "{call}");
        assert_eq!(outcome.journal, whole.journal, "{call}");
    }
    let mut kind = example("GetType", true);
    kind["NewInLevel9"] = json!(["x"]);
    let kind: TypeTemplates = read(&kind);
    assert!(!kind.templates.is_empty());
}

#[test]
fn a_template_in_one_language_is_read_though_answers_grow() {
    let template = json!({
        "Id": "f", "Key": "f", "Name": "Übergabe", "Status": "Published", "Version": 3,
        "CompletionRule": "Required", "RefreshPolicy": "Manual",
        "Items": [{
            "Key": "a", "Kind": "Section", "Text": "Vorher", "Required": false,
            "AllowNotApplicable": false, "NotApplicableNeedsReason": false, "OnTextChange": "Flag"
        }],
    });
    let read: LocalTemplate = answer(&template);
    assert_eq!((read.version, read.items[0].kind), (3, Kind::Section));
}

#[test]
fn every_event_of_the_document_is_read() {
    let text = example_of_events();
    let mut names = Vec::new();
    let mut name = "";
    for line in text.lines() {
        if let Some(event) = line.strip_prefix("event: ") {
            name = event;
        } else if let Some(data) = line.strip_prefix("data: ") {
            let data: Value = serde_json::from_str(data).expect("JSON");
            match name {
                "list" => drop(answer::<ListAnswer>(&data)),
                "items" => drop(read::<ItemsChanged>(&data)),
                "removed" => drop(read::<ItemsRemoved>(&data)),
                "presence" => drop(answer::<PresenceChanged>(&data)),
                _ => {}
            }
            names.push(name);
        }
    }
    assert!(
        names.contains(&"list") && names.contains(&"items"),
        "{names:?}"
    );
}

fn example_of_events() -> String {
    let document = document();
    let path = &document["paths"]["/api/Vendor/ChecklistControl/Events"]["post"];
    let content = &path["responses"]["200"]["content"]["text/event-stream"];
    content["example"].as_str().expect("a text").to_owned()
}

#[test]
fn words_that_only_a_newer_server_knows_spoil_no_answer() {
    let mut list = example("GetItems", true);
    list["Permissions"] = json!(["Read", "Telepathy"]);
    list["Warnings"] = json!([{ "Code": "FullMoon", "Detail": "It is." }]);
    let list: ListAnswer = read(&list);
    assert_eq!(list.permissions.iter().count(), 1);
    let mut write = example("UpdateItems", true);
    write["Results"][0]["Outcome"] = json!("Postponed");
    write["Results"][0]["Problem"] = json!({ "Code": "TooTired", "Detail": "Not today." });
    write["Changes"] = json!([{ "Case": "Repainted", "TemplateKey": "a" }]);
    let write: WriteOutcome = read(&write);
    let problem = write.results[0]
        .problem
        .as_ref()
        .map(|problem| problem.code);
    assert_eq!(
        (write.results[0].outcome, problem, write.changes[0].case),
        (
            Outcome::Failed,
            Some(ItemProblemCode::Unknown),
            RefreshCase::Updated
        )
    );
}

#[test]
fn what_an_answer_may_leave_out_is_nothing() {
    let mut list = example("GetItems", true);
    let optional = [
        "Items",
        "Title",
        "TemplateId",
        "TemplateVersion",
        "TemplateUpdate",
        "Locked",
    ];
    for name in optional {
        list.as_object_mut().expect("an object").remove(name);
    }
    let served = ServedList::from(read::<ListAnswer>(&list));
    assert_eq!((served.items.len(), served.title), (0, None));
    let write: WriteOutcome = read(&json!({ "Revision": 3, "Results": [] }));
    assert_eq!(
        (write.revision, write.rebalanced, write.journal.reason),
        (3, false, None)
    );
}

#[test]
fn an_item_keeps_everything_that_the_server_tells_of_it() {
    let list: ListAnswer = read(&example("GetItems", true));
    for view in list.items.expect("items") {
        let item = Item::from(view.clone());
        let again = checklist_shared::wire::item::ItemView::of(&item, &[]);
        let told = checklist_shared::wire::item::ItemView {
            // Of a list that nobody has written; rules know dates alone.
            due_offset: None,
            ..view
        };
        assert_eq!(again, told);
    }
}

#[test]
fn a_refusal_of_every_item_is_an_answer_like_any_other() {
    let problem = json!({
        "type": "about:blank", "title": "Nothing was applied", "status": 409, "Code": "NotApplied",
        "Revision": 7, "Results": [{
            "Id": ItemId::from_millis_and_random(1, [1; 10]), "Outcome": "Conflict",
            "Problem": { "Code": "StatusConflict", "Detail": "Somebody else." }
        }]
    });
    let outcome: WriteOutcome = answer(&problem);
    assert_eq!(
        (outcome.revision, outcome.results[0].outcome),
        (7, Outcome::Conflict)
    );
}

#[test]
fn every_problem_of_the_server_is_read_and_so_is_what_a_gateway_says() {
    let sent = checklist_shared::problem::Problem::new(ProblemCode::Locked, "Locked by Ada");
    let problem: Problem = answer(&serde_json::to_value(sent).expect("JSON"));
    assert_eq!((problem.status, problem.sentence()), (409, "Locked by Ada"));
    assert_eq!(Error::Problem(problem).refusal(), RejectionReason::Locked);
    let gateway = Error::Problem(Problem {
        status: 502,
        ..read(&json!({ "message": "no upstream" }))
    });
    assert_eq!(gateway.refusal(), RejectionReason::Network);
    assert!(serde_json::from_value::<Problem>(json!([1])).is_err() || gateway.code().is_empty());
}

#[test]
fn an_answer_that_cannot_be_read_is_told_in_words_and_never_sent_again() {
    let error = Error::no_json();
    let words = Words::of("en");
    let told = error.describe(words.texts);
    assert_eq!(told.code, "Unreadable");
    assert!(
        told.message.contains("the answer is no JSON"),
        "{}",
        told.message
    );
    assert!(matches!(error.reply(), Reply::Status { code: 422, .. }));
    assert_eq!(Error::Network.reply(), Reply::Silence);
    assert_eq!(Error::Token("no".into()).refusal(), RejectionReason::SignIn);
}

fn id(byte: u8) -> ItemId {
    ItemId::from_millis_and_random(1_700_000_000_000, [byte; 10])
}

fn context() -> Context {
    Context {
        template_id: Some("t\"1\"".into()),
        ..Context::new("incident", "INC 1\n\u{1}", "späte")
    }
}

fn added() -> AddItem {
    AddItem {
        id: Some(id(3)),
        text: "Zwei\nZeilen 😀".into(),
        kind: Kind::Section,
        parent_id: Some(id(4)),
        after_id: None,
        before_id: Some(id(5)),
        required: true,
        help: Some("*h*".into()),
        note: None,
        assignee: Some("A. Jansen".into()),
        due: Some(Timestamp::from_millis(-1).into()),
    }
}

fn updated() -> UpdateItem {
    let mut update = UpdateItem::of(id(1));
    update.base_version = Some(7);
    update.reason = Patch::Set("because \\ of \"that\"\t".into());
    update.note = Patch::Clear;
    update.due = Patch::Set(Timestamp::from_millis(1_795_166_040_123).into());
    update.after_id = Patch::Set(id(2));
    update.seen_text_hash = Some("ab".into());
    update
}

fn operations() -> Vec<Operation> {
    let refresh = Action::Refresh {
        to_version: Some(2),
        expected_revision: Some(9),
    };
    let actions = [
        Action::Add(id(3), Box::new(added())),
        Action::Update(Box::new(updated())),
        Action::Delete(id(6)),
        Action::Undo("op-0".into()),
        refresh,
    ];
    let numbered = actions.into_iter().enumerate();
    numbered
        .map(|(number, action)| Operation {
            id: format!("op-{number}"),
            action,
        })
        .collect()
}

#[test]
fn each_operation_is_the_call_that_it_means() {
    let calls: Vec<Write> = operations()
        .into_iter()
        .map(|operation| Write::of(operation, context(), true))
        .collect();
    let [
        Write::Add(add),
        Write::Update(update),
        Write::Delete(delete),
        Write::Undo(undo),
        Write::Refresh(refresh),
    ] = calls.as_slice()
    else {
        panic!("{calls:?}");
    };
    assert_eq!((&add.items[0], add.log_in_journal), (&added(), Some(true)));
    assert_eq!(add.operation_id.as_deref(), Some("op-0"));
    assert_eq!((&update.items[0], update.atomic), (&updated(), false));
    assert_eq!((&delete.ids[0], &delete.context), (&id(6), &context()));
    assert_eq!(undo.undoes, "op-0");
    assert_eq!(
        (
            refresh.to_version,
            refresh.expected_revision,
            refresh.dry_run
        ),
        (Some(2), Some(9), false)
    );
    let Write::Refresh(dry) = Write::dry_run(context(), None) else {
        panic!("a dry run is a refresh");
    };
    assert!(dry.dry_run && dry.operation_id.is_none());
}

#[test]
fn what_is_kept_is_read_back_but_for_refreshes() {
    let kept = StoredOperations {
        place: "incident".into(),
        keys: vec![(id(1), "a".into())],
        ..StoredOperations::of(operations().iter())
    };
    let text = serde_json::to_value(&kept).expect("JSON");
    let mut again: StoredOperations = read(&text);
    assert_eq!(again, kept);
    again.leave_out_refreshes();
    assert_eq!(again.operations, operations()[..4]);
}

#[test]
fn one_operation_that_cannot_be_read_costs_no_other() {
    let mut text = serde_json::to_value(StoredOperations::of(operations().iter())).expect("JSON");
    text["Operations"][1] = json!({ "id": "op-1", "action": { "Teleport": [1, 2] } });
    let again: StoredOperations = read(&text);
    let ids: Vec<&str> = again.operations.iter().map(|one| &*one.id).collect();
    assert_eq!(ids, ["op-0", "op-2", "op-3", "op-4"]);
    assert_eq!(
        read::<StoredOperations>(&json!({})),
        StoredOperations::default()
    );
}
