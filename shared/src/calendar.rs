//! Calendars of templates: the time zone, the working days and the working hours that due dates are
//! counted in.
//!
//! Invariant: counting is short. At most [`Calendar::MOST_DAYS`] working days are counted, and between two
//! of them are at most the holidays of a calendar and what weeks have besides.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use jiff::tz::TimeZone;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::date::Date;
use crate::names::names;
use crate::problem::{FieldError, FieldErrorCode};
use crate::time::{InvalidDuration, Timestamp, whole_duration};

/// When people work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct Calendar {
    /// A time zone of the IANA database, such as `Europe/Berlin`.
    pub time_zone: String,
    /// The days of the week on which people work; Monday to Friday when absent.
    #[serde(default = "monday_to_friday")]
    pub working_days: Vec<Weekday>,
    /// The hours of each of these days; the whole day when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub working_hours: Option<WorkingHours>,
    /// Days on which nobody works.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>, example = json!(["2026-12-25"])))]
    pub holidays: Vec<Date>,
}

names! {
    /// A day of the week.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum Weekday {
        /// The first day of the week of ISO 8601.
        Monday,
        /// The second.
        Tuesday,
        /// The third.
        Wednesday,
        /// The fourth.
        Thursday,
        /// The fifth.
        Friday,
        /// The sixth.
        Saturday,
        /// The last.
        Sunday,
    }
}

/// From when to when people work on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct WorkingHours {
    /// The beginning, such as `08:00`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub start: TimeOfDay,
    /// The end, at most `24:00`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub end: TimeOfDay,
}

/// A time of day to the minute, from `00:00` to `24:00`, the end of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeOfDay(u16);

/// The text is no time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a time of day such as 08:00")]
pub struct InvalidTimeOfDay;

/// From when something is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// From that moment.
    At(Timestamp),
    /// From the beginning of that day.
    Day(Date),
}

fn monday_to_friday() -> Vec<Weekday> {
    Weekday::ALL[..5].to_vec()
}

impl Calendar {
    /// The most working days that are counted, about four years.
    pub const MOST_DAYS: i64 = 1_000;
    /// The most holidays of a calendar.
    pub const MOST_HOLIDAYS: usize = 1_000;

    /// What is wrong with it, with pointers below the calendar.
    #[must_use]
    pub fn faults(&self) -> Vec<FieldError> {
        let mut faults = Vec::new();
        if !self.has_known_zone() {
            let detail =
                "This is not a valid IANA time zone such as Europe/Berlin or America/New_York.";
            faults.push(FieldError::new(
                "/TimeZone",
                FieldErrorCode::Invalid,
                detail,
            ));
        }
        if self.working_days.is_empty() {
            let detail = "Choose at least one working day.";
            faults.push(FieldError::new(
                "/WorkingDays",
                FieldErrorCode::Required,
                detail,
            ));
        } else if !self.names_each_day_once() {
            let detail = "Name each working day once.";
            faults.push(FieldError::new(
                "/WorkingDays",
                FieldErrorCode::Duplicate,
                detail,
            ));
        }
        if (self.working_hours).is_some_and(|hours| hours.start >= hours.end) {
            let detail = "The working hours have to end after they start.";
            faults.push(FieldError::new(
                "/WorkingHours",
                FieldErrorCode::Invalid,
                detail,
            ));
        }
        if self.holidays.len() > Self::MOST_HOLIDAYS {
            let detail = "A calendar has at most 1000 holidays.";
            faults.push(FieldError::new(
                "/Holidays",
                FieldErrorCode::LimitExceeded,
                detail,
            ));
        }
        faults
    }

    /// A browser has no table of time zones: there the server decides.
    #[cfg(not(feature = "time-zones"))]
    const fn has_known_zone(&self) -> bool {
        !self.time_zone.is_empty()
    }

    #[cfg(feature = "time-zones")]
    fn has_known_zone(&self) -> bool {
        zone(&self.time_zone).is_some()
    }

    fn names_each_day_once(&self) -> bool {
        let days = Weekday::ALL.iter();
        let named = days.filter(|day| self.working_days.contains(day)).count();
        named == self.working_days.len()
    }

