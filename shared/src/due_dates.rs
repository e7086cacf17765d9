//! When the items of a list are due, as its template says.
//!
//! Invariant: the same list, template and facts give the same dates at any time and on any server.

use crate::calendar::Start;
use crate::checklist::Checklist;
use crate::due::Due;
use crate::facts::FactValue;
use crate::template::{CountedIn, Template, TemplateItem};
use crate::time::Timestamp;

/// What the due dates of one list count from, and in which calendar.
#[derive(Clone, Copy, Debug)]
pub struct DueDates<'a> {
    template: &'a Template,
    start: Start,
}

impl<'a> DueDates<'a> {
    /// Those of a list that follows the template: they count from the fact that the template names,
    /// else from `begins`, the list's creation.
    #[must_use]
    pub fn of(template: &'a Template, list: &Checklist, begins: Timestamp) -> Self {
        let start = fixed_start(template, list).unwrap_or(Start::At(begins));
        // The object is older than every run but the first: counted from its creation, all of a later
        // run would be late at once.
        let is_of_earlier_run = list.run.number > 1 && is_before(start, begins);
        let start = if is_of_earlier_run {
            Start::At(begins)
        } else {
            start
        };
        Self { template, start }
    }

    /// The due date of an item of the template.
    #[must_use]
    pub fn due(&self, item: &TemplateItem) -> Option<Due> {
        let offset = item.due_offset.as_deref()?;
        let calendar = self.template.calendar.as_ref();
        let Some(calendar) = calendar else {
            return without_calendar(self.start)
                .plus_iso(offset)
                .ok()
                .map(Due::At);
        };
        let time = match item.due_counted_in {
            CountedIn::Time | CountedIn::Days => calendar.after(self.start, offset),
            CountedIn::WorkingTime | CountedIn::WorkingDays => {
                calendar.after_working_time(self.start, offset)
            }
        }?;
        match item.due_counted_in {
            CountedIn::Time | CountedIn::WorkingTime => Some(Due::At(time)),
            CountedIn::Days | CountedIn::WorkingDays => calendar.day_of(time).map(Due::Day),
        }
    }
}

/// What the due dates of a list count from, whenever it is read: the fact that its template names.
/// `None` if they count from the list's creation, which a list that was never written has not had yet.
#[must_use]
pub fn fixed_start(template: &Template, list: &Checklist) -> Option<Start> {
    match list.facts.get(template.due_from.as_deref()?)? {
        FactValue::Text(text) => text.parse().ok().map(|start| match start {
            Due::At(time) => Start::At(time),
            Due::Day(day) => Start::Day(day),
        }),
        FactValue::Number(_) | FactValue::Boolean(_) => None,
    }
}

fn is_before(start: Start, time: Timestamp) -> bool {
    match start {
        Start::At(start) => start < time,
        // To its end, wherever that is.
        Start::Day(day) => Due::Day(day).end() < time,
    }
}

/// A day begins in UTC where no calendar says otherwise.
fn without_calendar(start: Start) -> Timestamp {
    const DAY: i64 = 86_400_000;
    match start {
        Start::At(time) => time,
        Start::Day(day) => Timestamp::from_millis(day.as_days() * DAY),
    }
}
