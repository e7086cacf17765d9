//! Parts that answers share: state, counts, blockers, and the list as a caller sees it.

use std::sync::Arc;
use std::time::Duration;

use checklist_shared::change::{Session, restore};
use checklist_shared::checklist::Checklist;
use checklist_shared::context::Context;
use checklist_shared::due_dates::fixed_start;
use checklist_shared::item::Item;
use checklist_shared::limits::Limits;
use checklist_shared::problem::{ProblemCode, Warning, WarningCode};
use checklist_shared::progress::{self, Progress};
use checklist_shared::template::CompletionRule;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::item::ItemView;
use checklist_shared::wire::list::{
    Blocker, ItemLimit, LimitsView, ListAnswer, TemplateUpdate, View,
};
use checklist_shared::{order, projection, refresh};

use checklist_auth::Principal;
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::store::{ListFacts, TemplateChoice};

use super::{pins, runs};
use crate::retention::millis;

/// The stored list, or else the projection of its template with the facts that the caller brings.
///
/// # Errors
/// The list was never written, and its template is missing or not one that the caller may begin it
/// with.
pub(crate) fn list_of(
    facts: &ListFacts,
    context: &Context,
    principal: &Principal,
    now: Timestamp,
) -> ServiceResult<Arc<Checklist>> {
    if let Some(list) = &facts.list {
        return Ok(Arc::clone(list));
    }
    if let Some(template) = &context.template_id {
        pins::require_template(principal, context, Some(template))?;
    }
    if let Some(missing) = &facts.missing {
        return Err(no_template(missing));
    }
    let template = facts.target.as_ref().or(facts.current.as_ref());
    let facts = pins::brought_facts(principal, context);
    Ok(Arc::new(projection::project_with(
        &context.without_facts(),
        template.map(|template| &**template),
        facts.cloned().unwrap_or_default(),
        now,
    )))
}

/// The error for a missing template.
pub(super) fn no_template(missing: &TemplateChoice) -> ServiceError {
    let detail = match missing.version {
        Some(version) => format!(
            "There is no published version {version} of the template '{}'.",
            missing.id
        ),
        None => format!("There is no published template '{}'.", missing.id),
    };
    ServiceError::new(ProblemCode::TemplateNotFound, detail)
}

pub(super) fn blockers(list: &Checklist, progress: &Progress, languages: &[&str]) -> Vec<Blocker> {
    progress
        .blockers
        .iter()
        .filter_map(|id| list.any(*id))
        .map(|item| Blocker {
            id: item.id,
            text: item.text.resolve(languages).to_owned(),
        })
        .collect()
}

/// The options of a read request.
pub(crate) struct ListReadRequest<'a> {
    pub(crate) context: &'a Context,
    pub(crate) languages: &'a [&'a str],
    pub(crate) since: Option<u64>,
    pub(crate) view: View,
    /// How long deleted items can be restored; `None` leaves them out.
    pub(crate) deleted: Option<Duration>,
    /// Whether the answer is for callers with the same facts alone, and so tells what they would change.
    pub(crate) tells_facts: bool,
    pub(crate) now: Timestamp,
}

/// Builds the answer for one list.
pub(crate) fn whole(
    facts: &ListFacts,
    asked: &ListReadRequest<'_>,
    principal: &Principal,
    limits: &Limits,
) -> ServiceResult<ListAnswer> {
    let list = list_of(facts, asked.context, principal, asked.now)?;
    let progress = progress::of(&list);
    let (delta, items, removed) = rows(&list, facts, asked);
    let items = (asked.view == View::Full).then(|| {
        items
            .into_iter()
            .map(|item| view(item, &list, facts, asked.languages))
            .collect()
    });
    let deleted = asked
        .deleted
        .filter(|_| asked.view == View::Full)
        .map(|restorable| deleted_items(&list, facts, asked.languages, restorable));
    let title = facts
        .current
        .as_ref()
        .and_then(|template| template.name.resolve(asked.languages));
    Ok(ListAnswer {
        context: asked.context.without_facts(),
        revision: list.revision,
        state: progress.state,
        completed: progress.state.is_completed(),
        counts: progress.counts,
        blockers: blockers(&list, &progress, asked.languages),
        items,
        removed,
        deleted,
        delta,
        title: title.map(|(_, title)| title.to_owned()),
        template_id: list.template.as_ref().map(|template| template.id.clone()),
        template_version: list.template.as_ref().map(|template| template.version),
        template_update: template_update(facts, &list, principal, asked),
        facts: Some(list.facts.clone())
            .filter(|facts| asked.view == View::Full && !facts.is_empty()),
        completion_rule: list.completion_rule(),
        changeable: list.changeable(),
        locked: list.locked.clone(),
        waived: list.waived.clone(),
        run: runs::view(&list),
        warnings: warnings(&list),
        permissions: principal.permissions,
        limits: limits_view(limits, list.used()),
    })
}

