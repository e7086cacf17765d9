//! Searches a log by text, actor or kind of event, in addition to the filters of the store.
//!
//! The store returns chunks; words are compared here, so that case folding is the same in every
//! alphabet and on every database. A search scans a bounded number of rows and then returns what it
//! has found, so a rare word in a long log cannot block a reader. The cursor continues the search.

use std::future::Future;

use checklist_auth::Principal;
use checklist_shared::ItemId;
use checklist_shared::administration::{Action, AdministrativeAct, Category, FieldChange, Subject};
use checklist_shared::event::{Event, What};
use checklist_shared::item::{Actor, ActorKind};
use checklist_shared::time::Timestamp;
use checklist_store::error::ServiceResult;
use checklist_store::store::{LogFilter, LogRows, StoreError};

use super::access::page_size;

/// The maximum number of rows that a request scans.
const LOOKED_AT: usize = 10_000;
/// The default page size, and the maximum.
const USUAL: u32 = 100;
const MOST: u32 = 500;
/// The chunk size of a search.
const CHUNK: u32 = 500;

/// Filters and pagination of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogQuery {
    /// Rows after this cursor, in the requested order.
    pub after: u64,
    /// The page size: 1 to 500, 100 if absent.
    pub limit: Option<u32>,
    /// Newest first instead of oldest first.
    pub newest_first: bool,
    /// Rows of this object type only.
    pub object_type: Option<String>,
    /// Rows of this object only.
    pub object_id: Option<String>,
    /// Rows of this purpose only.
    pub purpose: Option<String>,
    /// Rows that ended at this time or later.
    pub from: Option<Timestamp>,
    /// Rows that began before this time.
    pub to: Option<Timestamp>,
    /// Rows by actors whose name or id contains this.
    pub actor: Option<String>,
    /// Rows by actors of this kind; whom they acted for does not matter.
    pub actor_kind: Option<ActorKind>,
    /// Rows whose text contains this.
    pub text: Option<String>,
    /// Rows with an event of this kind.
    pub what: Option<What>,
    /// Rows of this category; the journal has checklists only.
    pub category: Option<Category>,
    /// Rows about this kind of administered object.
    pub subject: Option<Subject>,
    /// Rows of this administrative action.
    pub action: Option<Action>,
    /// Rows about this item.
    pub item: Option<ItemId>,
    /// Rows of the operation with this id.
    pub operation: Option<String>,
}

impl LogQuery {
    /// The part of the query that the store evaluates, restricted to the credential's scope.
    fn filter(&self, principal: &Principal, limit: u32) -> LogFilter {
        LogFilter {
            after: self.after,
            limit,
            newest_first: self.newest_first,
            rows: match self.category {
                Some(Category::Checklist) => LogRows::Lists,
                Some(Category::Administration | Category::SignIn) => LogRows::Administration,
                None if self.item.is_some() || self.operation.is_some() => LogRows::Lists,
                None if self.subject.is_some() || self.action.is_some() => LogRows::Administration,
                None => LogRows::All,
            },
            from: self.from,
            to: self.to,
            object_type: self.object_type.clone(),
            object_id: self.object_id.clone(),
            purpose: self.purpose.clone(),
            scope: principal.contexts.clone(),
        }
    }
}

/// The part of the query that is evaluated here, in lower case.
pub(super) struct SearchCriteria {
    actor: Option<String>,
    actor_kind: Option<ActorKind>,
    text: Option<String>,
    what: Option<What>,
    category: Option<Category>,
    subject: Option<Subject>,
    action: Option<Action>,
    item: Option<ItemId>,
    operation: Option<String>,
}

impl SearchCriteria {
    fn of(query: &LogQuery) -> Self {
        let folded = |text: &Option<String>| {
            let text = text.as_deref().unwrap_or("").trim().to_lowercase();
            (!text.is_empty()).then_some(text)
        };
        Self {
            actor: folded(&query.actor),
            actor_kind: query.actor_kind,
            text: folded(&query.text),
            what: query.what,
            // The store itself separates checklists from the rest.
            category: query
                .category
                .filter(|category| *category != Category::Checklist),
            subject: query.subject,
            action: query.action,
            item: query.item,
            operation: query.operation.clone(),
        }
    }

    fn is_anything(&self) -> bool {
        self.actor.is_none()
            && self.actor_kind.is_none()
            && self.text.is_none()
            && self.what.is_none()
            && self.category.is_none()
            && self.subject.is_none()
            && self.action.is_none()
            && self.item.is_none()
            && self.operation.is_none()
    }

    /// Whether a row is about the item and of the operation that are looked for.
    pub(super) fn is_of(&self, event: Option<&Event>, operation: Option<&str>) -> bool {
        let item = event.and_then(|event| event.item_id);
        self.item.is_none_or(|sought| item == Some(sought))
            && self
                .operation
                .as_deref()
                .is_none_or(|sought| operation == Some(sought))
    }

