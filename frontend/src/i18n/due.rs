//! Formats a due date relative to the reader's day: today, tomorrow, overdue; and the time of day.
//!
//! Pure: the caller passes the bounds of the reader's day, because only a browser knows the
//! time zone.

use checklist_shared::date::Date;
use checklist_shared::due::Due;
use checklist_shared::time::Timestamp;

/// The reader's present time and day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Today {
    /// The reader's date.
    pub date: Date,
    /// The present time, in milliseconds since 1970.
    pub now: i64,
    /// When the reader's day began, in milliseconds since 1970.
    pub start: i64,
    /// When it ends and the next day begins.
    pub end: i64,
    /// When tomorrow ends; on the nights when clocks change a day is not 24 hours.
    pub tomorrow_end: i64,
}

/// A due date relative to the reader's day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DueStatus {
    /// Overdue.
    Late,
    /// Due later today.
    Today,
    /// Due tomorrow.
    Tomorrow,
    /// Due after tomorrow.
    Later,
}

/// Classifies `due` relative to the reader's day.
#[must_use]
pub fn nearness(due: Due, today: Today) -> DueStatus {
    let is_before = |day: Date, moment: i64| match due {
        Due::Day(due) => due < day,
        Due::At(due) => due.as_millis() < moment,
    };
    let tomorrow = today.date.next();
    if is_overdue(due, today) {
        DueStatus::Late
    } else if is_before(tomorrow, today.end) {
        DueStatus::Today
    } else if is_before(tomorrow.next(), today.tomorrow_end) {
        DueStatus::Tomorrow
    } else {
        DueStatus::Later
    }
}

/// Whether `due` is over where the reader is.
#[must_use]
pub fn is_overdue(due: Due, today: Today) -> bool {
    due.is_over(Timestamp::from_millis(today.now), today.date)
}

/// Whether `moment` is in the reader's day, so that the time of day says enough.
#[must_use]
pub const fn is_today(moment: i64, today: Today) -> bool {
    today.start <= moment && moment < today.end
}

/// Whether hours are written with two digits in that language, as in `09:14`. Browsers that are
/// asked for a number leave the nought away in every language.
#[must_use]
pub fn two_digit_hours(language: &str) -> bool {
    language.starts_with("de") || language.starts_with("fr")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000;
    const NOON: Today = Today {
        date: Date::from_days(0),
        now: 12 * HOUR,
        start: 0,
        end: 24 * HOUR,
        tomorrow_end: 48 * HOUR,
    };

    const fn at(hours: i64) -> Due {
        Due::At(Timestamp::from_millis(hours * HOUR))
    }

    #[test]
    fn a_day_is_late_when_it_is_over_where_the_reader_is() {
        let on = |days: i64| nearness(Due::Day(Date::from_days(days)), NOON);
        let days = [on(-1), on(0), on(1), on(2)];
        let wanted = [
            DueStatus::Late,
            DueStatus::Today,
            DueStatus::Tomorrow,
            DueStatus::Later,
        ];
        assert_eq!(days, wanted);
        // A minute before midnight it is not yet late, whatever the time in UTC.
        let evening = Today {
            now: NOON.end - 1,
            ..NOON
        };
        assert_eq!(nearness(Due::Day(NOON.date), evening), DueStatus::Today);
    }

    #[test]
    fn an_hour_ago_is_late_and_in_an_hour_is_today() {
        assert_eq!(nearness(at(11), NOON), DueStatus::Late);
        assert_eq!(nearness(at(12), NOON), DueStatus::Today);
        assert_eq!(nearness(at(13), NOON), DueStatus::Today);
    }

    #[test]
    fn midnight_belongs_to_tomorrow() {
        assert_eq!(nearness(at(24), NOON), DueStatus::Tomorrow);
        assert_eq!(nearness(at(48), NOON), DueStatus::Later);
        assert!(!is_today(24 * HOUR, NOON));
        assert!(is_today(0, NOON));
    }
}
