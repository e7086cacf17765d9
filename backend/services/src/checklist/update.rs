//! `UpdateItems`: changes status, texts, notes, assignees, due dates and positions of items.
//!
//! The permission that each field needs is decided here, before the store is called. A caller
//! without any of the permissions is rejected without a query.

use checklist_auth::Principal;
use checklist_shared::id::ItemId;
use checklist_shared::item::Status;
use checklist_shared::limits::Limits;
use checklist_shared::patch::Patch;
use checklist_shared::permission::Permissions;
use checklist_shared::problem::FieldErrorCode;
use checklist_shared::proposal::{Decision, is_sha256};
use checklist_shared::wire::write::{UpdateItem, UpdateItems, WriteAnswer};
use checklist_store::error::ServiceResult;

use super::write::{self, WriteCall, write_call};
use crate::access::{self, FieldErrors};
use crate::app::App;

/// Changes items independently of each other, or all or none with `Atomic`.
///
/// # Errors
/// The whole request is rejected, see `ProblemCode`. The answer reports problems of single items.
pub async fn update_items(
    app: &App,
    principal: &Principal,
    request: UpdateItems,
    body_hash: [u8; 32],
) -> ServiceResult<WriteAnswer> {
    let used = required_permissions(principal, &request.items)?;
    check(app.limits(), &request)?;
    let call = WriteCall {
        atomic: request.atomic,
        ..write_call!("UpdateItems", request, body_hash, used)
    };
    let items = request.items.into_iter();
    let changes = items.map(|item| (item.id, item.into_change())).collect();
    write::run_each(app, principal, call, changes).await
}

/// The permissions that the request uses. Fails if the caller may change none of the items.
fn required_permissions(principal: &Principal, items: &[UpdateItem]) -> ServiceResult<Permissions> {
    let all = items
        .iter()
        .map(UpdateItem::needed_permissions)
        .fold(Permissions::default(), Permissions::union);
    let some = items
        .iter()
        .any(|item| principal.permissions.holds(item.needed_permissions()));
    if !some && !items.is_empty() {
        access::need_all(principal, all)?;
    }
    Ok(all.intersection(principal.permissions))
}

fn check(limits: &Limits, request: &UpdateItems) -> ServiceResult<()> {
    let mut faults =
        FieldErrors::of_call(request.operation_id.as_deref(), request.language.as_deref());
    faults.batch("/Items", request.items.len(), limits.batch);
    for (index, item) in request.items.iter().enumerate() {
        let at = |field: &str| format!("/Items/{index}/{field}");
        if item.needs_base_version() && item.base_version.is_none() {
            let detail =
                "Changing text or place, or deciding a proposal, needs the version that was read.";
            faults.say(
                at("BaseVersion"),
                FieldErrorCode::BaseVersionRequired,
                detail,
            );
        }
        for (field, text, most) in item.limited_texts(limits) {
            faults.length(|| at(field), text, most);
        }
        let assignee = item.assignee.new_value().flatten();
        faults.assignee(|| at("Assignee/Id"), assignee);
        if item
            .seen_text_hash
            .as_ref()
            .is_some_and(|hash| !is_sha256(hash))
        {
            let detail = "The lowercase hexadecimal SHA-256 of the text as it was shown.";
            faults.say(at("SeenTextHash"), FieldErrorCode::Invalid, detail);
        }
        // An answer alone means "done".
        let resolves = match item.status {
            Some(status) => status != Status::Open,
            None => item.answer.is_some(),
        };
        if item.evidence.is_some() && (!resolves || item.proposal.is_some()) {
            let detail = "Evidence comes with the Status that it supports.";
            faults.say(at("Evidence"), FieldErrorCode::Invalid, detail);
        }
        for (field, detail) in item.evidence.iter().flat_map(|one| one.faults()) {
            let pointer = at(&format!("Evidence/{field}"));
            faults.say(pointer, FieldErrorCode::Invalid, detail);
        }
        if item.answer.is_some() && item.proposal.is_some() {
            let detail = "Accepting takes the proposal's answer, and declining sets no status.";
            faults.say(at("Answer"), FieldErrorCode::Invalid, detail);
        }
        let declines = item.proposal == Some(Decision::Decline);
        if (declines && item.status.is_some())
            || (item.proposal.is_some() && !item.reason.is_keep())
        {
            let detail = "Declining sets no status, and accepting takes the proposal's reason.";
            faults.say(at("Proposal"), FieldErrorCode::Invalid, detail);
        }
        if is_own_neighbour(item.id, item) {
            faults.say(
                at("AfterId"),
                FieldErrorCode::Invalid,
                "An item cannot stand beside itself.",
            );
        }
    }
    faults.refuse()
}

fn is_own_neighbour(id: ItemId, item: &UpdateItem) -> bool {
    item.after_id == Patch::Set(id) || item.before_id == Patch::Set(id)
}
