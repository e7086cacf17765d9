//! What hosts get to see, under the names they know: items, states, changes, errors.
//!
//! Plain objects with all their members, `null` where there is nothing. Made with serde.

use checklist_control::api::js;
use checklist_control::port::{ChangeDetail, ErrorDetail, Snapshot};
use checklist_shared::assignee::Assignee;
use checklist_shared::item::{Item, Kind, Status};
use checklist_shared::progress::{Counts, State};
use checklist_shared::{Due, ItemId, Timestamp};
use serde::Serialize;
use wasm_bindgen::JsValue;

/// An item as tools see it: a selection of the fields that travel.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct ItemRecord<'a> {
    id: ItemId,
    template_key: &'a Option<String>,
    kind: Kind,
    parent_id: Option<ItemId>,
    text: &'a str,
    status: Status,
    reason: &'a Option<String>,
    /// The name alone.
    status_by: Option<&'a str>,
    status_at: Option<Timestamp>,
    required: bool,
    assignee: &'a Option<Assignee>,
    due: Option<Due>,
    note: &'a Option<String>,
    version: u64,
}

/// An item for tools.
pub fn item_record(item: &Item) -> JsValue {
    js::value(&ItemRecord {
        id: item.id,
        template_key: &item.template_key,
        kind: item.kind,
        parent_id: item.parent_id,
        text: item.text.resolve(&[]),
        status: item.status,
        reason: &item.reason,
        status_by: item.status_by.as_ref().map(|actor| actor.name.as_str()),
        status_at: item.status_at,
        required: item.required,
        assignee: &item.assignee,
        due: item.due,
        note: &item.note,
        version: item.version,
    })
}

/// An item that keeps the list from being complete.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct BlockerRecord<'a> {
    id: ItemId,
    text: &'a str,
}

/// How a list stands, for the element and its form.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SnapshotRecord<'a> {
    state: State,
    completed: bool,
    counts: Counts,
    blockers: Vec<BlockerRecord<'a>>,
    revision: u64,
    pending: u32,
    offline: bool,
    error: bool,
    readonly: bool,
    draft: bool,
    incomplete: bool,
    still_open: &'a str,
}

/// A snapshot for the element.
pub fn snapshot_record(snapshot: &Snapshot) -> JsValue {
    let blockers = snapshot.blockers.iter();
    js::value(&SnapshotRecord {
        state: snapshot.state,
        completed: snapshot.completed,
        counts: snapshot.counts,
        blockers: blockers
            .map(|(id, text)| BlockerRecord { id: *id, text })
            .collect(),
        revision: snapshot.revision,
        pending: snapshot.pending,
        offline: snapshot.offline,
        error: snapshot.error,
        readonly: snapshot.readonly,
        draft: snapshot.draft,
        incomplete: snapshot.incomplete,
        still_open: &snapshot.still_open,
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangeRecord<'a> {
    what: &'a str,
    item_id: Option<ItemId>,
    item_ids: &'a [ItemId],
    before: &'a Option<String>,
    after: &'a Option<String>,
}

/// The detail of `checklist-change`.
pub fn change_record(change: &ChangeDetail) -> JsValue {
    js::value(&ChangeRecord {
        what: change.what,
        item_id: change.item,
        item_ids: &change.items,
        before: &change.before,
        after: &change.after,
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErrorRecord<'a> {
    code: &'a str,
    status: u16,
    message: &'a str,
    item_id: Option<ItemId>,
}

/// The detail of `checklist-error`.
pub fn error_record(problem: &ErrorDetail) -> JsValue {
    js::value(&ErrorRecord {
        code: &problem.code,
        status: problem.status,
        message: &problem.message,
        item_id: problem.item,
    })
}
