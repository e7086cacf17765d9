//! `DeleteItems`: soft-deletes items for thirty days. Deleting a section deletes its items.

use checklist_auth::Principal;
use checklist_shared::change::{self, Applied, Change};
use checklist_shared::checklist::Checklist;
use checklist_shared::id::ItemId;
use checklist_shared::permission::Permission;
use checklist_shared::wire::write::{DeleteItems, Outcome, WriteAnswer};
use checklist_store::error::ServiceResult;

use super::write::{self, ChangeContext, ItemOutcome, ListChanges, write_call};
use crate::access::{self, FieldErrors};
use crate::app::App;

/// Deletes items.
///
/// # Errors
/// The whole request is rejected, see `ProblemCode`. The answer reports problems of single items.
pub async fn delete_items(
    app: &App,
    principal: &Principal,
    request: DeleteItems,
    body_hash: [u8; 32],
) -> ServiceResult<WriteAnswer> {
    access::require_permission(principal, Permission::Delete)?;
    let mut faults =
        FieldErrors::of_call(request.operation_id.as_deref(), request.language.as_deref());
    faults.batch("/Ids", request.ids.len(), app.limits().batch);
    faults.refuse()?;
    let call = write_call!(
        "DeleteItems",
        request,
        body_hash,
        [Permission::Delete].into_iter().collect()
    );
    let ids = request.ids;
    write::run(app, principal, call, move |list, scene| {
        Ok(delete(list, scene, &ids))
    })
    .await
}

fn delete(list: &mut Checklist, scene: &ChangeContext<'_>, ids: &[ItemId]) -> ListChanges {
    let mut changed = ListChanges::default();
    // An id that is repeated, or whose section is in the request too, still counts as deleted by
    // it.
    let live = |list: &Checklist, id| list.live(id).is_some();
    let wanted: Vec<bool> = ids.iter().map(|id| live(list, *id)).collect();
    for (id, was_there) in ids.iter().zip(wanted) {
        changed.outcomes.push(
            match change::apply(list, &Change::Delete(*id), &scene.session) {
                Ok(Applied::Changed(events)) => {
                    changed.events.extend(events);
                    ItemOutcome::of(*id, Outcome::Deleted)
                }
                Ok(Applied::Unchanged) if was_there => ItemOutcome::of(*id, Outcome::Deleted),
                Ok(Applied::Unchanged) => ItemOutcome::unchanged(*id),
                Err(code) => ItemOutcome::refused(*id, code),
            },
        );
    }
    changed
}
