//! Dates and times between callers, who give zones, and a site, which speaks UTC but keeps dates
//! as midnight of a zone of its own.
//!
//! A date-only column of a site on the Pacific holds 1 February as `2026-02-01T08:00:00Z`; whoever
//! cuts off the time gets the wrong day for half of the world.

use jiff::civil::{Date, DateTime};
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

/// What is known of a site's time zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Zone {
    /// Minutes that standard time lies west of UTC, as the site says; `None` where the
    /// protocol has no way to ask.
    pub(crate) bias: Option<i32>,
}

/// The widest offsets there are, in minutes.
const WESTMOST: i64 = -12 * 60;
const EASTMOST: i64 = 14 * 60;
const DAY: i64 = 24 * 60;

impl Zone {
    /// The date that a midnight of this zone belongs to.
    ///
    /// The offset follows from the time of day itself, up to a whole day: midnight at 08:00 UTC
    /// is 8 hours west. Where two offsets a day apart both exist (10 to 12 hours west, 12 to 14
    /// east) the site's own zone decides; summer time moves it by an hour, never by a day. What
    /// is no midnight at all belongs to the date of the site's standard time.
    pub(crate) fn date_of(self, midnight: Timestamp) -> Date {
        let at = Offset::UTC.to_datetime(midnight);
        let minutes = i64::from(at.hour()) * 60 + i64::from(at.minute());
        let usual = self.bias.map(|bias| -i64::from(bias));
        let is_midnight = at.second() == 0 && minutes % 15 == 0;
        let west = (is_midnight && -minutes >= WESTMOST).then_some(-minutes);
        let east = (is_midnight && DAY - minutes <= EASTMOST).then_some(DAY - minutes);
        let offset = match (west, east, usual) {
            // Further from the site's own than any summer time: a time of day and no midnight.
            (west, east, Some(usual)) => [west, east]
                .into_iter()
                .flatten()
                .min_by_key(|offset| (offset - usual).abs())
                .filter(|offset| (offset - usual).abs() <= 120)
                .unwrap_or(usual),
            // Hawaii is the only place 10 hours west where many live; east of 12 hours there
            // are New Zealand and its neighbours.
            (Some(west), Some(east), None) => {
                if west >= -10 * 60 {
                    west
                } else {
                    east
                }
            }
            (Some(one), None, None) | (None, Some(one), None) => one,
            (None, None, None) => 0,
        };
        let local = midnight
            .checked_add(SignedDuration::from_mins(offset))
            .unwrap_or(midnight);
        Offset::UTC.to_datetime(local).date()
    }

    /// A point in time on a date whose time zone is unknown: a minute before noon in UTC, which
    /// is that date everywhere between 11 hours west and 12 hours east, and is no midnight.
    pub(crate) fn somewhere_on(date: Date) -> Option<Timestamp> {
        Offset::UTC.to_timestamp(date.at(11, 59, 0, 0)).ok()
    }

    /// The midnight that begins a date, by standard time; the site itself knows better where it
    /// can be asked.
    pub(crate) fn midnight(self, date: Date) -> Option<Timestamp> {
        let local = Offset::UTC
            .to_timestamp(date.to_datetime(jiff::civil::Time::midnight()))
            .ok()?;
        let bias = i64::from(self.bias.unwrap_or_default());
        local.checked_add(SignedDuration::from_mins(bias)).ok()
    }
}

