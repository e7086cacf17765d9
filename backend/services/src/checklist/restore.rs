//! `RestoreItems`: restores deleted items within their retention.
//!
//! Any caller with the permission `Delete` may restore items that others have deleted. Unlike
//! `Undo`, this needs no record of the operation.

use checklist_auth::Principal;
use checklist_shared::change::restore;
use checklist_shared::checklist::Checklist;
use checklist_shared::id::ItemId;
use checklist_shared::permission::Permission;
use checklist_shared::problem::{ItemProblemCode, ProblemCode};
use checklist_shared::wire::write::{Outcome, RestoreItems, WriteAnswer};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::store::Purpose;

use super::write::{self, ChangeContext, ItemOutcome, ListChanges, WriteCall, write_call};
use crate::access::{self, FieldErrors};
use crate::app::App;

/// Restores deleted items.
///
/// # Errors
/// The whole request is rejected, see `ProblemCode`. The answer reports problems of single items.
pub async fn restore_items(
    app: &App,
    principal: &Principal,
    request: RestoreItems,
    body_hash: [u8; 32],
) -> ServiceResult<WriteAnswer> {
    access::require_permission(principal, Permission::Delete)?;
    let mut faults =
        FieldErrors::of_call(request.operation_id.as_deref(), request.language.as_deref());
    faults.batch("/Ids", request.ids.len(), app.limits().batch);
    faults.refuse()?;
    let call = WriteCall {
        // Restored items follow the template version that the list follows now.
        purpose: Purpose::Show,
        ..write_call!(
            "RestoreItems",
            request,
            body_hash,
            [Permission::Delete].into_iter().collect()
        )
    };
    let ids = request.ids;
    write::run(app, principal, call, move |list, scene| {
        restore_all(list, scene, &ids)
    })
    .await
}

fn restore_all(
    list: &mut Checklist,
    scene: &ChangeContext<'_>,
    ids: &[ItemId],
) -> ServiceResult<ListChanges> {
    let mut changed = ListChanges::default();
    let template = scene.facts.current.as_deref();
    // An id that is repeated, or whose section is in the request too, still counts as restored by
    // it.
    let gone = |id: &ItemId| list.any(*id).is_some_and(|item| !item.is_live());
    let were_gone: Vec<bool> = ids.iter().map(gone).collect();
    let mut along = Vec::new();
    for (id, was_gone) in ids.iter().zip(were_gone) {
        let outcome = match restore::restore(list, *id, template, &scene.session) {
            Ok(restored) => {
                changed.events.extend(restored.events);
                along.extend(restored.ids);
                if was_gone {
                    ItemOutcome::of(*id, Outcome::Restored)
                } else {
                    ItemOutcome::unchanged(*id)
                }
            }
            Err(ItemProblemCode::LimitExceeded) => {
                let items = scene.session.limits.items;
                return Err(ServiceError::new(
                    ProblemCode::LimitExceeded,
                    format!(
                        "The checklist would hold more than {items} items; nothing was restored."
                    ),
                ));
            }
            Err(code) => ItemOutcome::refused(*id, code),
        };
        changed.outcomes.push(outcome);
    }
    along.retain(|id| !ids.contains(id));
    let along = along.into_iter();
    changed
        .outcomes
        .extend(along.map(|id| ItemOutcome::of(id, Outcome::Restored)));
    Ok(changed)
}
