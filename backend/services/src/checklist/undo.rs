//! `Undo`: reverts one operation of the caller, atomically.
//!
//! Fails if others have changed the same aspects since, or if the caller no longer has the
//! permissions that the operation needed.

use checklist_auth::Principal;
use checklist_shared::change::allowed::{
    needed_to_redefine, needed_to_set_status, set_by_person_before,
};
use checklist_shared::checklist::Checklist;
use checklist_shared::item::{Actor, AspectVersions, Item};
use checklist_shared::permission::{Permission, Permissions};
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::undo::{CannotUndo, UndoRecord};
use checklist_shared::wire::write::{Undo, WriteAnswer};
use checklist_store::error::{ServiceError, ServiceResult};

use super::write::{self, ChangeContext, ListChanges, WriteCall, write_call};
use crate::access::{self, FieldErrors};
use crate::app::App;

/// Reverts an operation. An undo can itself be undone.
///
/// # Errors
/// `CannotUndo` with the reason, or any error of a writing call.
pub async fn undo(
    app: &App,
    principal: &Principal,
    request: Undo,
    body_hash: [u8; 32],
) -> ServiceResult<WriteAnswer> {
    access::need_any(
        principal,
        &[
            Permission::Check,
            Permission::Edit,
            Permission::Add,
            Permission::Delete,
            Permission::Reorder,
            Permission::Refresh,
        ],
    )?;
    let mut faults =
        FieldErrors::of_call(request.operation_id.as_deref(), request.language.as_deref());
    faults.operation_id("/Undoes", Some(&request.undoes));
    if request.operation_id.as_ref() == Some(&request.undoes) {
        faults.say(
            "/OperationId",
            FieldErrorCode::Duplicate,
            "An undo needs an OperationId of its own.",
        );
    }
    faults.refuse()?;
    // `take_back` checks what the operation needs. A replay has no undo record, so it assumes
    // every permission that an undo could need.
    let used = principal
        .permissions
        .intersection(EFFECTS.into_iter().collect());
    let call = WriteCall {
        undoes: Some(request.undoes),
        ..write_call!("Undo", request, body_hash, used)
    };
    write::run(app, principal, call, take_back).await
}

const EFFECTS: [Permission; 8] = [
    Permission::Check,
    Permission::UncheckOthers,
    Permission::Edit,
    Permission::Add,
    Permission::Delete,
    Permission::DeleteRequired,
    Permission::Reorder,
    Permission::Refresh,
];

fn take_back(list: &mut Checklist, scene: &ChangeContext<'_>) -> ServiceResult<ListChanges> {
    let cannot = |detail: String| ServiceError::new(ProblemCode::CannotUndo, detail);
    let Some(record) = scene.undo else {
        return Err(cannot(
            "No operation of that id by this caller is remembered for this checklist.".to_owned(),
        ));
    };
    if record.is_of_earlier_run(list) {
        return Err(cannot(
            "The checklist has started again, which is not taken back; the closed run has all as it was."
                .to_owned(),
        ));
    }
    if let Some(before) = &scene.facts.missing {
        return Err(cannot(format!(
            "The checklist would follow the template '{}' again, which was deleted since.",
            before.id
        )));
    }
    if record.is_empty() {
        return Err(cannot(
            "That operation changed no item, so there is nothing to take back.".to_owned(),
        ));
    }
    let needed = needs(record, list, scene.session.actor);
    if let Some(missing) = needed
        .iter()
        .find(|permission| !scene.session.permissions.allows(*permission))
    {
        let detail = format!("Taking this back needs the permission {}.", missing.name());
        return Err(ServiceError::new(ProblemCode::PermissionDenied, detail));
    }
    let before = list.clone();
    let events = record
        .restore(list, &scene.session)
        .map_err(|reason| match reason {
            CannotUndo::BuiltUpon(id)
            | CannotUndo::Gone(id)
            | CannotUndo::NeedsPerson(id)
            | CannotUndo::NeedsSecondPerson(id) => {
                let text = before
                    .any(id)
                    .map_or("", |item| item.text.resolve(scene.session.languages));
                cannot(format!(
                    "The operation cannot be taken back: {reason} (\"{text}\")."
                ))
            }
            _ => cannot(format!("The operation cannot be taken back: {reason}.")),
        })?;
    Ok(ListChanges {
        outcomes: write::difference(&before, list),
        events,
        ..ListChanges::default()
    })
}

/// The permissions that an undo needs: those of the changes that it reverts.
fn needs(record: &UndoRecord, list: &Checklist, actor: &Actor) -> Permissions {
    // A refresh changes many things, but needs one permission only.
    if record.is_of_refresh() {
        return [Permission::Refresh].into_iter().collect();
    }
    let mut needs = Permissions::default();
    if !record.added.is_empty() {
        needs = needs.with(Permission::Add);
    }
    for overwritten in &record.changed {
        if let Some(now) = list.any(overwritten.before.id) {
            needs = needs.union(differences(&overwritten.whole(now), now, actor));
        }
    }
    needs
}

fn differences(before: &Item, now: &Item, actor: &Actor) -> Permissions {
    let mut needs = Permissions::default();
    if before.is_live() != now.is_live() {
        needs = needs.with(Permission::Delete);
        return if now.is_protected() {
            needs.with(Permission::DeleteRequired)
        } else {
            needs
        };
    }
    if before.status != now.status || before.reason != now.reason {
        needs = needs.union(needed_to_set_status(now, actor));
    }
    if before.proposal != now.proposal {
        needs = needs.with(Permission::Check);
    }
    let changed = AspectVersions::default().with_changes(before, now, 1);
    if changed.definition > 0 {
        let (kind, required) = set_by_person_before(now, before);
        needs = needs.union(needed_to_redefine(now, kind, required));
    }
    if changed.place > 0 {
        needs = needs.with(Permission::Reorder);
    }
    // Everything else that has a version needs one permission.
    let nothing_else = AspectVersions {
        status: changed.status,
        place: changed.place,
        ..AspectVersions::default()
    };
    if changed != nothing_else {
        needs = needs.with(Permission::Edit);
    }
    needs
}
