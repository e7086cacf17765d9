//! The one way in which a list is written.
//!
//! Checks the caller, then hands the store a closure that decides on the list as it stands: the
//! lock, the call's own change, the journal's conditions, the answer.

use std::collections::HashMap;
use std::sync::Arc;

use checklist_shared::change::Session;
use checklist_shared::checklist::Checklist;
use checklist_shared::context::Context;
use checklist_shared::event::{Event, What};
use checklist_shared::id::ItemId;
use checklist_shared::permission::Permissions;
use checklist_shared::problem::{ItemProblem, ProblemCode};
use checklist_shared::progress;
use checklist_shared::undo::UndoRecord;
use checklist_shared::wire::admin::{Class, Type};
use checklist_shared::wire::write::{
    AppliedShare, JournalResult, Outcome, RefreshChange, WriteAnswer, WriteResult,
};

use super::{answer, isolate};
use crate::app::App;
use crate::auth::Principal;
use crate::error::{NotApplied, ServiceError, ServiceResult};
use crate::services::access;
use crate::storage::store::{
    Decision, ListFacts, ListRequest, ListWrite, Operation, Purpose, Save, UndoTarget,
};
use crate::telemetry;

/// A writing call, as far as all of them are alike.
pub(super) struct WriteCall {
    /// Its name; one of `storage::store::CALLS`.
    pub(super) name: &'static str,
    pub(super) context: Context,
    pub(super) operation_id: Option<String>,
    /// The language of the answer, where the request names one.
    pub(super) language: Option<String>,
    pub(super) body_hash: [u8; 32],
    pub(super) log_in_journal: Option<bool>,
    pub(super) purpose: Purpose,
    /// The operation to take back.
    pub(super) undoes: Option<String>,
    /// The permissions that the request makes use of.
    pub(super) used: Permissions,
    /// All items or none.
    pub(super) atomic: bool,
}

/// What a call sees while it changes the list.
pub(super) struct ChangeContext<'a> {
    pub(super) session: Session<'a>,
    pub(super) facts: &'a ListFacts,
    pub(super) undo: Option<&'a UndoRecord>,
}

/// What a call has changed.
#[derive(Default)]
pub(super) struct ListChanges {
    /// One entry for each item of the request, in order.
    pub(super) outcomes: Vec<ItemOutcome>,
    /// What happened; nothing happened when empty.
    pub(super) events: Vec<Event>,
    /// Of a refresh.
    pub(super) changes: Option<Vec<RefreshChange>>,
    /// Whether the answer tells the lock.
    pub(super) tells_lock: bool,
    /// Writes a list that was never written even when nothing else happened.
    pub(super) materialise: bool,
}

/// What became of one item.
pub(super) struct ItemOutcome {
    pub(super) id: ItemId,
    pub(super) outcome: Outcome,
    pub(super) problem: Option<ItemProblem>,
}

