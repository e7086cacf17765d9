//! Every request that the control makes, with the type of its answer.
//!
//! The types are those of `shared::wire`. Only [`client`](super::client), which knows the reader's
//! language, builds the HTTP request, so none is sent without a language.

use std::collections::BTreeMap;

use checklist_shared::Context;
use checklist_shared::wire::ReaderLanguage;
use checklist_shared::wire::history::{GetItemHistory, ItemHistory};
use checklist_shared::wire::list::{GetItems, ListAnswer};
use checklist_shared::wire::template::LocalTemplate;
use checklist_shared::wire::write::{
    AddItem, AddItems, DeleteItems, RefreshItems, Undo, UpdateItems, Waive, WriteOutcome,
};
use js_sys::encode_uri_component;
use serde::Deserialize;
use wasm_bindgen::JsValue;

use super::js;
use crate::model::error::{Error, Problem};
use crate::model::operation::{Action, Operation};
use crate::model::served::ServedList;

/// A call of the web services.
pub trait Request {
    /// The type of a successful answer.
    type Answer;

    /// The path after the base path of the web services. `language` is a language tag, or empty.
    fn address(&self, language: &str) -> String;

    /// The body in JSON; without one the call gets. It names the language where it is one.
    fn body(self, language: &str) -> Option<String>;

    /// Reads the answer.
    ///
    /// # Errors
    /// [`Error::Unreadable`], or the problem that stands in its place.
    fn read(answer: JsValue) -> Result<Self::Answer, Error>;
}

/// The body of a request whose answer is in that language.
pub(super) fn body_in<T: ReaderLanguage + serde::Serialize>(
    mut request: T,
    language: &str,
) -> Option<String> {
    *request.language_mut() = (!language.is_empty()).then(|| language.to_owned());
    Some(js::text(&request))
}

impl Request for GetItems {
    type Answer = ServedList;

    fn address(&self, _language: &str) -> String {
        "GetItems".to_owned()
    }

    fn body(self, language: &str) -> Option<String> {
        body_in(self, language)
    }

    fn read(answer: JsValue) -> Result<ServedList, Error> {
        js::read::<ListAnswer>(answer).map(ServedList::from)
    }
}

/// GetItems of many lists: a list or a problem each, in order.
#[derive(Clone, Debug)]
pub struct GetLists(pub Vec<Context>);

impl Request for GetLists {
    type Answer = Vec<Result<ServedList, Error>>;

    fn address(&self, _language: &str) -> String {
        "GetItems".to_owned()
    }

    fn body(self, language: &str) -> Option<String> {
        let request = GetItems {
            contexts: Some(self.0),
            ..GetItems::default()
        };
        body_in(request, language)
    }

    fn read(answer: JsValue) -> Result<Self::Answer, Error> {
        let entries = js::entries(&answer, "Results").into_iter();
        Ok(entries.map(list_or_problem).collect())
    }
}

/// One entry of `ListAnswers`. A list has no `Code` and a problem no `State`, so that nobody has to
/// try one after the other.
fn list_or_problem(entry: JsValue) -> Result<ServedList, Error> {
    let has = |name: &str| !js::member(&entry, name).is_undefined();
    if has("State") || !has("Code") {
        return GetItems::read(entry);
    }
    js::read::<Problem>(entry).and_then(|problem| Err(Error::Problem(problem)))
}

/// A writing call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Write {
    /// Items are added.
    Add(AddItems),
    /// Items are changed.
    Update(UpdateItems),
    /// Items are deleted.
    Delete(DeleteItems),
    /// The template's changes are applied, or only reported (dry run).
    Refresh(RefreshItems),
    /// An operation is undone.
    Undo(Undo),
    /// The list is waived, or its waiver revoked.
    Waive(Waive),
}

