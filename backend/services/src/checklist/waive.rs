//! `Waive`: lets a list pass although items are open, or revokes that.
//!
//! The rule is `shared::waiver`. A second waiver is refused instead of ignored, because its reason
//! would be lost.

use checklist_auth::Principal;
use checklist_shared::checklist::{Checklist, ListMark};
use checklist_shared::permission::Permission;
use checklist_shared::problem::ProblemCode;
use checklist_shared::waiver::{self, CannotWaive};
use checklist_shared::wire::write::{Waive, WriteAnswer};
use checklist_store::error::{ServiceError, ServiceResult};

use super::write::{self, ListChanges, write_call};
use crate::access::{self, FieldErrors};
use crate::app::App;

/// Waives a list, or revokes its waiver.
///
/// # Errors
/// `CannotWaive` with the reason, or any error of a writing call.
pub async fn waive(
    app: &App,
    principal: &Principal,
    request: Waive,
    body_hash: [u8; 32],
) -> ServiceResult<WriteAnswer> {
    access::require_permission(principal, Permission::Waive)?;
    let mut faults =
        FieldErrors::of_call(request.operation_id.as_deref(), request.language.as_deref());
    let detail = "Say why: it is shown at the head of the checklist.";
    faults.reason(&request.reason, detail, app.limits().note);
    faults.refuse()?;
    let (reason, revoke, expected) = (request.reason, request.revoke, request.expected_revision);
    let used = [Permission::Waive].into_iter().collect();
    let call = write_call!("Waive", request, body_hash, used);
    write::run(app, principal, call, move |list, scene| {
        write::same_revision(list, expected)?;
        let before = list.waived.clone();
        let session = &scene.session;
        let event = if revoke {
            waiver::revoke(list, &reason)
        } else {
            waiver::waive(list, &reason, session.actor, session.now)
        };
        let event = event.map_err(|reason| cannot(reason, before.as_ref(), list))?;
        Ok(ListChanges {
            events: vec![event],
            tells_waiver: true,
            ..ListChanges::default()
        })
    })
    .await
}

/// The answer to a list that is not waived, or a waiver that is not revoked.
fn cannot(reason: CannotWaive, before: Option<&ListMark>, list: &Checklist) -> ServiceError {
    let detail = match reason {
        CannotWaive::NeedsPerson => {
            "Only a person waives a checklist, or an agent whose person has approved it.".to_owned()
        }
        CannotWaive::AlreadyWaived => {
            let by = before.map_or("", |waiver| waiver.by.name.as_str());
            format!("The checklist is waived already, by {by}; revoke that first.")
        }
        CannotWaive::Complete => "The checklist is complete; nothing has to be waived.".to_owned(),
        CannotWaive::Empty => format!(
            "The checklist has no items that count ({} in all); nothing can be waived.",
            list.used()
        ),
        CannotWaive::NotWaived => "The checklist has no waiver to revoke.".to_owned(),
    };
    ServiceError::new(ProblemCode::CannotWaive, detail)
}
