//! `Lock`: locks a list against changes by any caller until it is unlocked.
//!
//! Locking a locked list changes nothing: it keeps who locked it first, and why.

use checklist_auth::Principal;
use checklist_shared::checklist::{Checklist, ListMark};
use checklist_shared::event::{Event, What};
use checklist_shared::permission::Permission;
use checklist_shared::text::{is_blank, trimmed};
use checklist_shared::wire::write::{LockList, WriteAnswer};
use checklist_store::error::ServiceResult;
use checklist_store::store::Purpose;

use super::write::{self, ChangeContext, ListChanges, WriteCall};
use crate::access::{self, FieldErrors};
use crate::app::App;

/// Locks or unlocks a list.
///
/// # Errors
/// The request is rejected, see `ProblemCode`.
pub async fn lock(
    app: &App,
    principal: &Principal,
    request: LockList,
    body_hash: [u8; 32],
) -> ServiceResult<WriteAnswer> {
    access::require_permission(principal, Permission::Lock)?;
    let mut faults =
        FieldErrors::of_call(request.operation_id.as_deref(), request.language.as_deref());
    faults.length(
        || "/Reason".to_owned(),
        request.reason.as_deref(),
        app.limits().note,
    );
    faults.refuse()?;
    let call = WriteCall {
        name: "Lock",
        context: request.context,
        operation_id: request.operation_id,
        language: request.language,
        body_hash,
        log_in_journal: None,
        purpose: Purpose::Change,
        undoes: None,
        used: [Permission::Lock].into_iter().collect(),
        atomic: false,
    };
    let (locked, reason) = (request.locked, request.reason);
    write::run(app, principal, call, move |list, scene| {
        Ok(set(list, scene, locked, reason.as_deref()))
    })
    .await
}

fn set(
    list: &mut Checklist,
    scene: &ChangeContext<'_>,
    locked: bool,
    reason: Option<&str>,
) -> ListChanges {
    let mut changed = ListChanges {
        tells_lock: true,
        ..ListChanges::default()
    };
    let reason = reason
        .filter(|reason| !is_blank(reason))
        .map(|reason| trimmed(reason).to_owned());
    if locked && list.locked.is_none() {
        changed
            .events
            .push(Event::of_list(What::Locked).changing(None, reason.clone()));
        list.locked = Some(ListMark {
            reason,
            by: scene.session.actor.clone(),
            at: scene.session.now,
        });
    } else if !locked && list.locked.take().is_some() {
        // The reason of the lock stands in the row that locked, where an erasure of its author finds it.
        changed
            .events
            .push(Event::of_list(What::Unlocked).changing(None, reason));
    }
    changed
}
