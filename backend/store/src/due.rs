//! A due date as the two columns of an item: `due` for a moment, `due_day` for a day.
//!
//! Both stores encode it alike. At most one of the two is set; if both are, the day counts.

use checklist_shared::Timestamp;
use checklist_shared::date::Date;
use checklist_shared::due::Due;

/// The columns `due` (milliseconds since 1970) and `due_day` (days since 1970).
pub(super) fn to_columns(due: Option<Due>) -> (Option<i64>, Option<i64>) {
    match due {
        None => (None, None),
        Some(Due::At(time)) => (Some(time.as_millis()), None),
        Some(Due::Day(day)) => (None, Some(day.as_days())),
    }
}

/// The due date in the two columns.
pub(super) fn of_columns(at: Option<i64>, day: Option<i64>) -> Option<Due> {
    let at = at.map(|millis| Due::At(Timestamp::from_millis(millis)));
    day.map(|days| Due::Day(Date::from_days(days))).or(at)
}