    /// Whether a row matches: its actor, its events and sentence, or its administrative act.
    pub(super) fn fits(
        &self,
        actor: &Actor,
        events: &[Event],
        sentence: &str,
        act: Option<&AdministrativeAct>,
    ) -> bool {
        if !self.fits_act(act) {
            return false;
        }
        let about = |event: &Event| {
            let values = [
                Some(&event.text),
                event.before.as_ref(),
                event.after.as_ref(),
            ];
            values
                .into_iter()
                .flatten()
                .any(|value| self.text.as_ref().is_some_and(|text| holds(value, text)))
        };
        self.actor
            .as_ref()
            .is_none_or(|sought| is_by(actor, sought))
            && self.actor_kind.is_none_or(|kind| actor.kind == kind)
            && self
                .what
                .is_none_or(|what| events.iter().any(|event| event.what == what))
            && self.text.as_ref().is_none_or(|text| {
                holds(sentence, text)
                    || events.iter().any(about)
                    || act.is_some_and(|act| says(act, text))
            })
    }

    fn fits_act(&self, act: Option<&AdministrativeAct>) -> bool {
        let is = |meant: &dyn Fn(&AdministrativeAct) -> bool| act.is_some_and(meant);
        self.category
            .is_none_or(|category| is(&|act| act.subject.category() == category))
            && self
                .subject
                .is_none_or(|subject| is(&|act| act.subject == subject))
            && self
                .action
                .is_none_or(|action| is(&|act| act.action == action))
    }
}

/// Whether any text of an act contains the search text.
fn says(act: &AdministrativeAct, sought: &str) -> bool {
    let of_change = |change: &FieldChange| {
        holds(&change.field, sought)
            || [&change.before, &change.after]
                .into_iter()
                .flatten()
                .any(|value| holds(value, sought))
    };
    holds(&act.name, sought)
        || holds(&act.id, sought)
        || act.changes.iter().any(of_change)
        || act.secrets_changed.iter().any(|name| holds(name, sought))
}

fn holds(value: &str, sought: &str) -> bool {
    value.to_lowercase().contains(sought)
}

fn is_by(actor: &Actor, sought: &str) -> bool {
    holds(&actor.name, sought)
        || holds(&actor.id, sought)
        || [&actor.issuer, &actor.key]
            .into_iter()
            .flatten()
            .any(|text| holds(text, sought))
        || actor
            .on_behalf_of
            .as_deref()
            .is_some_and(|other| is_by(other, sought))
}

/// A page of a log.
pub(super) struct LogPage<T> {
    pub(super) rows: Vec<T>,
    pub(super) cursor: u64,
    pub(super) more: bool,
}

/// Reads matching rows: chunk by chunk if there are criteria that the store does not evaluate.
/// `cursor` returns the cursor of a row.
pub(super) async fn search<T, R>(
    principal: &Principal,
    query: &LogQuery,
    read: impl Fn(LogFilter) -> R,
    fits: fn(&SearchCriteria, &T) -> bool,
    cursor: fn(&T) -> u64,
) -> ServiceResult<LogPage<T>>
where
    R: Future<Output = Result<LogPage<T>, StoreError>>,
{
    let limit = page_size(query.limit, USUAL, MOST)?;
    let sought = SearchCriteria::of(query);
    if sought.is_anything() {
        return Ok(read(query.filter(principal, limit)).await?);
    }
    let mut filter = query.filter(principal, CHUNK);
    let mut found = LogPage {
        rows: Vec::new(),
        cursor: query.after,
        more: true,
    };
    let mut looked_at = 0;
    let room = usize::try_from(limit).unwrap_or(usize::MAX);
    while found.more && looked_at < LOOKED_AT {
        let chunk = read(filter.clone()).await?;
        looked_at += chunk.rows.len();
        let last = chunk.cursor;
        for row in chunk.rows {
            if fits(&sought, &row) {
                found.cursor = cursor(&row);
                found.rows.push(row);
                if found.rows.len() == room {
                    found.more = chunk.more || found.cursor != last;
                    return Ok(found);
                }
            }
        }
        found.cursor = last;
        found.more = chunk.more;
        filter.after = last;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn criteria_of(actor: &str, text: &str) -> SearchCriteria {
        SearchCriteria::of(&LogQuery {
            actor: Some(actor.to_owned()),
            text: Some(text.to_owned()),
            ..LogQuery::default()
        })
    }

    #[test]
    fn words_are_found_in_every_alphabet_whatever_their_case() {
        let actor = Actor::person("ö1", "Özlem Ärmel");
        let event = Event {
            text: "ÜBERGABE prüfen".to_owned(),
            ..Event::of_list(What::Checked)
        };
        let fits = |actor_words, text| {
            criteria_of(actor_words, text).fits(
                &actor,
                std::slice::from_ref(&event),
                "1 checked",
                None,
            )
        };
        assert!(fits("özlem", "übergabe"));
        assert!(fits("Ö1", "PRÜFEN"));
        assert!(fits("", "1 CHECKED"));
        assert!(!fits("anna", "übergabe"));
        assert!(!fits("", "rückgabe"));
    }

    #[test]
    fn the_person_behind_an_automation_is_found() {
        let mut actor = Actor::person("auto", "Automatic refresh");
        actor.on_behalf_of = Some(Box::new(Actor::person("p", "Petra")));
        assert!(criteria_of("petra", "").fits(&actor, &[], "", None));
    }
}