/// Runs a writing call. `change` alters the list or refuses the whole request; what it leaves
/// unchanged is not written.
pub(super) async fn run(
    app: &App,
    principal: &Principal,
    call: WriteCall,
    change: impl Fn(&mut Checklist, &ChangeContext<'_>) -> ServiceResult<ListChanges> + Send + 'static,
) -> ServiceResult<WriteAnswer> {
    access::covered(principal, &call.context, "/Context")?;
    let scope = &principal.idempotency_scope;
    let write = ListWrite {
        tenant: principal.tenant.clone(),
        wanted: ListRequest {
            context: call.context.clone(),
            fallback: principal.template.clone(),
            purpose: call.purpose,
        },
        operation: call.operation_id.clone().map(|id| Operation {
            scope: scope.clone(),
            call: call.name,
            id,
            body_hash: call.body_hash,
        }),
        undoes: call.undoes.clone().map(|id| UndoTarget {
            scope: scope.clone(),
            id,
        }),
        permissions: principal.permissions,
        now: app.clock().now(),
        decide: {
            let (app, principal) = (app.clone(), principal.clone());
            Box::new(move |facts, undo| {
                isolate(&principal.tenant, &call.context, || {
                    decide(&app, &principal, &call, facts, undo, &change)
                })
            })
        },
    };
    telemetry::work("write a list", app.store().write_list(write)).await?
}

fn decide(
    app: &App,
    principal: &Principal,
    call: &WriteCall,
    facts: &ListFacts,
    undo: Option<&UndoRecord>,
    change: &impl Fn(&mut Checklist, &ChangeContext<'_>) -> ServiceResult<ListChanges>,
) -> ServiceResult<Decision> {
    let now = app.clock().now();
    let languages = principal.languages_after(call.language.as_deref());
    let before = answer::list_of(facts, &call.context, now)?;
    if let Some(lock) = before.locked.as_ref().filter(|_| call.name != "Lock") {
        let why = lock
            .reason
            .as_ref()
            .map_or_else(String::new, |reason| format!(": {reason}"));
        return Err(ServiceError::new(
            ProblemCode::Locked,
            format!("Locked by {}{why}", lock.by.name),
        ));
    }
    let session = Session {
        actor: &principal.actor,
        permissions: principal.permissions,
        now,
        limits: app.limits(),
        languages: &languages,
    };
    let mut after = Checklist::clone(&before);
    let mut changed = change(
        &mut after,
        &ChangeContext {
            session,
            facts,
            undo,
        },
    )?;
    let share = share(&changed.outcomes);
    if share == AppliedShare::None || (call.atomic && share == AppliedShare::Some) {
        return Err(not_applied(&before, facts, changed.outcomes, &languages));
    }
    let first = facts.list.is_none();
    let writes = !changed.events.is_empty() || (first && changed.materialise);
    if writes {
        after.context = Context {
            template_id: None,
            ..call.context.clone()
        };
        after.revision = before.revision + 1;
        if first {
            within_purposes(facts, app)?;
            changed.events.insert(0, Event::of_list(What::Created));
            // Whoever saw the projection reads every item again: the template may have moved on
            // between that reading and this writing.
            for item in &mut after.items {
                Arc::make_mut(item).revision = after.revision;
            }
        }
    }
    let (journal, journals) = journal(principal, call, facts.kind.as_deref(), writes);
    let shown = if writes { &after } else { &*before };
    let progress = progress::of(shown);
    let answer = WriteAnswer {
        revision: shown.revision,
        state: progress.state,
        completed: progress.state.is_completed(),
        counts: progress.counts,
        blockers: answer::blockers(shown, &progress, &languages),
        applied: share,
        results: changed
            .outcomes
            .into_iter()
            .map(|outcome| outcome.into_result(shown, facts, &languages))
            .collect(),
        journal,
        changes: changed.changes,
        locked: shown.locked.clone().filter(|_| changed.tells_lock),
        rebalanced: is_rebalanced(&before, shown),
    };
    let save = writes.then(|| {
        Box::new(Save {
            undo: UndoRecord::between(&before, &after),
            list: after,
            events: changed.events,
            actor: principal.actor.clone(),
            at: now,
            journal: journals,
            counts: progress.counts,
        })
    });
    Ok(Decision {
        answer,
        used: call.used,
        save,
    })
}

/// An object may have so many lists; a new one is refused beyond that.
fn within_purposes(facts: &ListFacts, app: &App) -> ServiceResult<()> {
    let limit = app.limits().purposes;
    if facts.purposes < limit {
        return Ok(());
    }
    Err(ServiceError::new(
        ProblemCode::LimitExceeded,
        format!("An object has at most {limit} checklists; nothing was changed."),
    ))
}

/// What the answer says about the journal, and whether there is something to write into it.
fn journal(
    principal: &Principal,
    call: &WriteCall,
    kind: Option<&Type>,
    writes: bool,
) -> (JournalResult, bool) {
    let asked = call.log_in_journal == Some(true)
        || principal.journal
        || kind.is_some_and(|kind| kind.always_journal);
    if !asked {
        return (JournalResult::default(), false);
    }
    let reason = match missing_class(&call.context.object_type, kind) {
        None if writes => {
            return (
                JournalResult {
                    written: true,
                    entries: 1,
                    reason: None,
                },
                true,
            );
        }
        None => "Nothing was changed.".to_owned(),
        Some(reason) => reason,
    };
    (
        JournalResult {
            written: false,
            entries: 0,
            reason: Some(reason),
        },
        false,
    )
}

/// Which class a type lacks for a journal, in a sentence.
fn missing_class(name: &str, kind: Option<&Type>) -> Option<String> {
    let Some(kind) = kind else {
        return Some(format!(
            "The type '{name}' is not registered, so it lacks the classes UnitOfWork and ChecklistItem."
        ));
    };
    let has = |class| kind.classes.contains(&class);
    match (has(Class::UnitOfWork), has(Class::ChecklistItem)) {
        (true, true) => None,
        (false, true) => Some(format!("The type '{name}' lacks the class UnitOfWork.")),
        (true, false) => Some(format!("The type '{name}' lacks the class ChecklistItem.")),
        (false, false) => Some(format!(
            "The type '{name}' lacks the classes UnitOfWork and ChecklistItem."
        )),
    }
}

/// The refusal of a request of which nothing was applied: what stood in the way, and the items as
/// they are.
fn not_applied(
    before: &Checklist,
    facts: &ListFacts,
    outcomes: Vec<ItemOutcome>,
    languages: &[&str],
) -> ServiceError {
    let all = outcomes.iter().all(ItemOutcome::is_refused);
    let results = outcomes
        .into_iter()
        .map(|outcome| {
            if outcome.is_refused() {
                outcome
            } else {
                ItemOutcome::unchanged(outcome.id)
            }
        })
        .map(|outcome| outcome.into_result(before, facts, languages))
        .collect();
    let mut error = ServiceError::new(
        ProblemCode::NotApplied,
        if all {
            "No item could be changed; Results says why."
        } else {
            "Not every item could be changed, so none was; Results says which and why."
        },
    );
    error.not_applied = Some(Box::new(NotApplied {
        revision: before.revision,
        results,
    }));
    error
}

fn share(outcomes: &[ItemOutcome]) -> AppliedShare {
    let refused = outcomes
        .iter()
        .filter(|outcome| outcome.is_refused())
        .count();
    match refused {
        0 => AppliedShare::All,
        all if all == outcomes.len() => AppliedShare::None,
        _ => AppliedShare::Some,
    }
}

impl ItemOutcome {
    pub(super) const fn of(id: ItemId, outcome: Outcome) -> Self {
        Self {
            id,
            outcome,
            problem: None,
        }
    }

    pub(super) const fn unchanged(id: ItemId) -> Self {
        Self::of(id, Outcome::Unchanged)
    }

    pub(super) fn refused(id: ItemId, code: checklist_shared::problem::ItemProblemCode) -> Self {
        let outcome = if code.is_conflict() {
            Outcome::Conflict
        } else {
            Outcome::Failed
        };
        Self {
            id,
            outcome,
            problem: Some(code.into()),
        }
    }

    pub(super) const fn is_refused(&self) -> bool {
        matches!(self.outcome, Outcome::Conflict | Outcome::Failed)
    }

    /// With the item as it is now, where the caller may learn of it.
    pub(super) fn into_result(
        self,
        list: &Checklist,
        facts: &ListFacts,
        languages: &[&str],
    ) -> WriteResult {
        let item = match self.outcome {
            Outcome::Failed => None,
            _ => list
                .live(self.id)
                .map(|item| answer::view(item, list, facts, languages)),
        };
        WriteResult {
            id: self.id,
            outcome: self.outcome,
            item,
            problem: self.problem,
        }
    }
}

/// Whether items that nobody moved were given another key, to make room.
pub(super) fn is_rebalanced(before: &Checklist, after: &Checklist) -> bool {
    // Items keep their place in memory.
    before.items.iter().zip(&after.items).any(|(old, new)| {
        !Arc::ptr_eq(old, new) && old.version == new.version && old.sort_key != new.sort_key
    })
}

/// What differs between two states of a list, item by item, in the order of the later one.
pub(super) fn difference(before: &Checklist, after: &Checklist) -> Vec<ItemOutcome> {
    let old: HashMap<ItemId, _> = before.items.iter().map(|item| (item.id, item)).collect();
    after
        .items
        .iter()
        .filter_map(|item| {
            let outcome = match old.get(&item.id) {
                None => Outcome::Created,
                Some(old) if old.version == item.version => return None,
                Some(old) if old.is_live() && !item.is_live() => Outcome::Deleted,
                Some(_) => Outcome::Updated,
            };
            Some(ItemOutcome::of(item.id, outcome))
        })
        .collect()
}
