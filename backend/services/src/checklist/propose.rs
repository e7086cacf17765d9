//! `ProposeItems`: proposes statuses, for a person to accept or decline with `UpdateItems`.

use checklist_auth::Principal;
use checklist_shared::limits::Limits;
use checklist_shared::permission::Permission;
use checklist_shared::problem::FieldErrorCode;
use checklist_shared::proposal::is_sha256;
use checklist_shared::wire::write::{ProposeItems, WriteAnswer};
use checklist_store::error::ServiceResult;

use super::write::{self, write_call};
use crate::access::{self, FieldErrors};
use crate::app::App;

/// Proposes statuses, each item for itself.
///
/// # Errors
/// The whole request is rejected, see `ProblemCode`. The answer reports problems of single items.
pub async fn propose_items(
    app: &App,
    principal: &Principal,
    request: ProposeItems,
    body_hash: [u8; 32],
) -> ServiceResult<WriteAnswer> {
    access::require_permission(principal, Permission::Check)?;
    check(app.limits(), &request)?;
    let call = write_call!(
        "ProposeItems",
        request,
        body_hash,
        [Permission::Check].into_iter().collect()
    );
    let items = request.items.into_iter();
    let changes = items.map(|item| (item.id, item.into_change())).collect();
    write::run_each(app, principal, call, changes).await
}

fn check(limits: &Limits, request: &ProposeItems) -> ServiceResult<()> {
    let mut faults =
        FieldErrors::of_call(request.operation_id.as_deref(), request.language.as_deref());
    faults.batch("/Items", request.items.len(), limits.batch);
    for (index, item) in request.items.iter().enumerate() {
        let at = |field: &str| format!("/Items/{index}/{field}");
        faults.length(|| at("Reason"), item.reason.as_deref(), limits.note);
        if (item.seen_text_hash.as_deref()).is_some_and(|hash| !is_sha256(hash)) {
            let detail = "The lowercase hexadecimal SHA-256 of the text as it was read.";
            faults.say(at("SeenTextHash"), FieldErrorCode::Invalid, detail);
        }
        for (field, detail) in item.evidence.iter().flat_map(|one| one.faults()) {
            let pointer = at(&format!("Evidence/{field}"));
            faults.say(pointer, FieldErrorCode::Invalid, detail);
        }
    }
    faults.refuse()
}
