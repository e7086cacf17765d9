//! `ApplyTemplate` on one list: appends the items of a template, or says what it would append.
//!
//! The rule itself is `shared::apply_template`. Both ways check the same.

use std::sync::Arc;

use checklist_auth::Principal;
use checklist_shared::apply_template::{self, Application};
use checklist_shared::change::Session;
use checklist_shared::checklist::Checklist;
use checklist_shared::context::Context;
use checklist_shared::permission::Permission;
use checklist_shared::problem::{ItemProblemCode, ProblemCode};
use checklist_shared::template::Template;
use checklist_shared::wire::apply::ApplyOutcome;
use checklist_shared::wire::write::{Outcome, WriteAnswer};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::store::{ListFacts, Purpose};

use super::write::{self, ItemOutcome, ListChanges, WriteCall};
use super::{answer, isolate, pins};
use crate::access;
use crate::app::App;

/// What an application has done to a list, or would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Applied {
    pub(crate) outcome: ApplyOutcome,
    /// How many items are new.
    pub(crate) items: u32,
}

impl Applied {
    fn of(is_first: bool, items: usize) -> Self {
        Self {
            outcome: match (is_first, items) {
                (true, _) => ApplyOutcome::Begun,
                (false, 0) => ApplyOutcome::Unchanged,
                (false, _) => ApplyOutcome::Appended,
            },
            items: u32::try_from(items).unwrap_or(u32::MAX),
        }
    }

    /// From the answer alone: that of a repeat is the stored one.
    fn of_answer(answer: &WriteAnswer) -> Self {
        let items = answer.results.len();
        // The first write of a list makes its revision 1.
        Self::of(answer.revision == 1 && items > 0, items)
    }
}

/// Appends what the list does not have of the template. The same operation once more is answered as it
/// was the first time.
///
/// # Errors
/// Why the list stays as it is.
pub(crate) async fn apply_template(
    app: &App,
    principal: &Principal,
    context: Context,
    template: Arc<Template>,
    operation_id: String,
) -> ServiceResult<Applied> {
    let call = WriteCall {
        // That of a run, and the record is one of the list.
        operation_id: Some(operation_id),
        ..WriteCall::of("ApplyTemplate", context, Permission::Add)
    };
    let answer = write::run(app, principal, call, move |list, scene| {
        let applied = append(list, &template, &scene.session)?;
        Ok(ListChanges {
            outcomes: applied
                .ids
                .into_iter()
                .map(|id| ItemOutcome::of(id, Outcome::Created))
                .collect(),
            events: applied.events,
            materialise: true,
            ..ListChanges::default()
        })
    })
    .await?;
    Ok(Applied::of_answer(&answer))
}

/// What [`apply_template`] would do to each of the lists.
///
/// # Errors
/// The store could not be asked; what one list is refused stands in its entry.
pub(crate) async fn preview_template(
    app: &App,
    principal: &Principal,
    contexts: &[Context],
    template: &Template,
) -> ServiceResult<Vec<ServiceResult<Applied>>> {
    let wanted = contexts
        .iter()
        .map(|context| pins::list_request(principal, context, Purpose::Change))
        .collect();
    let found = app.store().read_lists(&principal.tenant, wanted).await?;
    let previews = contexts.iter().zip(found).map(|(context, facts)| {
        isolate(&principal.tenant, context, || {
            access::require_context(principal, context, "/Context")?;
            preview(app, principal, context, &facts?, template)
        })
    });
    Ok(previews.collect())
}

fn preview(
    app: &App,
    principal: &Principal,
    context: &Context,
    facts: &ListFacts,
    template: &Template,
) -> ServiceResult<Applied> {
    let now = app.clock().now();
    let before = answer::list_of(facts, context, principal, now)?;
    if before.locked.is_some() {
        return Err(ServiceError::new(
            ProblemCode::Locked,
            "The checklist is locked.",
        ));
    }
    let languages = principal.languages_after(None);
    let session = write::session(app, principal, now, &languages);
    let mut after = Checklist::clone(&before);
    let applied = append(&mut after, template, &session)?;
    pins::require_same(principal, context, &before, &after)?;
    let is_first = facts.list.is_none();
    if is_first {
        write::within_purposes(facts, app)?;
    }
    Ok(Applied::of(is_first, applied.ids.len()))
}

fn append(
    list: &mut Checklist,
    template: &Template,
    session: &Session<'_>,
) -> ServiceResult<Application> {
    apply_template::apply_template(list, template, session).map_err(|code| {
        let limit = session.limits.items;
        match code {
            ItemProblemCode::LimitExceeded => ServiceError::new(
                ProblemCode::LimitExceeded,
                format!("The checklist would hold more than {limit} items; nothing was changed."),
            ),
            _ => ServiceError::new(
                ProblemCode::PermissionDenied,
                "Whoever applies the template may not add items.",
            ),
        }
    })
}
