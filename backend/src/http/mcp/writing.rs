//! The tools that write: tick, say that something does not apply, add, comment.
//!
//! Each is one call of the web services. Its answer has the `OperationId`, which `Undo` of the web
//! services takes back and which makes a repeated call harmless.

use checklist_auth::Principal;
use checklist_runtime::clock::new_item_id;
use checklist_services::checklist;
use checklist_shared::context::Context;
use checklist_shared::facts::FactValue;
use checklist_shared::id::ItemId;
use checklist_shared::item::{Kind, Status};
use checklist_shared::patch::Patch;
use checklist_shared::proposal::Evidence;
use checklist_shared::wire::write::{
    AddItem, AddItems, ProposeItem, ProposeItems, UpdateItem, UpdateItems,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::tool::Tool;
use crate::http::Web;
use crate::http::extract::meaning_of;
use crate::http::problem::{ProblemResponse, internal};

/// An item, and the wording that was read.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
#[schema(as = TickedItem)]
struct ReadItem {
    /// The `Id` of the item.
    id: ItemId,
    /// The `TextHash` of the item as it was read: the audit trail keeps it as proof of the wording.
    #[serde(default)]
    text_hash: Option<String>,
}

/// An item as it was read, and what is done with it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct DoneItem {
    /// The `Id` of the item.
    id: ItemId,
    /// The `TextHash` of the item as it was read: the audit trail keeps it as proof of the wording.
    #[serde(default)]
    text_hash: Option<String>,
    /// What its `AnswerFormat` asks for: a text, a number, or the key of a choice.
    #[serde(default)]
    answer: Option<FactValue>,
}

/// Ticks items of a checklist, each as done. Only what was really done and checked may be ticked: the
/// audit trail says who ticked what, in which words. Pass the `TextHash` that `read_list` gave.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub(super) struct Tick {
    /// Which list.
    context: Context,
    /// The items to tick.
    items: Vec<DoneItem>,
    /// A document or record that supports all of them. An item with `RequiresEvidence` needs it.
    #[serde(default)]
    evidence: Option<Evidence>,
    /// Makes a repeated call harmless for 24 hours.
    #[serde(default)]
    operation_id: Option<String>,
}

impl Tool for Tick {
    const NAME: &'static str = "tick";
    const TITLE: &'static str = "Tick items";
    const WRITES: bool = true;

    async fn call(self, web: &Web, agent: &Principal) -> Result<Value, ProblemResponse> {
        let items = self.items.into_iter().map(|item| UpdateItem {
            status: Some(Status::Done),
            seen_text_hash: item.text_hash,
            evidence: self.evidence.clone(),
            answer: item.answer,
            ..UpdateItem::of(item.id)
        });
        update(web, agent, self.context, items.collect(), self.operation_id).await
    }
}

/// Says of items that they do not apply, and why. An item whose `AllowNotApplicable` is false is
/// refused.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub(super) struct MarkNotApplicable {
    /// Which list.
    context: Context,
    /// The items that do not apply.
    items: Vec<ReadItem>,
    /// Why they do not apply, for people.
    #[serde(default)]
    reason: Option<String>,
    /// Makes a repeated call harmless for 24 hours.
    #[serde(default)]
    operation_id: Option<String>,
}

impl Tool for MarkNotApplicable {
    const NAME: &'static str = "mark_not_applicable";
    const TITLE: &'static str = "Mark as not applicable";
    const WRITES: bool = true;

    async fn call(self, web: &Web, agent: &Principal) -> Result<Value, ProblemResponse> {
        let reason = self.reason.map_or(Patch::Keep, Patch::Set);
        let items = self.items.into_iter().map(|item| UpdateItem {
            status: Some(Status::NotApplicable),
            reason: reason.clone(),
            seen_text_hash: item.text_hash,
            ..UpdateItem::of(item.id)
        });
        update(web, agent, self.context, items.collect(), self.operation_id).await
    }
}

/// Proposes the status of an item, for a person to accept or decline. An item with `NeedsPerson` can
/// only be proposed, not ticked. A newer proposal of yours takes the place of the one before. Name the
/// evidence that the person should look at, if there is any.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub(super) struct Propose {
    /// Which list.
    context: Context,
    /// The `Id` of the item.
    id: ItemId,
    /// The status that it should have.
    status: Status,
    /// Why, for people; with `NotApplicable` it becomes the item's reason.
    #[serde(default)]
    reason: Option<String>,
    /// The `TextHash` of the item as it was read: refused if the wording has changed since.
    #[serde(default)]
    text_hash: Option<String>,
    /// A document or record that supports it.
    #[serde(default)]
    evidence: Option<Evidence>,
    /// What the item's `AnswerFormat` asks for: a text, a number, or the key of a choice.
    #[serde(default)]
    answer: Option<FactValue>,
    /// Makes a repeated call harmless for 24 hours.
    #[serde(default)]
    operation_id: Option<String>,
}

