//! How a due date reads from where the reader stands in time: today, tomorrow, late; and how the
//! hour is written there.
//!
//! Pure: the borders of the reader's day come from the caller, because only a browser knows
//! the time zone. Called by the rows.

/// Where the reader stands, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Today {
    /// Now.
    pub now: i64,
    /// When the reader's day began.
    pub start: i64,
    /// When it ends, which is when tomorrow begins.
    pub end: i64,
    /// When tomorrow ends; on the nights when clocks change a day is not 24 hours.
    pub tomorrow_end: i64,
}

/// How near a due date is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearness {
    /// Over already.
    Late,
    /// Later today.
    Today,
    /// Tomorrow.
    Tomorrow,
    /// After that.
    Later,
}

/// How near `due` is.
#[must_use]
pub const fn nearness(due: i64, today: Today) -> Nearness {
    if due < today.now {
        Nearness::Late
    } else if due < today.end {
        Nearness::Today
    } else if due < today.tomorrow_end {
        Nearness::Tomorrow
    } else {
        Nearness::Later
    }
}

/// Whether `moment` lies in the reader's day, so that the time of day says enough.
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
        now: 12 * HOUR,
        start: 0,
        end: 24 * HOUR,
        tomorrow_end: 48 * HOUR,
    };

    #[test]
    fn an_hour_ago_is_late_and_in_an_hour_is_today() {
        assert_eq!(nearness(11 * HOUR, NOON), Nearness::Late);
        assert_eq!(nearness(12 * HOUR, NOON), Nearness::Today);
        assert_eq!(nearness(13 * HOUR, NOON), Nearness::Today);
    }

    #[test]
    fn midnight_belongs_to_tomorrow() {
        assert_eq!(nearness(24 * HOUR, NOON), Nearness::Tomorrow);
        assert_eq!(nearness(48 * HOUR, NOON), Nearness::Later);
        assert!(!is_today(24 * HOUR, NOON));
        assert!(is_today(0, NOON));
    }
}
