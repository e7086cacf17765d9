//! The only code that writes lists.
//!
//! Checks the caller, then passes the store a closure that decides on the current list: the lock,
//! the change itself, the conditions of the journal, the answer.

use std::collections::HashMap;
use std::sync::Arc;

use checklist_auth::Principal;
use checklist_runtime::spans;
use checklist_shared::change::{self, Applied, Change, Session};
use checklist_shared::checklist::Checklist;
use checklist_shared::context::Context;
use checklist_shared::event::{Event, What};
use checklist_shared::id::ItemId;
use checklist_shared::permission::{Permission, Permissions};
use checklist_shared::problem::{ItemProblem, ItemProblemCode, ProblemCode};
use checklist_shared::progress;
use checklist_shared::run::ClosedRun;
use checklist_shared::time::Timestamp;
use checklist_shared::undo::UndoRecord;
use checklist_shared::wire::admin::{Class, Type};
use checklist_shared::wire::write::{
    AppliedShare, JournalResult, Outcome, RefreshChange, WriteAnswer, WriteResult,
};
use checklist_store::error::{NotApplied, ServiceError, ServiceResult};
use checklist_store::store::{
    Decision, ListFacts, ListWrite, Operation, Purpose, Save, UndoTarget,
};

use super::{answer, isolate, pins};
use crate::access;
use crate::app::App;

/// The parts that all writing calls share.
pub(super) struct WriteCall {
    /// One of `checklist_store::store::CALLS`.
    pub(super) name: &'static str,
    pub(super) context: Context,
    pub(super) operation_id: Option<String>,
    /// The language of the answer, if the request names one.
    pub(super) language: Option<String>,
    pub(super) body_hash: [u8; 32],
    pub(super) log_in_journal: Option<bool>,
    pub(super) purpose: Purpose,
    /// The id of the operation to undo.
    pub(super) undoes: Option<String>,
    /// The permissions that the request uses.
    pub(super) used: Permissions,
    /// Apply all items or none.
    pub(super) atomic: bool,
}

impl WriteCall {
    /// A change of one list by a call that names no operation, and so answers in the caller's language
    /// and writes journal entries where the credential or the type asks for them.
    pub(super) fn of(name: &'static str, context: Context, needed: Permission) -> Self {
        Self {
            name,
            context,
            operation_id: None,
            language: None,
            body_hash: [0; 32],
            log_in_journal: None,
            purpose: Purpose::Change,
            undoes: None,
            used: Permissions::default().with(needed),
            atomic: false,
        }
    }
}

/// The call that a request makes. It moves what all requests have out of it and leaves the rest.
macro_rules! write_call {
    ($name:literal, $request:ident, $body_hash:ident, $used:expr) => {
        $crate::checklist::write::WriteCall {
            name: $name,
            context: $request.context,
            operation_id: $request.operation_id,
            language: $request.language,
            body_hash: $body_hash,
            log_in_journal: $request.log_in_journal,
            purpose: checklist_store::store::Purpose::Change,
            undoes: None,
            used: $used,
            atomic: false,
        }
    };
}
pub(super) use write_call;

/// The input of a call's change.
pub(super) struct ChangeContext<'a> {
    pub(super) session: Session<'a>,
    pub(super) facts: &'a ListFacts,
    pub(super) undo: Option<&'a UndoRecord>,
}

/// The result of a call's change.
#[derive(Default)]
pub(super) struct ListChanges {
    /// One entry for each item of the request, in order.
    pub(super) outcomes: Vec<ItemOutcome>,
    /// The events to record; nothing has changed if empty.
    pub(super) events: Vec<Event>,
    /// The changes of a refresh.
    pub(super) changes: Option<Vec<RefreshChange>>,
    /// Whether the answer contains the lock.
    pub(super) tells_lock: bool,
    /// Whether the answer contains the waiver.
    pub(super) tells_waiver: bool,
    /// Stores a list that was never written, even without events.
    pub(super) materialise: bool,
    /// The run that the change has closed.
    pub(super) closes: Option<Box<ClosedRun>>,
}

/// The outcome for one item.
pub(super) struct ItemOutcome {
    pub(super) id: ItemId,
    pub(super) outcome: Outcome,
    pub(super) problem: Option<ItemProblem>,
}

/// Changes items that exist, each for itself: what one of them is refused does not keep the others
/// from being changed.
pub(super) fn change_each(
    list: &mut Checklist,
    scene: &ChangeContext<'_>,
    changes: impl Iterator<Item = (ItemId, Change)>,
) -> ServiceResult<ListChanges> {
    let mut changed = ListChanges::default();
    for (id, change) in changes {
        let outcome = match change::apply(list, &change, &scene.session) {
            Ok(Applied::Changed(events)) => {
                changed.events.extend(events);
                ItemOutcome::of(id, Outcome::Updated)
            }
            Ok(Applied::Unchanged) => ItemOutcome::unchanged(id),
            Err(ItemProblemCode::LimitExceeded) => {
                return Err(ServiceError::new(
                    ProblemCode::LimitExceeded,
                    "A limit is exceeded; nothing was changed.",
                ));
            }
            Err(code) => ItemOutcome::refused(id, code),
        };
        changed.outcomes.push(outcome);
    }
    Ok(changed)
}

