//! When an item is due: at a time, or on a day.
//!
//! A day has no time zone: it is over when it is over for the reader, so the caller passes the
//! reader's present day.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::date::Date;
use crate::time::Timestamp;

/// When an item is due.
///
/// ```
/// use checklist_shared::due::Due;
/// let day: Due = "2026-11-30".parse().unwrap();
/// let moment: Due = "2026-11-30T09:00:00Z".parse().unwrap();
/// assert!(matches!((day, moment), (Due::Day(_), Due::At(_))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Due {
    /// In the course of that day, wherever the reader is.
    Day(Date),
    /// At that moment.
    At(Timestamp),
}

/// The text is neither a date nor a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a date such as 2026-11-30 or an RFC 3339 time such as 2026-11-30T09:14:00Z")]
pub struct InvalidDue;

impl Due {
    /// Its last moment for what has to be the same for all readers: a day ends when it ends in UTC.
    #[must_use]
    pub const fn end(self) -> Timestamp {
        match self {
            Self::At(time) => time,
            Self::Day(day) => Timestamp::from_millis((day.as_days() + 1) * Timestamp::DAY - 1),
        }
    }

    /// Whether it is over, for a reader where it is `today`.
    #[must_use]
    pub fn is_over(self, now: Timestamp, today: Date) -> bool {
        match self {
            Self::Day(day) => day < today,
            Self::At(time) => time < now,
        }
    }
}

impl From<Timestamp> for Due {
    fn from(time: Timestamp) -> Self {
        Self::At(time)
    }
}

impl From<Date> for Due {
    fn from(day: Date) -> Self {
        Self::Day(day)
    }
}

impl fmt::Display for Due {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Day(day) => day.fmt(f),
            Self::At(time) => time.fmt(f),
        }
    }
}

impl FromStr for Due {
    type Err = InvalidDue;

    fn from_str(text: &str) -> Result<Self, InvalidDue> {
        if let Ok(day) = text.parse() {
            return Ok(Self::Day(day));
        }
        text.parse().map(Self::At).map_err(|_| InvalidDue)
    }
}

impl Serialize for Due {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Due {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Due {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        use utoipa::openapi::schema::{
            KnownFormat, ObjectBuilder, OneOfBuilder, SchemaFormat, Type,
        };
        let text = |format, about: &str| {
            ObjectBuilder::new()
                .schema_type(Type::String)
                .format(Some(SchemaFormat::KnownFormat(format)))
                .description(Some(about))
        };
        OneOfBuilder::new()
            .item(text(KnownFormat::DateTime, "At that moment."))
            .item(text(
                KnownFormat::Date,
                "In the course of that day, wherever the reader is: overdue from the next day on.",
            ))
            .description(Some(
                "When an item is due: a moment, or a day without a time.",
            ))
            .into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Due {}
