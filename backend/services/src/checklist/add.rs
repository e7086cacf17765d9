//! `AddItems`: adds items, in the order of the request.

use checklist_auth::Principal;
use checklist_runtime::clock;
use checklist_shared::change::{self, Applied};
use checklist_shared::checklist::Checklist;
use checklist_shared::id::ItemId;
use checklist_shared::item::{ActorSource, Origin};
use checklist_shared::limits::Limits;
use checklist_shared::permission::Permission;
use checklist_shared::problem::{FieldErrorCode, ItemProblemCode, ProblemCode};
use checklist_shared::wire::write::{AddItem, AddItems, Outcome, WriteAnswer};
use checklist_store::error::{ServiceError, ServiceResult};

use super::write::{self, ChangeContext, ItemOutcome, ListChanges, write_call};
use crate::access::{self, FieldErrors};
use crate::app::App;

/// Adds items. An item without a position follows the previous item of the request if that one has
/// a position.
///
/// # Errors
/// The whole request is rejected, see `ProblemCode`. The answer reports problems of single items.
pub async fn add_items(
    app: &App,
    principal: &Principal,
    request: AddItems,
    body_hash: [u8; 32],
) -> ServiceResult<WriteAnswer> {
    access::require_permission(principal, Permission::Add)?;
    check(app.limits(), &request)?;
    let now = app.clock().now();
    let mut items = Vec::with_capacity(request.items.len());
    for item in request.items {
        let id = match item.id {
            Some(id) => id,
            None => clock::new_item_id(now).map_err(|error| {
                tracing::error!(%error, "no random numbers");
                ServiceError::new(ProblemCode::Internal, "No id could be made.")
            })?,
        };
        items.push((id, item));
    }
    let origin = if principal.actor.source == Some(ActorSource::ApiKey) {
        Origin::Api
    } else {
        Origin::Local
    };
    let call = write_call!(
        "AddItems",
        request,
        body_hash,
        [Permission::Add].into_iter().collect()
    );
    write::run(app, principal, call, move |list, scene| {
        add(list, scene, &items, origin)
    })
    .await
}

fn add(
    list: &mut Checklist,
    scene: &ChangeContext<'_>,
    items: &[(ItemId, AddItem)],
    origin: Origin,
) -> ServiceResult<ListChanges> {
    let mut changed = ListChanges::default();
    // The previous item, and whether the request gave a position to it or to its predecessor.
    let mut previous: Option<(ItemId, bool)> = None;
    for (index, (id, item)) in items.iter().enumerate() {
        let (id, mut item) = (*id, item.clone());
        let mut placed = item.after_id.is_some() || item.before_id.is_some();
        if let Some((before, true)) = previous.filter(|_| !placed) {
            let parent = list.any(before).and_then(|item| item.parent_id);
            if item.parent_id.is_none() || item.parent_id == parent {
                item.after_id = Some(before);
                placed = true;
            }
        }
        let outcome = match change::apply(list, &item.into_change(id, origin), &scene.session) {
            Ok(Applied::Changed(events)) => {
                changed.events.extend(events);
                ItemOutcome::of(id, Outcome::Created)
            }
            Ok(Applied::Unchanged) => ItemOutcome::unchanged(id),
            Err(ItemProblemCode::LimitExceeded) => {
                return Err(too_many(index, scene.session.limits));
            }
            Err(code) => ItemOutcome::refused(id, code),
        };
        if !outcome.is_refused() {
            previous = Some((id, placed));
        }
        changed.outcomes.push(outcome);
    }
    Ok(changed)
}

fn too_many(index: usize, limits: &Limits) -> ServiceError {
    let mut faults = FieldErrors::default();
    let detail = format!("A checklist holds at most {} items.", limits.items);
    faults.say(
        format!("/Items/{index}"),
        FieldErrorCode::LimitExceeded,
        detail,
    );
    match faults.refuse() {
        Err(error) => error,
        Ok(()) => ServiceError::new(ProblemCode::LimitExceeded, "The checklist is full."),
    }
}

fn check(limits: &Limits, request: &AddItems) -> ServiceResult<()> {
    let mut faults =
        FieldErrors::of_call(request.operation_id.as_deref(), request.language.as_deref());
    faults.batch("/Items", request.items.len(), limits.batch);
    for (index, item) in request.items.iter().enumerate() {
        let at = |field: &str| format!("/Items/{index}/{field}");
        for (field, text, most) in item.limited_texts(limits) {
            faults.length(|| at(field), text, most);
        }
        faults.assignee(|| at("Assignee/Id"), item.assignee.as_ref());
        // Version 5 ids are derived from template keys. A foreign one could collide with an item of
        // a later template version.
        if item.id.is_some_and(|id| id.as_bytes()[6] >> 4 == 5) {
            faults.say(
                at("Id"),
                FieldErrorCode::Invalid,
                "Choose a UUID of version 7; version 5 is the server's.",
            );
        }
    }
    faults.refuse()
}
