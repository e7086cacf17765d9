//! `StartAgain`: closes the run of a list, and begins the next one from its template.
//!
//! The rule is `shared::run`. A list that was never written has its first run closed as its template
//! projects it: that nobody has touched it is worth knowing, too.

use checklist_auth::Principal;
use checklist_shared::checklist::Checklist;
use checklist_shared::event::Event;
use checklist_shared::facts::Facts;
use checklist_shared::permission::Permission;
use checklist_shared::problem::ProblemCode;
use checklist_shared::run;
use checklist_shared::wire::runs::StartAgain;
use checklist_shared::wire::write::WriteAnswer;
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::store::Purpose;

use super::write::{self, ChangeContext, ListChanges, WriteCall, write_call};
use super::{answer, pins};
use crate::access::{self, FieldErrors};
use crate::app::App;

/// Starts a list again.
///
/// # Errors
/// `RunChanged` if it has another run than the caller names, `TemplateNotFound`, or any error of a
/// writing call.
pub async fn start_again(
    app: &App,
    principal: &Principal,
    request: StartAgain,
    body_hash: [u8; 32],
) -> ServiceResult<WriteAnswer> {
    access::require_permission(principal, Permission::Lock)?;
    let mut faults =
        FieldErrors::of_call(request.operation_id.as_deref(), request.language.as_deref());
    super::runs::check(request.run, None, &mut faults);
    let detail = "Say why: it is shown with the run that is closed.";
    faults.reason(&request.reason, detail, app.limits().note);
    faults.refuse()?;
    let (reason, expected) = (request.reason, request.run);
    let brought = pins::brought_facts(principal, &request.context).cloned();
    let used = [Permission::Lock].into_iter().collect();
    let call = WriteCall {
        purpose: Purpose::Refresh(None),
        ..write_call!("StartAgain", request, body_hash, used)
    };
    let most = app.limits().items;
    write::run(app, principal, call, move |list, scene| {
        same_run(list, expected)?;
        let facts = brought.clone().unwrap_or_else(|| list.facts.clone());
        start(list, scene, facts, &reason, most)
    })
    .await
}

fn start(
    list: &mut Checklist,
    scene: &ChangeContext<'_>,
    facts: Facts,
    reason: &str,
    most: usize,
) -> ServiceResult<ListChanges> {
    let found = scene.facts;
    if let Some(id) = &found.retired {
        return Err(crate::template::retired(id));
    }
    if let Some(missing) = &found.missing {
        return Err(answer::no_template(missing));
    }
    let (target, session) = (found.target.as_deref(), &scene.session);
    let changed = (list.facts != facts).then(|| Event::of_facts(&list.facts, &facts));
    // A list that was never written follows the newest version.
    let current = found.current.as_deref().or(target);
    let started = run::start_again(
        list,
        (current, target),
        facts,
        reason,
        (session.actor, session.now),
        most,
    );
    let (closed, event) = started.map_err(|_| {
        let detail =
            format!("The checklist would hold more than {most} items; nothing was changed.");
        ServiceError::new(ProblemCode::LimitExceeded, detail)
    })?;
    Ok(ListChanges {
        events: std::iter::once(event).chain(changed).collect(),
        closes: Some(Box::new(closed)),
        ..ListChanges::default()
    })
}

fn same_run(list: &Checklist, expected: Option<u32>) -> ServiceResult<()> {
    let present = list.run.number;
    match expected {
        Some(expected) if expected != present => Err(ServiceError::new(
            ProblemCode::RunChanged,
            format!("The checklist is at run {present}, not {expected}; nothing was changed."),
        )),
        _ => Ok(()),
    }
}