/// Converts an item for a reader. Before the first write, `due` would count from the time of
/// reading and differ on every read, so only its offset is returned, unless it counts from a fact.
pub(super) fn view(
    item: &Item,
    list: &Checklist,
    facts: &ListFacts,
    languages: &[&str],
) -> ItemView {
    let mut view = ItemView::of(item, languages);
    let template = facts.target.as_deref().or(facts.current.as_deref());
    let is_fixed = || template.is_some_and(|template| fixed_start(template, list).is_some());
    if list.revision == 0 && !item.due_by_person && (view.due.is_none() || !is_fixed()) {
        view.due = None;
        view.due_offset = item
            .template_key
            .as_deref()
            .and_then(|key| template?.item(key)?.due_offset.clone());
    }
    view
}

/// The deleted items, most recently deleted first, with the time until which each can be restored.
fn deleted_items(
    list: &Checklist,
    facts: &ListFacts,
    languages: &[&str],
    restorable: Duration,
) -> Vec<ItemView> {
    let mut items: Vec<&Item> = order::with_deleted(list)
        .into_iter()
        .filter(|item| !item.is_live())
        .collect();
    items.sort_by_key(|item| std::cmp::Reverse(item.deleted_at));
    let template = facts.current.as_deref();
    let template = template.map(|template| template.applying_to(&list.facts));
    let until = |item: &Item| {
        let deleted_at = item.deleted_at?.as_millis();
        restore::is_restorable(item, template.as_deref())
            .then(|| Timestamp::from_millis(deleted_at + millis(restorable)))
    };
    items
        .into_iter()
        .map(|item| ItemView {
            restorable_until: until(item),
            ..ItemView::of(item, languages)
        })
        .collect()
}

/// Warnings for gates and for maintainers of the template.
fn warnings(list: &Checklist) -> Vec<Warning> {
    let mut counted = list.items.iter().filter(|item| item.counts()).peekable();
    let none_required = list.completion_rule() == CompletionRule::Required
        && counted.peek().is_some()
        && !counted.any(|item| item.required);
    let warning = Warning {
        code: WarningCode::NoRequiredItem,
        pointer: None,
        detail: WarningCode::NO_REQUIRED_ITEM.to_owned(),
    };
    none_required.then_some(warning).into_iter().collect()
}

/// Whether the answer is a delta, with its items and the ids of removed ones.
fn rows<'a>(
    list: &'a Checklist,
    facts: &ListFacts,
    asked: &ListReadRequest<'_>,
) -> (bool, Vec<&'a Item>, Vec<checklist_shared::ItemId>) {
    // A revision from the future belongs to another database; one from before the last purge misses
    // removals that are no longer recorded. Both get the whole list.
    let since = asked
        .since
        .filter(|since| *since <= list.revision && *since >= facts.purged_revision)
        // Of the runs before there is nothing left to compare with.
        .filter(|since| *since >= list.run.since);
    let Some(since) = since else {
        return (false, order::display(list), Vec::new());
    };
    let items = order::display(list)
        .into_iter()
        .filter(|item| item.revision > since)
        .collect();
    let removed = list
        .items
        .iter()
        .filter(|item| !item.is_live() && item.revision > since)
        .map(|item| item.id)
        .collect();
    (true, items, removed)
}

/// Counts what the newest version of the list's template and the caller's facts would change; `None` if
/// the list has that version, and the facts change no item.
fn template_update(
    facts: &ListFacts,
    list: &Checklist,
    principal: &Principal,
    asked: &ListReadRequest<'_>,
) -> Option<TemplateUpdate> {
    let own = list.template.as_ref()?;
    let newer = facts.target.as_ref();
    let newer = newer.filter(|target| target.version > own.version);
    let brought = asked
        .tells_facts
        .then(|| pins::brought_facts(principal, asked.context))
        .flatten()
        .filter(|brought| **brought != list.facts);
    let target = match (newer, brought) {
        (None, None) => return None,
        (Some(newer), _) => newer,
        (None, Some(_)) => facts.current.as_ref()?,
    };
    // This only counts: a refresh reports an exceeded limit.
    let limits = Limits {
        items: usize::MAX,
        ..Limits::default()
    };
    let session = Session {
        actor: &principal.actor,
        permissions: principal.permissions,
        now: asked.now,
        limits: &limits,
        languages: asked.languages,
    };
    let mut copy = list.clone();
    let base = facts.current.as_deref();
    let brought = brought.unwrap_or(&list.facts).clone();
    let refreshed = refresh::refresh_with(&mut copy, base, target, brought, &session).ok()?;
    let is_something = newer.is_some() || !refreshed.changes.is_empty();
    is_something.then(|| refreshed.count(own.version, target.version))
}

fn limits_view(limits: &Limits, used: usize) -> LimitsView {
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    LimitsView {
        items: ItemLimit {
            max: number(limits.items),
            warn_at: number(limits.warn_at()),
            used: number(used),
        },
        text: number(limits.text),
        help: number(limits.help),
        note: number(limits.note),
        batch: number(limits.batch),
    }
}