impl Write {
    /// The call that an operation is. `journal`: whether an entry is asked for.
    #[must_use]
    pub fn of(operation: Operation, context: Context, journal: bool) -> Self {
        let Operation { id, action } = operation;
        let of_several = |action| {
            let id = id.clone();
            Self::of(Operation { id, action }, context.clone(), journal)
        };
        let log_in_journal = journal.then_some(true);
        let language = None;
        match action {
            Action::Add(item_id, item) => of_several(Action::AddAll(vec![AddItem {
                id: Some(item_id),
                ..*item
            }])),
            Action::Update(item) => of_several(Action::UpdateAll(vec![*item])),
            Action::Delete(item_id) => of_several(Action::DeleteAll(vec![item_id])),
            Action::AddAll(items) => Self::Add(AddItems {
                context,
                operation_id: Some(id),
                items,
                log_in_journal,
                language,
            }),
            Action::UpdateAll(items) => Self::Update(UpdateItems {
                context,
                operation_id: Some(id),
                atomic: false,
                items,
                log_in_journal,
                language,
            }),
            Action::DeleteAll(ids) => Self::Delete(DeleteItems {
                context,
                operation_id: Some(id),
                ids,
                log_in_journal,
                language,
            }),
            // The undo of an undo.
            Action::Undo(undoes) | Action::Redo(undoes) => Self::Undo(Undo {
                context,
                undoes,
                operation_id: Some(id),
                log_in_journal,
                language,
            }),
            Action::Refresh {
                to_version,
                expected_revision,
            } => Self::Refresh(RefreshItems {
                context,
                to_version,
                dry_run: false,
                expected_revision,
                operation_id: Some(id),
                log_in_journal,
                language,
            }),
            Action::Waive {
                reason,
                revoke,
                expected_revision,
            } => Self::Waive(Waive {
                context,
                reason,
                revoke,
                expected_revision,
                operation_id: Some(id),
                log_in_journal,
                language,
            }),
        }
    }

    /// The dry run of a refresh.
    #[must_use]
    pub const fn dry_run(context: Context, to_version: Option<u32>) -> Self {
        Self::Refresh(RefreshItems {
            context,
            to_version,
            dry_run: true,
            expected_revision: None,
            operation_id: None,
            log_in_journal: None,
            language: None,
        })
    }
}

impl Request for Write {
    type Answer = WriteOutcome;

    fn address(&self, _language: &str) -> String {
        let call = match self {
            Self::Add(_) => "AddItems",
            Self::Update(_) => "UpdateItems",
            Self::Delete(_) => "DeleteItems",
            Self::Refresh(_) => "RefreshItemsOnTemplateChange",
            Self::Undo(_) => "Undo",
            Self::Waive(_) => "Waive",
        };
        call.to_owned()
    }

    fn body(self, language: &str) -> Option<String> {
        match self {
            Self::Add(request) => body_in(request, language),
            Self::Update(request) => body_in(request, language),
            Self::Delete(request) => body_in(request, language),
            Self::Refresh(request) => body_in(request, language),
            Self::Undo(request) => body_in(request, language),
            Self::Waive(request) => body_in(request, language),
        }
    }

    fn read(answer: JsValue) -> Result<WriteOutcome, Error> {
        js::read(answer)
    }
}

impl Request for GetItemHistory {
    type Answer = ItemHistory;

    fn address(&self, _language: &str) -> String {
        "GetItemHistory".to_owned()
    }

    fn body(self, _language: &str) -> Option<String> {
        Some(js::text(&self))
    }

    fn read(answer: JsValue) -> Result<ItemHistory, Error> {
        js::read(answer)
    }
}

/// A template by its (fragment) id, in one language.
#[derive(Clone, Debug)]
pub struct GetTemplate {
    /// The id.
    pub id: String,
    /// A JSON object of facts by which items apply; empty for all items.
    pub facts: String,
}

impl Request for GetTemplate {
    type Answer = LocalTemplate;

    fn address(&self, language: &str) -> String {
        // Without a language the server takes the template's first one.
        let id = encode_part(&self.id);
        let mut address = ["Template/", &id, "?Language=", language].concat();
        if !self.facts.is_empty() {
            address.push_str("&Facts=");
            address.push_str(&encode_part(&self.facts));
        }
        address
    }

    fn body(self, _language: &str) -> Option<String> {
        None
    }

    fn read(answer: JsValue) -> Result<LocalTemplate, Error> {
        js::read(answer)
    }
}

/// A platform type by its name.
#[derive(Clone, Debug)]
pub struct GetType(pub String);

/// What the control reads of a type: the template for each purpose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct TypeTemplates {
    /// Template ids by purpose.
    pub templates: BTreeMap<String, String>,
}

impl Request for GetType {
    type Answer = TypeTemplates;

    fn address(&self, _language: &str) -> String {
        ["Types/", &encode_part(&self.0)].concat()
    }

    fn body(self, _language: &str) -> Option<String> {
        None
    }

    fn read(answer: JsValue) -> Result<TypeTemplates, Error> {
        js::read(answer)
    }
}

fn encode_part(part: &str) -> String {
    encode_uri_component(part).into()
}