/// `2026-01-02T03:04:05Z`, as every site takes it. Fractions of a second are not kept by lists.
pub(crate) fn utc(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// A date from `2026-02-01`, or from a midnight with or without a zone behind it.
pub(crate) fn read_date(text: &str) -> Option<Date> {
    let text = text.trim();
    if text.len() == 10 {
        return text.parse().ok();
    }
    let (_, time) = text.split_once(['T', ' '])?;
    // Anything but midnight would be a point in time, whose date depends on where one stands.
    let clock = time.trim_end_matches('Z');
    let clock = clock.split(['+', '-']).next().unwrap_or(clock);
    let zero = !clock.is_empty() && clock.chars().all(|sign| "0:.".contains(sign));
    zero.then(|| text.get(..10)?.parse().ok()).flatten()
}

/// A point in time from RFC 3339 text; `Err` is for the error message.
pub(super) fn read_time(text: &str) -> Result<Timestamp, &'static str> {
    let text = text.trim();
    if let Ok(time) = text.parse::<Timestamp>() {
        return Ok(time);
    }
    if text.parse::<DateTime>().is_ok() {
        return Err("a time needs its zone: 2026-01-02T03:04:05Z or …+01:00");
    }
    Err("a date and time is written as 2026-01-02T03:04:05Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(bias: Option<i32>, midnight: &str) -> String {
        let zone = Zone { bias };
        zone.date_of(midnight.parse().expect("a time")).to_string()
    }

    #[test]
    fn a_midnight_of_the_pacific_is_the_same_day() {
        assert_eq!(date(Some(480), "2026-02-01T08:00:00Z"), "2026-02-01");
        assert_eq!(date(Some(480), "2026-07-01T07:00:00Z"), "2026-07-01");
        assert_eq!(date(None, "2026-02-01T08:00:00Z"), "2026-02-01");
    }

    #[test]
    fn a_midnight_east_of_greenwich_is_the_next_day() {
        assert_eq!(date(Some(-60), "2026-01-31T23:00:00Z"), "2026-02-01");
        assert_eq!(date(Some(-60), "2026-06-30T22:00:00Z"), "2026-07-01");
        assert_eq!(date(None, "2026-01-31T18:30:00Z"), "2026-02-01");
        assert_eq!(date(Some(0), "2026-02-01T00:00:00Z"), "2026-02-01");
    }

    #[test]
    fn where_east_and_west_meet_the_sites_zone_decides() {
        assert_eq!(date(Some(600), "2026-02-01T10:00:00Z"), "2026-02-01");
        assert_eq!(date(Some(-720), "2026-01-31T11:00:00Z"), "2026-02-01");
        assert_eq!(date(Some(-840), "2026-01-31T10:00:00Z"), "2026-02-01");
        assert_eq!(date(None, "2026-02-01T10:00:00Z"), "2026-02-01");
        assert_eq!(date(None, "2026-01-31T11:00:00Z"), "2026-02-01");
    }

    #[test]
    fn what_is_no_midnight_belongs_to_the_date_of_the_site() {
        assert_eq!(date(Some(480), "2026-02-01T23:30:00Z"), "2026-02-01");
        assert_eq!(date(Some(-60), "2026-02-01T23:30:00Z"), "2026-02-02");
        assert_eq!(date(None, "2026-02-01T11:59:00Z"), "2026-02-01");
        let somewhere = Zone::somewhere_on("2026-02-01".parse().expect("a date"));
        for minutes in (-660..=720).step_by(15) {
            let zone = Zone {
                bias: Some(-minutes),
            };
            let read = zone.date_of(somewhere.expect("in range"));
            assert_eq!(read.to_string(), "2026-02-01", "{minutes}");
        }
    }

    #[test]
    fn every_zone_reads_back_the_date_it_wrote() {
        for minutes in (-720..=840).step_by(15) {
            let zone = Zone {
                bias: Some(-minutes),
            };
            for text in ["2026-01-01", "2026-03-29", "2024-02-29", "2026-12-31"] {
                let date: Date = text.parse().expect("a date");
                let midnight = zone.midnight(date).expect("in range");
                assert_eq!(zone.date_of(midnight), date, "{minutes} {text}");
            }
        }
    }

    #[test]
    fn a_time_without_a_zone_is_refused_and_says_why() {
        assert!(read_time("2026-01-02T03:04:05").is_err_and(|why| why.contains("zone")));
        assert!(read_time("tomorrow").is_err_and(|why| why.contains("written as")));
        let time = read_time("2026-01-02T03:04:05.999+01:00").expect("a time");
        assert_eq!(utc(time), "2026-01-02T02:04:05Z");
    }

    #[test]
    fn a_date_is_a_date_or_a_midnight_and_nothing_between() {
        for text in [
            "2026-02-01",
            "2026-02-01T00:00:00",
            "2026-02-01T00:00:00Z",
            "2026-02-01T00:00:00.000+05:30",
        ] {
            assert_eq!(
                read_date(text).map(|date| date.to_string()).as_deref(),
                Some("2026-02-01"),
                "{text}"
            );
        }
        for text in ["2026-02-30", "2026-02-01T08:00:00Z", "01.02.2026", ""] {
            assert_eq!(read_date(text), None, "{text}");
        }
    }
}