    /// The hours of a working day.
    fn hours(&self) -> WorkingHours {
        self.working_hours.unwrap_or(WorkingHours {
            start: TimeOfDay(0),
            end: TimeOfDay(TimeOfDay::MIDNIGHT),
        })
    }

    /// Whether so much working time is at most [`Self::MOST_DAYS`] days of this calendar.
    #[must_use]
    pub fn can_count(&self, duration: &str) -> bool {
        const MINUTE: i64 = 60_000;
        let hours = self.hours();
        let day = i64::from(hours.end.0.saturating_sub(hours.start.0)) * MINUTE;
        working_duration(duration)
            .is_ok_and(|(days, millis)| day > 0 && days + millis / day <= Self::MOST_DAYS)
    }
}

/// The whole days of a duration in working time, and what it has beyond them in milliseconds.
///
/// # Errors
/// It is no ISO 8601 duration of days, hours and minutes alone (a week of work has as many days as the
/// calendar says, so it is not clear what `P1W` means), or it is longer than [`Calendar::MOST_DAYS`] in
/// any calendar.
pub fn working_duration(duration: &str) -> Result<(i64, i64), InvalidDuration> {
    let whole = whole_duration(duration)?;
    let days = i64::from(whole.days);
    let is_short = (0..=Calendar::MOST_DAYS).contains(&days)
        && (0..=Calendar::MOST_DAYS * Timestamp::DAY).contains(&whole.millis);
    (is_short && !whole.has_weeks_or_longer)
        .then_some((days, whole.millis))
        .ok_or(InvalidDuration)
}

/// A calendar without faults, ready to count in.
#[derive(Clone, Debug)]
pub struct ValidCalendar {
    zone: TimeZone,
    /// From Monday on.
    works: [bool; 7],
    hours: WorkingHours,
    holidays: HashSet<Date>,
}

impl ValidCalendar {
    /// `None` for a calendar that [`Calendar::faults`] refuses.
    #[must_use]
    pub fn of(calendar: &Calendar) -> Option<Self> {
        let hours = calendar.hours();
        let is_sound = !calendar.working_days.is_empty()
            && calendar.holidays.len() <= Calendar::MOST_HOLIDAYS
            && hours.start < hours.end;
        is_sound.then_some(Self {
            zone: zone(&calendar.time_zone)?,
            works: Weekday::ALL.map(|day| calendar.working_days.contains(&day)),
            hours,
            holidays: calendar.holidays.iter().copied().collect(),
        })
    }

    /// The time after that many whole days and hours of working time; `None` for a duration that
    /// [`Calendar::can_count`] refuses, and at the end of all calendars. Counting begins with the first
    /// working moment from `start` on. A day later is the next working day at the same time.
    #[must_use]
    pub fn after_working_time(&self, start: Start, duration: &str) -> Option<Timestamp> {
        let (days, mut left) = working_duration(duration).ok()?;
        let (mut day, mut at) = self.first(start)?;
        if days > 0 {
            // Of the first day, so that clocks that change in between move nothing.
            let time = local(at, &self.zone)?.time();
            for _ in 0..days {
                day = self.next(day)?;
            }
            let same_time = of_local(civil(day)?.to_datetime(time), &self.zone)?;
            at = same_time.clamp(self.start(day)?, self.end(day)?);
        }
        for _ in days..=Calendar::MOST_DAYS {
            let rest = (self.end(day)?.as_millis() - at.as_millis()).max(0);
            if left <= rest {
                return Some(Timestamp::from_millis(at.as_millis() + left));
            }
            left -= rest;
            day = self.next(day)?;
            at = self.start(day)?;
        }
        None
    }

    /// The time after a duration, with days of this time zone: a day later is the same time of the next
    /// day, also where the clocks change in between. `None` for what is no duration.
    #[must_use]
    pub fn after(&self, start: Start, duration: &str) -> Option<Timestamp> {
        let start = match start {
            Start::At(time) => time,
            Start::Day(day) => moment(day, TimeOfDay(0), &self.zone)?,
        };
        start.plus_iso_in(duration, self.zone.clone()).ok()
    }

    /// The day of a time in this time zone.
    #[must_use]
    pub fn day_of(&self, time: Timestamp) -> Option<Date> {
        let local = local(time, &self.zone)?;
        Date::from_calendar(
            local.year().into(),
            local.month().into(),
            local.day().into(),
        )
    }

