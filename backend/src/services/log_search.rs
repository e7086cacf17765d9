//! Searching a log: words, an actor, a kind of event, beside what the store filters by itself.
//!
//! The store hands over chunks, the words are compared here: so both kinds of letters count as one
//! in every alphabet, and every database answers alike. A search looks at a bounded number of rows
//! and then answers with what it has, so that a rare word in a long log cannot hold up a reader;
//! whoever wants more goes on from the cursor.

use std::future::Future;

use checklist_shared::administration::{Action, AdministrativeAct, Category, FieldChange, Subject};
use checklist_shared::event::{Event, What};
use checklist_shared::item::Actor;
use checklist_shared::time::Timestamp;

use super::access::page_size;
use crate::auth::Principal;
use crate::error::ServiceResult;
use crate::storage::store::{LogFilter, LogRows, StoreError};

/// How many rows one answer looks at, at most.
const LOOKED_AT: usize = 10_000;
/// How many rows a page has where nobody says, and at most.
const USUAL: u32 = 100;
const MOST: u32 = 500;
/// How many rows are asked for at a time while searching.
const CHUNK: u32 = 500;

/// Which rows of a log to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogQuery {
    /// Past this cursor, in the order asked for.
    pub after: u64,
    /// How many, 100 without a number, at most 500.
    pub limit: Option<u32>,
    /// Newest first instead of oldest first.
    pub newest_first: bool,
    /// Of that type only.
    pub object_type: Option<String>,
    /// Of that object only.
    pub object_id: Option<String>,
    /// Of that purpose only.
    pub purpose: Option<String>,
    /// Nothing that ended before this moment.
    pub from: Option<Timestamp>,
    /// Nothing that began at this moment or later.
    pub to: Option<Timestamp>,
    /// Of somebody whose name or id holds this.
    pub actor: Option<String>,
    /// With this somewhere in the words.
    pub text: Option<String>,
    /// Of this kind.
    pub what: Option<What>,
    /// Of this category; the journal has checklists alone.
    pub category: Option<Category>,
    /// About this kind of thing that is administered.
    pub subject: Option<Subject>,
    /// Of this administrative action.
    pub action: Option<Action>,
}

impl LogQuery {
    /// What the store is asked for, with what the credential covers.
    fn filter(&self, principal: &Principal, limit: u32) -> LogFilter {
        LogFilter {
            after: self.after,
            limit,
            newest_first: self.newest_first,
            rows: match self.category {
                Some(Category::Checklist) => LogRows::Lists,
                Some(Category::Administration | Category::SignIn) => LogRows::Administration,
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

/// What a search compares with, in lower case.
pub(super) struct SearchCriteria {
    actor: Option<String>,
    text: Option<String>,
    what: Option<What>,
    category: Option<Category>,
    subject: Option<Subject>,
    action: Option<Action>,
}

impl SearchCriteria {
    fn of(query: &LogQuery) -> Self {
        let folded = |text: &Option<String>| {
            let text = text.as_deref().unwrap_or("").trim().to_lowercase();
            (!text.is_empty()).then_some(text)
        };
        Self {
            actor: folded(&query.actor),
            text: folded(&query.text),
            what: query.what,
            // The store tells lists from the rest by itself.
            category: query
                .category
                .filter(|category| *category != Category::Checklist),
            subject: query.subject,
            action: query.action,
        }
    }

    fn is_anything(&self) -> bool {
        self.actor.is_none()
            && self.text.is_none()
            && self.what.is_none()
            && self.category.is_none()
            && self.subject.is_none()
            && self.action.is_none()
    }

    /// Whether a row by this actor, with these events and this sentence, or about this act of an
    /// administrator, is meant.
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

/// Whether the text stands anywhere in an act.
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

/// A piece of a log.
pub(super) struct LogPage<T> {
    pub(super) rows: Vec<T>,
    pub(super) cursor: u64,
    pub(super) more: bool,
}

/// Reads the rows that are meant, chunk by chunk where something is sought that the store does
/// not know. `cursor` is the cursor of a row.
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

    fn sought(actor: &str, text: &str) -> SearchCriteria {
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
            sought(actor_words, text).fits(&actor, std::slice::from_ref(&event), "1 checked", None)
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
        assert!(sought("petra", "").fits(&actor, &[], "", None));
    }
}
