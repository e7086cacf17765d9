//! Operations that survived a reload, as `write::saved` has kept them in this tab.
//!
//! What cannot be read is left out: it is the person's own browser that kept it, and nothing that
//! was confirmed is in it. Called by `control::load` and `control::drafting`.

use checklist_shared::ItemId;
use checklist_shared::wire::write::{AddItem, UpdateItem};
use wasm_bindgen::JsValue;

use super::fields::Fields;
use crate::state::operation::{Action, Operation};

/// Operations that survived a reload; what cannot be read is left out.
#[must_use]
pub fn operations(value: &JsValue) -> Vec<Operation> {
    Fields::of(value)
        .list("Operations")
        .iter()
        .filter_map(saved_operation)
        .collect()
}

/// The keys of the rows of a draft, by their ids.
#[must_use]
pub fn keys(value: &JsValue) -> Vec<(ItemId, String)> {
    Fields::of(value)
        .list("Keys")
        .iter()
        .filter_map(|row| {
            let fields = Fields::of(row);
            Some((fields.id("Id")?, fields.text("Key")?))
        })
        .collect()
}

fn saved_operation(value: &JsValue) -> Option<Operation> {
    let fields = Fields::of(value);
    let first = fields.list("Items").first().map(Fields::of);
    let action = match fields.text("Call")?.as_str() {
        "AddItems" => {
            let item = first?;
            let id = item.id("Id")?;
            Action::Add(
                id,
                Box::new(AddItem {
                    id: Some(id),
                    text: item.text("Text")?,
                    kind: item.kind(),
                    parent_id: item.id("ParentId"),
                    after_id: item.id("AfterId"),
                    before_id: item.id("BeforeId"),
                    required: item.flag("Required"),
                    help: item.text("Help"),
                    note: item.text("Note"),
                    assignee: item.text("Assignee"),
                    due: item.due("Due"),
                }),
            )
        }
        "UpdateItems" => {
            let item = first?;
            let mut update = UpdateItem::of(item.id("Id")?);
            update.base_version = item.number("BaseVersion").map(|version| version as u64);
            update.status = item.status();
            update.reason = item.patch("Reason", |item| item.text("Reason"));
            update.seen_text_hash = item.text("SeenTextHash");
            update.text = item.patch("Text", |item| item.text("Text"));
            update.note = item.patch("Note", |item| item.text("Note"));
            update.assignee = item.patch("Assignee", |item| item.text("Assignee"));
            update.due = item.patch("Due", |item| item.due("Due"));
            update.parent_id = item.patch("ParentId", |item| item.id("ParentId"));
            update.after_id = item.patch("AfterId", |item| item.id("AfterId"));
            update.before_id = item.patch("BeforeId", |item| item.id("BeforeId"));
            Action::Update(Box::new(update))
        }
        "DeleteItems" => Action::Delete(fields.list("Ids").first()?.as_string()?.parse().ok()?),
        "Undo" => Action::Undo(fields.text("Undoes")?),
        // A refresh was asked for by looking at a dry run that is gone after the reload.
        _ => return None,
    };
    Some(Operation {
        id: fields.text("OperationId")?,
        action,
    })
}
