//! When the items of a list are due, as its template says.
//!
//! Invariant: the same list, template and facts give the same dates at any time and on any server.

use crate::calendar::{Start, ValidCalendar};
use crate::checklist::Checklist;
use crate::date::Date;
use crate::due::Due;
use crate::facts::FactValue;
use crate::template::{CountedIn, Template, TemplateItem};
use crate::time::Timestamp;

/// What the due dates of one list count from, and in which calendar.
#[derive(Clone, Debug)]
pub struct DueDates {
    calendar: Option<ValidCalendar>,
    start: Start,
}

impl DueDates {
    /// Those of a list that follows the template: they count from the fact that the template names,
    /// else from `begins`, the list's creation.
    #[must_use]
    pub fn of(template: &Template, list: &Checklist, begins: Timestamp) -> Self {
        let fixed = fixed_start(template, list);
        if list.run.number > 1 {
            // The object is older than every run but the first: counted from its creation, all of a
            // later run would be late at once.
            return Self::not_before(template, fixed, begins);
        }
        Self {
            calendar: calendar(template),
            start: fixed.unwrap_or(Start::At(begins)),
        }
    }

    /// Those of items that are appended to a list that has begun: counted from the list's creation, or
    /// from an object that is older, they might be late at once.
    #[must_use]
    pub fn of_appended(template: &Template, list: &Checklist, now: Timestamp) -> Self {
        Self::not_before(template, fixed_start(template, list), now)
    }

    fn not_before(template: &Template, start: Option<Start>, begins: Timestamp) -> Self {
        let calendar = calendar(template);
        let is_earlier = |start: &Start| match start {
            Start::At(start) => *start < begins,
            Start::Day(day) => *day < today(calendar.as_ref(), begins),
        };
        let start = start.filter(|start| !is_earlier(start));
        let start = start.unwrap_or(Start::At(begins));
        Self { calendar, start }
    }

    /// The due date of an item of the template.
    #[must_use]
    pub fn due(&self, item: &TemplateItem) -> Option<Due> {
        let offset = item.due_offset.as_deref()?;
        let Some(calendar) = &self.calendar else {
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

fn calendar(template: &Template) -> Option<ValidCalendar> {
    template.calendar.as_ref().and_then(ValidCalendar::of)
}

/// The day of a time; in UTC where no calendar says otherwise.
fn today(calendar: Option<&ValidCalendar>, time: Timestamp) -> Date {
    let own = calendar.and_then(|calendar| calendar.day_of(time));
    own.unwrap_or_else(|| Date::from_days(time.as_millis().div_euclid(Timestamp::DAY)))
}

/// A day begins in UTC where no calendar says otherwise.
fn without_calendar(start: Start) -> Timestamp {
    match start {
        Start::At(time) => time,
        Start::Day(day) => Timestamp::from_millis(day.as_days() * Timestamp::DAY),
    }
}