    fn is_working_day(&self, day: Date) -> bool {
        let place = usize::try_from(Weekday::place(day)).ok();
        place.is_some_and(|place| self.works.get(place) == Some(&true))
            && !self.holidays.contains(&day)
    }

    /// The working day after a day; none at the end of the calendar of all days.
    fn next(&self, day: Date) -> Option<Date> {
        let mut day = day;
        loop {
            let later = day.next();
            if later == day {
                return None;
            }
            day = later;
            if self.is_working_day(day) {
                return Some(day);
            }
        }
    }

    fn start(&self, day: Date) -> Option<Timestamp> {
        moment(day, self.hours.start, &self.zone)
    }

    fn end(&self, day: Date) -> Option<Timestamp> {
        moment(day, self.hours.end, &self.zone)
    }

    /// The first moment from `start` on at which people work, with its day.
    fn first(&self, start: Start) -> Option<(Date, Timestamp)> {
        let (day, at) = match start {
            Start::Day(day) => (day, None),
            Start::At(time) => (self.day_of(time)?, Some(time)),
        };
        if self.is_working_day(day) {
            let (opens, ends) = (self.start(day)?, self.end(day)?);
            let at = at.map_or(opens, |at| at.max(opens));
            if at < ends {
                return Some((day, at));
            }
        }
        let day = self.next(day)?;
        Some((day, self.start(day)?))
    }
}

impl Weekday {
    /// The one of a day.
    #[must_use]
    pub fn of(day: Date) -> Self {
        let place = usize::try_from(Self::place(day)).ok();
        place
            .and_then(|place| Self::ALL.get(place).copied())
            .unwrap_or(Self::Monday)
    }

    /// Its place in the week, 0 for Monday.
    const fn place(day: Date) -> i64 {
        // 1970-01-01 was a Thursday.
        (day.as_days() + 3).rem_euclid(7)
    }
}

/// The time zone of that name. The table is in the program, so all servers of one version know the same
/// zones, whatever their machines have.
fn zone(name: &str) -> Option<TimeZone> {
    TimeZone::get(name).ok()
}

fn civil(day: Date) -> Option<jiff::civil::Date> {
    let (year, month, day) = day.calendar();
    let year = i16::try_from(year).ok()?;
    jiff::civil::Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

fn local(time: Timestamp, zone: &TimeZone) -> Option<jiff::civil::DateTime> {
    let time = jiff::Timestamp::from_millisecond(time.as_millis()).ok()?;
    Some(zone.to_datetime(time))
}

/// The moment of that time of a day. A time that the clocks skip is as much later as they skip; of one
/// that they show twice it is the first.
fn moment(day: Date, time: TimeOfDay, zone: &TimeZone) -> Option<Timestamp> {
    let (day, minutes) = match time.0 {
        TimeOfDay::MIDNIGHT => (day.next(), 0),
        minutes => (day, minutes),
    };
    let hour = i8::try_from(minutes / 60).ok()?;
    let minute = i8::try_from(minutes % 60).ok()?;
    of_local(civil(day)?.at(hour, minute, 0, 0), zone)
}

fn of_local(local: jiff::civil::DateTime, zone: &TimeZone) -> Option<Timestamp> {
    let time = zone.to_ambiguous_timestamp(local).compatible().ok()?;
    Some(Timestamp::from_millis(time.as_millisecond()))
}

impl TimeOfDay {
    /// The end of a day, in minutes.
    const MIDNIGHT: u16 = 24 * 60;
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

impl FromStr for TimeOfDay {
    type Err = InvalidTimeOfDay;

    fn from_str(text: &str) -> Result<Self, InvalidTimeOfDay> {
        let two_digits = |text: &str| {
            let is_number = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| text.parse::<u16>().ok()).flatten()
        };
        let (hours, minutes) = text.split_once(':').ok_or(InvalidTimeOfDay)?;
        let (hours, minutes) = two_digits(hours)
            .zip(two_digits(minutes))
            .ok_or(InvalidTimeOfDay)?;
        let total = hours * 60 + minutes;
        (minutes < 60 && total <= Self::MIDNIGHT)
            .then_some(Self(total))
            .ok_or(InvalidTimeOfDay)
    }
}

impl Serialize for TimeOfDay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeOfDay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}