impl Tool for Propose {
    const NAME: &'static str = "propose";
    const TITLE: &'static str = "Propose a status";
    const WRITES: bool = true;

    async fn call(self, web: &Web, agent: &Principal) -> Result<Value, ProblemResponse> {
        let item = ProposeItem {
            id: self.id,
            status: self.status,
            reason: self.reason,
            seen_text_hash: self.text_hash,
            evidence: self.evidence,
            answer: self.answer,
        };
        let id = operation_id(web, self.operation_id)?;
        let mut request = ProposeItems::new(self.context, vec![item]);
        request.operation_id = Some(id.clone());
        let meaning = meaning_of(&mut request)?;
        let answer = checklist::propose_items(&web.app, agent, request, meaning).await?;
        with_operation(id, &answer)
    }
}

/// Writes the note of an item, which everybody sees below it. It takes the place of the note that is
/// there.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub(super) struct Comment {
    /// Which list.
    context: Context,
    /// The `Id` of the item.
    id: ItemId,
    /// The note.
    note: String,
    /// Makes a repeated call harmless for 24 hours.
    #[serde(default)]
    operation_id: Option<String>,
}

impl Tool for Comment {
    const NAME: &'static str = "comment";
    const TITLE: &'static str = "Comment on an item";
    const WRITES: bool = true;

    async fn call(self, web: &Web, agent: &Principal) -> Result<Value, ProblemResponse> {
        let item = UpdateItem {
            note: Patch::Set(self.note),
            ..UpdateItem::of(self.id)
        };
        update(web, agent, self.context, vec![item], self.operation_id).await
    }
}

/// An item that is new.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct AddedItem {
    /// What is to be done, as an instruction.
    text: String,
    /// The `Id` of the section that it belongs to.
    #[serde(default)]
    parent_id: Option<ItemId>,
    /// The `Id` of the item after which it stands; last without.
    #[serde(default)]
    after_id: Option<ItemId>,
    /// A remark that everybody sees below it.
    #[serde(default)]
    note: Option<String>,
}

/// Adds items at the end of a checklist, or of one of its sections, or after another item.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
#[schema(as = AddItemsTool)]
pub(super) struct Add {
    /// Which list.
    context: Context,
    /// What to add, in this order.
    items: Vec<AddedItem>,
    /// Makes a repeated call harmless for 24 hours.
    #[serde(default)]
    operation_id: Option<String>,
}

impl Tool for Add {
    const NAME: &'static str = "add_items";
    const TITLE: &'static str = "Add items";
    const WRITES: bool = true;

    async fn call(self, web: &Web, agent: &Principal) -> Result<Value, ProblemResponse> {
        let items = self.items.into_iter().map(|item| AddItem {
            id: None,
            text: item.text,
            kind: Kind::default(),
            parent_id: item.parent_id,
            after_id: item.after_id,
            before_id: None,
            required: false,
            help: None,
            note: item.note,
            assignee: None,
            due: None,
        });
        let id = operation_id(web, self.operation_id)?;
        let mut request = AddItems::new(self.context, items.collect());
        request.operation_id = Some(id.clone());
        let meaning = meaning_of(&mut request)?;
        let answer = checklist::add_items(&web.app, agent, request, meaning).await?;
        with_operation(id, &answer)
    }
}

async fn update(
    web: &Web,
    agent: &Principal,
    context: Context,
    items: Vec<UpdateItem>,
    operation: Option<String>,
) -> Result<Value, ProblemResponse> {
    let id = operation_id(web, operation)?;
    let mut request = UpdateItems::new(context, false, items);
    request.operation_id = Some(id.clone());
    let meaning = meaning_of(&mut request)?;
    let answer = checklist::update_items(&web.app, agent, request, meaning).await?;
    with_operation(id, &answer)
}

/// The id that the caller has chosen, or a new one.
fn operation_id(web: &Web, chosen: Option<String>) -> Result<String, ProblemResponse> {
    match chosen {
        Some(id) => Ok(id),
        None => Ok(new_item_id(web.now()).map_err(|_| internal())?.to_text()),
    }
}

fn with_operation(id: String, answer: &impl Serialize) -> Result<Value, ProblemResponse> {
    let mut answer = serde_json::to_value(answer).map_err(|_| internal())?;
    answer["OperationId"] = json!(id);
    Ok(answer)
}
