//! `SendSignals`: takes what other systems report about items that are bound to their signals.
//!
//! Each report is taken for itself, decided on the list as it is then. Whether it is newer decides, so
//! the same call again changes nothing. A source that the caller may not speak for refuses the whole
//! request before any list is looked at.

use checklist_auth::Principal;
use checklist_shared::item::Status;
use checklist_shared::permission::Permission;
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::signal::{bound_items, name_fault};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::signals::{
    SendSignals, SentSignal, SentSignals, SignalReport, SignalledItem,
};
use checklist_shared::wire::write::{Outcome, WriteResult};
use checklist_store::error::{ServiceError, ServiceResult};

use super::read::with_context_at;
use super::write::{self, WriteCall};
use crate::access::{self, FieldErrors};
use crate::app::App;

/// How far the clock of a source may be ahead.
const AHEAD_MILLIS: i64 = 5 * 60 * 1_000;

/// Takes reports.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`; what is wrong with one report alone stands in its entry.
pub async fn send_signals(
    app: &App,
    principal: &Principal,
    request: SendSignals,
) -> ServiceResult<SentSignals> {
    access::require_permission(principal, Permission::Check)?;
    check(app, &request)?;
    for report in &request.signals {
        if !principal.sources.contains(&report.source) {
            return Err(ServiceError::new(
                ProblemCode::PermissionDenied,
                format!(
                    "Only an API key with the source '{}' may send its signals; nothing was changed.",
                    report.source
                ),
            ));
        }
    }
    let mut results = Vec::with_capacity(request.signals.len());
    for (index, report) in request.signals.into_iter().enumerate() {
        let (context, source, key) = (
            report.context.without_facts(),
            report.source.clone(),
            report.key.clone(),
        );
        let (items, problem) = match take(app, principal, report).await {
            Ok(items) => (items, None),
            Err(error) => match error.not_applied {
                Some(refused) => (refused.results, None),
                None => (Vec::new(), Some(error.problem)),
            },
        };
        results.push(SentSignal {
            context,
            source,
            key,
            outcome: outcome(&items),
            items: items.into_iter().map(of_result).collect(),
            problem: problem
                .map(|problem| with_context_at(problem, &format!("/Signals/{index}/Context"))),
        });
    }
    Ok(SentSignals { results })
}

/// Changes the items of a list that are bound to the signal; gives what became of each.
async fn take(
    app: &App,
    principal: &Principal,
    report: SignalReport,
) -> ServiceResult<Vec<WriteResult>> {
    let call = WriteCall::of("SendSignals", report.context.clone(), Permission::Check);
    let answer = write::run(app, principal, call, move |list, scene| {
        let bound = bound_items(list, &report.source, &report.key);
        if bound.is_empty() {
            return Err(ServiceError::new(
                ProblemCode::ItemNotFound,
                "No item of this checklist is bound to this signal.",
            ));
        }
        let changes = bound
            .into_iter()
            .map(|id| (id, report.clone().into_change(id)));
        write::change_each(list, scene, changes)
    })
    .await?;
    Ok(answer.results)
}

fn check(app: &App, request: &SendSignals) -> ServiceResult<()> {
    let mut faults = FieldErrors::default();
    faults.batch("/Signals", request.signals.len(), app.limits().batch);
    let latest = app.clock().now().as_millis().saturating_add(AHEAD_MILLIS);
    for (index, report) in request.signals.iter().enumerate() {
        let at = |field: &str| format!("/Signals/{index}/{field}");
        let names = [("Source", &report.source), ("Key", &report.key)];
        for (field, detail) in names
            .into_iter()
            .filter_map(|(field, name)| name_fault(field, name))
        {
            faults.say(at(field), FieldErrorCode::Invalid, detail);
        }
        if report.status == Status::NotApplicable {
            let detail = "A signal reports Open or Done.";
            faults.say(at("Status"), FieldErrorCode::Invalid, detail);
        }
        if report.as_of > Timestamp::from_millis(latest) {
            let detail = "This time is still to come; look at the clock of the source.";
            faults.say(at("AsOf"), FieldErrorCode::Invalid, detail);
        }
        for (field, detail) in report.evidence.iter().flat_map(|one| one.faults()) {
            let pointer = at(&format!("Evidence/{field}"));
            faults.say(pointer, FieldErrorCode::Invalid, detail);
        }
    }
    faults.refuse()
}

fn outcome(items: &[WriteResult]) -> Outcome {
    let has = |outcome| items.iter().any(|item| item.outcome == outcome);
    if has(Outcome::Updated) {
        Outcome::Updated
    } else if has(Outcome::Unchanged) {
        Outcome::Unchanged
    } else {
        Outcome::Failed
    }
}

fn of_result(result: WriteResult) -> SignalledItem {
    SignalledItem {
        id: result.id,
        outcome: result.outcome,
        problem: result.problem,
    }
}
