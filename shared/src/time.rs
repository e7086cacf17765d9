//! Points in time: milliseconds since 1970, always UTC.
//!
//! The rules never read a clock; the caller passes the time. On the wire a time is RFC 3339 with
//! `Z`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::rfc3339;

/// A point in time in milliseconds since 1970-01-01T00:00:00Z.
///
/// ```
/// use checklist_shared::Timestamp;
/// let time: Timestamp = "2026-11-20T09:14:00Z".parse().unwrap();
/// assert_eq!(time.to_string(), "2026-11-20T09:14:00Z");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
pub struct Timestamp(i64);

/// The text is not an RFC 3339 time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an RFC 3339 time such as 2026-11-20T09:14:00Z")]
pub struct InvalidTime;

impl Timestamp {
    /// The earliest time that can be written, year −9999.
    const MIN: i64 = -377_705_023_201_000;
    /// The latest time that can be written, the last moment of the year 9999.
    const MAX: i64 = 253_402_300_799_999;
    /// Milliseconds of a day of 24 hours.
    pub const DAY: i64 = 86_400_000;

    /// From milliseconds since 1970; values outside the years ±9999 are pulled to the limit.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        if millis < Self::MIN {
            Self(Self::MIN)
        } else if millis > Self::MAX {
            Self(Self::MAX)
        } else {
            Self(millis)
        }
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// This time plus an ISO 8601 duration such as `P2D` or `PT4H`; days are 24 hours.
    ///
    /// # Errors
    /// The text is no duration, or the sum leaves the calendar.
    pub fn plus_iso(self, duration: &str) -> Result<Self, InvalidDuration> {
        // Calendar units (days, months) need a zone; UTC makes a day 24 hours.
        self.plus_iso_in(duration, jiff::tz::TimeZone::UTC)
    }

    /// The same with the days of a time zone.
    ///
    /// # Errors
    /// As above.
    pub(crate) fn plus_iso_in(
        self,
        duration: &str,
        zone: jiff::tz::TimeZone,
    ) -> Result<Self, InvalidDuration> {
        let start = jiff::Timestamp::from_millisecond(self.0).map_err(|_| InvalidDuration)?;
        let sum = start
            .to_zoned(zone)
            .checked_add(span(duration)?)
            .map_err(|_| InvalidDuration)?;
        Ok(Self::from_millis(sum.timestamp().as_millisecond()))
    }
}

/// An ISO 8601 duration.
fn span(duration: &str) -> Result<jiff::Span, InvalidDuration> {
    // `str::parse` also takes what people write, such as "5 days", and the parser of ISO 8601
    // takes a sign and small letters, which the standard has not.
    if !duration.starts_with('P') || duration.bytes().any(|byte| byte.is_ascii_lowercase()) {
        return Err(InvalidDuration);
    }
    jiff::fmt::temporal::SpanParser::new()
        .parse_span(duration)
        .map_err(|_| InvalidDuration)
}

/// The parts of a duration.
pub(crate) struct WholeDuration {
    /// Its days.
    pub(crate) days: i32,
    /// Its hours, minutes and seconds, in milliseconds.
    pub(crate) millis: i64,
    /// Whether it has weeks, months or years.
    pub(crate) has_weeks_or_longer: bool,
}

/// The parts of an ISO 8601 duration as they are written: 24 hours are no day.
pub(crate) fn whole_duration(duration: &str) -> Result<WholeDuration, InvalidDuration> {
    let span = span(duration)?;
    let hours = i64::from(span.get_hours());
    let seconds = (span.get_minutes().checked_add(hours * 60))
        .and_then(|minutes| minutes.checked_mul(60)?.checked_add(span.get_seconds()))
        .ok_or(InvalidDuration)?;
    Ok(WholeDuration {
        days: span.get_days(),
        millis: seconds.checked_mul(1_000).ok_or(InvalidDuration)?,
        has_weeks_or_longer: span.get_weeks() != 0
            || span.get_months() != 0
            || span.get_years() != 0,
    })
}

/// The length of an ISO 8601 duration of weeks, days, hours and minutes in milliseconds. Months and
/// years have no length of their own, and are refused.
///
/// # Errors
/// The text is no such duration, or the duration is zero.
pub fn exact_millis(duration: &str) -> Result<i64, InvalidDuration> {
    let days = duration.split('T').next().unwrap_or_default();
    let start = Timestamp::from_millis(0);
    let end = start.plus_iso(duration)?;
    if days.contains(['Y', 'M']) || end <= start {
        return Err(InvalidDuration);
    }
    Ok(end.as_millis())
}

/// The text is not an ISO 8601 duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an ISO 8601 duration such as P2D or PT4H")]
pub struct InvalidDuration;

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = rfc3339::write(self.0).or_else(|| of_the_library(self.0));
        f.write_str(&text.ok_or(fmt::Error)?)
    }
}

impl FromStr for Timestamp {
    type Err = InvalidTime;

    fn from_str(text: &str) -> Result<Self, InvalidTime> {
        let millis = rfc3339::parse(text).filter(|millis| *millis <= Self::MAX);
        let millis = millis.or_else(|| other_forms(text)).ok_or(InvalidTime)?;
        Ok(Self::from_millis(millis))
    }
}

/// A time before the year 0, which no answer holds.
#[cfg(not(feature = "records"))]
const fn of_the_library(_millis: i64) -> Option<String> {
    None
}

/// A time before the year 0, which somebody may have sent.
#[cfg(feature = "records")]
fn of_the_library(millis: i64) -> Option<String> {
    let time = jiff::Timestamp::from_millisecond(millis).ok()?;
    Some(time.to_string())
}

/// What people and programs write beside the usual form: a time without seconds, more digits, a zone
/// in brackets, the leap second. Answers of the server never hold these, and what reads them is
/// larger than all else that the control needs of time.
#[cfg(not(feature = "records"))]
const fn other_forms(_text: &str) -> Option<i64> {
    None
}

/// The same for servers, which read what anybody sends.
#[cfg(feature = "records")]
fn other_forms(text: &str) -> Option<i64> {
    let time: Result<jiff::Timestamp, _> = text.parse();
    time.map(jiff::Timestamp::as_millisecond)
        .ok()
        .or_else(|| last_day(text))
}

/// A time of the calendar's last day, which no zone east of Greenwich has a date for and a
/// `jiff::Timestamp` leaves out. People write it where they mean "never".
#[cfg(feature = "records")]
fn last_day(text: &str) -> Option<i64> {
    /// 1970-01-01T00:00:00.
    const EPOCH: jiff::civil::DateTime = jiff::civil::DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
    let pieces = jiff::fmt::temporal::Pieces::parse(text).ok()?;
    let offset = pieces.to_numeric_offset()?;
    let local = pieces.date().to_datetime(pieces.time()?);
    let since = local.duration_since(EPOCH);
    let millis = i64::try_from(since.as_millis()).ok()? - i64::from(offset.seconds()) * 1_000;
    (millis <= Timestamp::MAX).then_some(millis)
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}
