//! `RefreshItemsOnTemplateChange`: moves a list to a version of its template, or to another
//! template.
//!
//! The merge itself is `shared::refresh`.

use checklist_auth::Principal;
use checklist_shared::change::Session;
use checklist_shared::checklist::Checklist;
use checklist_shared::context::Context;
use checklist_shared::facts::Facts;
use checklist_shared::permission::Permission;
use checklist_shared::problem::ProblemCode;
use checklist_shared::progress;
use checklist_shared::wire::write::{AppliedShare, JournalResult, RefreshItems, WriteAnswer};
use checklist_shared::{refresh, template::Template};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::store::{ListFacts, PendingRefresh, Purpose};

use super::write::{self, ChangeContext, ItemOutcome, ListChanges, WriteCall};
use super::{answer, pins};
use crate::access::{self, FieldErrors};
use crate::app::App;

/// Refreshes a list to a version, or with a dry run only reports the changes.
///
/// # Errors
/// The request is rejected, see `ProblemCode`. Locked lists, exceeded limits and stale revisions
/// are rejected in a dry run too.
pub async fn refresh_items(
    app: &App,
    principal: &Principal,
    request: RefreshItems,
    body_hash: [u8; 32],
) -> ServiceResult<WriteAnswer> {
    access::require_permission(principal, Permission::Refresh)?;
    FieldErrors::of_call(request.operation_id.as_deref(), request.language.as_deref()).refuse()?;
    if request.dry_run {
        return try_out(app, principal, &request).await;
    }
    let expected = request.expected_revision;
    let brought = pins::brought_facts(principal, &request.context).cloned();
    let call = WriteCall {
        operation_id: request.operation_id,
        language: request.language,
        body_hash,
        log_in_journal: request.log_in_journal,
        ..call(request.context, request.to_version)
    };
    write::run(app, principal, call, move |list, scene| {
        write::same_revision(list, expected)?;
        let facts = brought.clone().unwrap_or_else(|| list.facts.clone());
        refresh_list(list, facts, scene)
    })
    .await
}

/// Refreshes one list after a publication. A list that is completed or waived, or that follows another
/// template or a newer version by now, stays as it is.
///
/// # Errors
/// The list is locked or would exceed a limit, or the store failed.
pub(crate) async fn refresh_automatically(
    app: &App,
    automation: &Principal,
    context: Context,
    pending: &PendingRefresh,
) -> ServiceResult<WriteAnswer> {
    let call = call(context, Some(pending.version));
    let pending = pending.clone();
    write::run(app, automation, call, move |list, scene| {
        let follows = list
            .template
            .as_ref()
            .is_some_and(|own| own.id == pending.template && own.version < pending.version);
        if !follows || progress::of_items(list).0.may_pass() {
            return Ok(ListChanges::default());
        }
        refresh_list(list, list.facts.clone(), scene)
    })
    .await
}

fn call(context: Context, to_version: Option<u32>) -> WriteCall {
    WriteCall {
        name: "RefreshItemsOnTemplateChange",
        context,
        operation_id: None,
        language: None,
        body_hash: [0; 32],
        log_in_journal: None,
        purpose: Purpose::Refresh(to_version),
        undoes: None,
        used: [Permission::Refresh].into_iter().collect(),
        atomic: false,
    }
}

fn refresh_list(
    list: &mut Checklist,
    facts: Facts,
    scene: &ChangeContext<'_>,
) -> ServiceResult<ListChanges> {
    let target = target(scene.facts)?;
    let before = list.clone();
    let base = scene.facts.current.as_deref();
    let refreshed = merge(list, base, target, facts, &scene.session)?;
    Ok(ListChanges {
        outcomes: write::difference(&before, list),
        events: refreshed.events,
        changes: Some(refreshed.changes),
        // A caller who names a version wants the list to stay on it, so the list is stored.
        materialise: true,
        ..ListChanges::default()
    })
}

fn target(facts: &ListFacts) -> ServiceResult<&Template> {
    if let Some(id) = &facts.retired {
        return Err(crate::template::retired(id));
    }
    if let Some(missing) = &facts.missing {
        return Err(answer::no_template(missing));
    }
    facts.target.as_deref().ok_or_else(|| {
        ServiceError::new(
            ProblemCode::TemplateNotFound,
            "The checklist follows no template; name one as TemplateId in the context.",
        )
    })
}

fn merge(
    list: &mut Checklist,
    base: Option<&Template>,
    target: &Template,
    facts: Facts,
    session: &Session<'_>,
) -> ServiceResult<refresh::Refreshed> {
    refresh::refresh_with(list, base, target, facts, session).map_err(|_| {
        let detail = format!(
            "The checklist would hold more than {} items; nothing was changed.",
            session.limits.items
        );
        ServiceError::new(ProblemCode::LimitExceeded, detail)
    })
}

/// The dry run: the same checks and changes, applied to a copy.
async fn try_out(
    app: &App,
    principal: &Principal,
    request: &RefreshItems,
) -> ServiceResult<WriteAnswer> {
    access::require_context(principal, &request.context, "/Context")?;
    let purpose = Purpose::Refresh(request.to_version);
    let wanted = pins::list_request(principal, &request.context, purpose);
    let facts = app
        .store()
        .read_lists(&principal.tenant, vec![wanted])
        .await?
        .pop()
        .unwrap_or_else(|| Ok(ListFacts::default()))?;
    let now = app.clock().now();
    let before = answer::list_of(&facts, &request.context, principal, now)?;
    pins::require_target(principal, &request.context, &before)?;
    if before.locked.is_some() {
        return Err(ServiceError::new(
            ProblemCode::Locked,
            "The checklist is locked; a refresh would change nothing.",
        ));
    }
    write::same_revision(&before, request.expected_revision)?;
    let languages = principal.languages_after(request.language.as_deref());
    let session = write::session(app, principal, now, &languages);
    let mut after = Checklist::clone(&before);
    let brought = pins::brought_facts(principal, &request.context);
    let brought = brought.unwrap_or(&before.facts).clone();
    let base = facts.current.as_deref();
    let refreshed = merge(&mut after, base, target(&facts)?, brought, &session)?;
    let progress = progress::of(&after);
    Ok(WriteAnswer {
        // Nothing is written: the revision is the current one, the rest is the result of the
        // refresh.
        revision: before.revision,
        state: progress.state,
        completed: progress.state.is_completed(),
        counts: progress.counts,
        blockers: answer::blockers(&after, &progress, &languages),
        applied: AppliedShare::All,
        results: write::difference(&before, &after)
            .into_iter()
            .map(|outcome: ItemOutcome| outcome.into_result(&after, &facts, &languages))
            .collect(),
        journal: JournalResult::default(),
        changes: Some(refreshed.changes),
        locked: None,
        waived: None,
        run: None,
        rebalanced: write::is_rebalanced(&before, &after),
    })
}
