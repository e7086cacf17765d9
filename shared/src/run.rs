//! Runs of a checklist: a list starts again, and what it was stays readable.
//!
//! The closed run is kept as it stood. The next one begins as its template projects, with items of
//! its own: no id of a run comes again in a later one, so whoever still has the old list open changes
//! nothing in the new one.

use serde::{Deserialize, Serialize};

use crate::checklist::{ListMark, TemplateRef};
use crate::facts::Facts;
use crate::item::Item;
use crate::text::LanguageMap;
use crate::time::Timestamp;

#[cfg(feature = "records")]
pub use records::start_again;

/// A run that has been closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct ClosedRun {
    /// Which run of the list it is; the first one is 1.
    pub number: u32,
    /// When it began.
    pub started_at: Timestamp,
    /// Who closed it, when and why.
    pub closed: ListMark,
    /// The revision of the list at its last change.
    pub revision: u64,
    /// The name of its template, per language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<LanguageMap>,
    /// The template version that it followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<TemplateRef>,
    /// The facts by which its items applied.
    #[serde(default, skip_serializing_if = "Facts::is_empty")]
    pub facts: Facts,
    /// The waiver that was in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waived: Option<ListMark>,
    /// Its items, deleted and retired ones too.
    pub items: Vec<Item>,
}

#[cfg(feature = "records")]
mod records {
    use super::ClosedRun;
    use crate::checklist::{Checklist, ListMark, Run};
    use crate::context::Context;
    use crate::event::{Event, What};
    use crate::facts::Facts;
    use crate::item::Actor;
    use crate::problem::ItemProblemCode;
    use crate::projection::filled;
    use crate::template::Template;
    use crate::text::trimmed;
    use crate::time::Timestamp;

    /// Closes the run, which has followed `current`, and begins the next one from `template` with
    /// these facts, empty without a template. Gives the closed run, and the event. The caller checks
    /// lock, permission and reason.
    ///
    /// # Errors
    /// `LimitExceeded`: the template has more items than `most`; the list is as it was.
    pub fn start_again(
        list: &mut Checklist,
        (current, template): (Option<&Template>, Option<&Template>),
        facts: Facts,
        reason: &str,
        (by, now): (&Actor, Timestamp),
        most: usize,
    ) -> Result<(ClosedRun, Event), ItemProblemCode> {
        let too_many = |template: &Template| template.applying_to(&facts).items.len() > most;
        if template.is_some_and(too_many) {
            return Err(ItemProblemCode::LimitExceeded);
        }
        let reason = Some(trimmed(reason).to_owned());
        let next = Checklist {
            revision: list.revision,
            facts,
            run: Run {
                number: list.run.number.saturating_add(1),
                since: list.revision + 1,
            },
            ..Checklist::empty(list.context.clone(), now)
        };
        let mut next = match template {
            Some(template) => filled(next, template, now),
            None => next,
        };
        // A reader of changes finds them in this revision.
        for item in &mut next.items {
            std::sync::Arc::make_mut(item).revision = next.run.since;
        }
        let closed = std::mem::replace(list, next);
        let event = Event::of_list(What::StartedAgain).changing(None, reason.clone());
        let closing = ListMark {
            reason,
            by: by.clone(),
            at: now,
        };
        Ok((ClosedRun::of(closed, current, closing), event))
    }

    impl ClosedRun {
        fn of(list: Checklist, current: Option<&Template>, closed: ListMark) -> Self {
            Self {
                number: list.run.number,
                started_at: list.created_at,
                closed,
                revision: list.revision,
                title: current.map(|template| template.name.clone()),
                template: list.template,
                facts: list.facts,
                waived: list.waived,
                items: list
                    .items
                    .into_iter()
                    .map(std::sync::Arc::unwrap_or_clone)
                    .collect(),
            }
        }

        /// The run as a list that nobody may change any more.
        #[must_use]
        pub fn to_list(&self, context: &Context) -> Checklist {
            Checklist {
                revision: self.revision,
                template: self.template.clone(),
                facts: self.facts.clone(),
                locked: Some(ListMark {
                    reason: self.closed.reason.clone(),
                    by: self.closed.by.clone(),
                    at: self.closed.at,
                }),
                waived: self.waived.clone(),
                run: Run {
                    number: self.number,
                    since: 0,
                },
                items: self
                    .items
                    .iter()
                    .cloned()
                    .map(std::sync::Arc::new)
                    .collect(),
                ..Checklist::empty(context.clone(), self.started_at)
            }
        }
    }
}
