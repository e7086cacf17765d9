//! What hosts get to see, under the names they know: items, states, errors.
//!
//! Called by `control` and `preview`.

use checklist_control::control::port::ErrorDetail;
use checklist_shared::item::Item;
use checklist_shared::{Due, ItemId, Timestamp};
use js_sys::Date;
use wasm_bindgen::JsValue;

use crate::record::Record;

/// An item as tools see it: a selection of the fields that travel.
pub fn item_record(item: &Item) -> JsValue {
    let id = |id: ItemId| id.to_text();
    Record::new()
        .with("Id", id(item.id).as_str())
        .with("TemplateKey", item.template_key.as_deref())
        .with("Kind", item.kind.name())
        .with("ParentId", item.parent_id.map(id).as_deref())
        .with("Text", item.text.resolve(&[]))
        .with("Status", item.status.name())
        .with("Reason", item.reason.as_deref())
        .with(
            "StatusBy",
            item.status_by.as_ref().map(|actor| actor.name.as_str()),
        )
        .with("StatusAt", item.status_at.map(time).as_deref())
        .with("Required", item.required)
        .with("Assignee", item.assignee.as_deref())
        .with("Due", item.due.map(due).as_deref())
        .with("Note", item.note.as_deref())
        .with("Version", JsValue::from_f64(item.version as f64))
        .finish()
}

/// A moment, or a day.
fn due(due: Due) -> String {
    match due {
        Due::Day(day) => day.to_string(),
        Due::At(moment) => time(moment),
    }
}

/// RFC 3339 with `Z`.
fn time(time: Timestamp) -> String {
    Date::new(&JsValue::from_f64(time.as_millis() as f64))
        .to_iso_string()
        .into()
}

/// The detail of `checklist-error`.
pub fn error_record(problem: &ErrorDetail) -> JsValue {
    let id = problem.item.map(|id| id.to_text());
    Record::new()
        .with("code", problem.code.as_str())
        .with("status", u32::from(problem.status))
        .with("message", problem.message.as_str())
        .with("itemId", id.as_deref())
        .finish()
}