/// Runs a writing call that changes items as [`change_each`] does.
pub(super) async fn run_each(
    app: &App,
    principal: &Principal,
    call: WriteCall,
    changes: Vec<(ItemId, Change)>,
) -> ServiceResult<WriteAnswer> {
    run(app, principal, call, move |list, scene| {
        change_each(list, scene, changes.iter().cloned())
    })
    .await
}

/// Runs a writing call. `change` modifies the list or rejects the whole request. A list that it
/// leaves unchanged is not written.
pub(super) async fn run(
    app: &App,
    principal: &Principal,
    call: WriteCall,
    change: impl Fn(&mut Checklist, &ChangeContext<'_>) -> ServiceResult<ListChanges> + Send + 'static,
) -> ServiceResult<WriteAnswer> {
    access::require_context(principal, &call.context, "/Context")?;
    let scope = &principal.idempotency_scope;
    let write = ListWrite {
        tenant: principal.tenant.clone(),
        wanted: pins::list_request(principal, &call.context, call.purpose),
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
    spans::work("write a list", app.store().write_list(write)).await?
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
    let before = answer::list_of(facts, &call.context, principal, now)?;
    if matches!(call.purpose, Purpose::Refresh(_)) {
        pins::require_target(principal, &call.context, &before)?;
    }
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
    let session = session(app, principal, now, &languages);
    let mut after = Checklist::clone(&before);
    let mut changed = change(
        &mut after,
        &ChangeContext {
            session,
            facts,
            undo,
        },
    )?;
    pins::require_same(principal, &call.context, &before, &after)?;
    let share = share(&changed.outcomes);
    if share == AppliedShare::None || (call.atomic && share == AppliedShare::Some) {
        return Err(not_applied(&before, facts, changed.outcomes, &languages));
    }
    let first = facts.list.is_none();
    let writes = !changed.events.is_empty() || (first && changed.materialise);
    if writes {
        after.context = Context {
            template_id: None,
            ..call.context.without_facts()
        };
        after.revision = before.revision + 1;
        if first {
            within_purposes(facts, app)?;
            changed.events.insert(0, Event::of_list(What::Created));
            // A caller that has read the projection has to read every item again: the template may
            // have changed between that read and this write.
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
        waived: shown.waived.clone().filter(|_| changed.tells_waiver),
        run: changed.closes.is_some().then_some(shown.run.number),
        rebalanced: is_rebalanced(&before, shown),
    };
    let save = writes.then(|| {
        Box::new(Save {
            undo: UndoRecord::between(&before, &after),
            closes: changed.closes,
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

/// What the rules know of the caller of a change.
pub(super) fn session<'a>(
    app: &'a App,
    principal: &'a Principal,
    now: Timestamp,
    languages: &'a [&'a str],
) -> Session<'a> {
    Session {
        actor: &principal.actor,
        permissions: principal.permissions,
        now,
        limits: app.limits(),
        languages,
    }
}

/// Rejects a request that expects another revision than the list has.
pub(super) fn same_revision(list: &Checklist, expected: Option<u64>) -> ServiceResult<()> {
    match expected {
        Some(expected) if expected != list.revision => Err(ServiceError::new(
            ProblemCode::RevisionMismatch,
            format!(
                "The checklist has revision {}, not {expected}; nothing was changed.",
                list.revision
            ),
        )),
        _ => Ok(()),
    }
}

/// Rejects a new list beyond the object's limit.
pub(super) fn within_purposes(facts: &ListFacts, app: &App) -> ServiceResult<()> {
    let limit = app.limits().purposes;
    if facts.purposes < limit {
        return Ok(());
    }
    Err(ServiceError::new(
        ProblemCode::LimitExceeded,
        format!("An object has at most {limit} checklists; nothing was changed."),
    ))
}

/// The journal part of the answer, and whether to write an entry.
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

/// Why changes of a type's objects are not journaled, as a sentence.
fn missing_class(name: &str, kind: Option<&Type>) -> Option<String> {
    let Some(kind) = kind else {
        return Some(format!(
            "Nothing is journaled: the type '{name}' is not registered. Add it, with the classes UnitOfWork and ChecklistItem."
        ));
    };
    let needed = [Class::UnitOfWork, Class::ChecklistItem];
    let missing: Vec<String> = needed
        .into_iter()
        .filter(|class| !kind.classes.contains(class))
        .map(|class| format!("{class:?}"))
        .collect();
    (!missing.is_empty()).then(|| {
        format!(
            "Nothing is journaled: add {} to the classes of the type '{name}'.",
            missing.join(" and ")
        )
    })
}

/// The error for a request of which nothing was applied: each item's problem, and the current
/// items.
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

    /// The result on the wire. Contains the current item unless the change failed for another
    /// reason than a conflict.
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

/// Whether items that nobody moved got new sort keys, to make room.
pub(super) fn is_rebalanced(before: &Checklist, after: &Checklist) -> bool {
    // Both lists have their items in the same order.
    before.items.iter().zip(&after.items).any(|(old, new)| {
        !Arc::ptr_eq(old, new)
            && old.id == new.id
            && old.version == new.version
            && old.sort_key != new.sort_key
    })
}

/// The items that differ between two states of a list, in the order of the later one.
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
