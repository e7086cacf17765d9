//! A day of the Gregorian calendar, without a time zone.
//!
//! Computed here, because a calendar library would be larger in the browser than the rest of this
//! crate.

use std::fmt;
use std::str::FromStr;

/// The text is no day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a date such as 2026-11-30")]
pub struct InvalidDate;

/// A day of the calendar, of the years 0 to 9999; on the wire a full-date of RFC 3339.
///
/// ```
/// use checklist_shared::date::Date;
/// let day: Date = "2026-11-30".parse().unwrap();
/// assert_eq!(day.next().to_string(), "2026-12-01");
/// assert!("2026-02-29".parse::<Date>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date(i32);

impl Date {
    /// 0000-01-01 and 9999-12-31, in days since 1970-01-01.
    const MIN: i32 = -719_528;
    const MAX: i32 = 2_932_896;

    /// From days since 1970-01-01; days outside the calendar are pulled to its ends.
    #[must_use]
    pub const fn from_days(days: i64) -> Self {
        if days < Self::MIN as i64 {
            Self(Self::MIN)
        } else if days > Self::MAX as i64 {
            Self(Self::MAX)
        } else {
            Self(days as i32)
        }
    }

    /// Days since 1970-01-01.
    #[must_use]
    pub const fn as_days(self) -> i64 {
        self.0 as i64
    }

    /// The day of that year, month (from 1) and day; `None` where the calendar has none.
    #[must_use]
    pub fn from_calendar(year: i64, month: i64, day: i64) -> Option<Self> {
        if !(0..=9_999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        // Years are counted from March, so that the leap day is the last one of its year.
        let year_from_march = if month <= 2 { year - 1 } else { year };
        let era = year_from_march.div_euclid(400);
        let year_of_era = year_from_march.rem_euclid(400);
        let month_from_march = (month + 9) % 12;
        let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        let date = Self::from_days(era * 146_097 + day_of_era - 719_468);
        // The 31st of a short month came out as a day of the next one.
        (date.calendar() == (year, month, day)).then_some(date)
    }

    /// Year, month (from 1) and day.
    #[must_use]
    pub const fn calendar(self) -> (i64, i64, i64) {
        // 719,468 days lie between 0000-03-01 and 1970-01-01; 146,097 days are 400 years.
        let shifted = self.0 as i64 + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 {
            from_march + 3
        } else {
            from_march - 9
        };
        let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
        (year, month, day)
    }

    /// The day after.
    #[must_use]
    pub const fn next(self) -> Self {
        Self::from_days(self.as_days() + 1)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.calendar();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Date {
    type Err = InvalidDate;

    fn from_str(text: &str) -> Result<Self, InvalidDate> {
        let bytes = text.as_bytes();
        let number = |from: usize, to: usize| {
            let digits = bytes.get(from..to)?;
            digits.iter().try_fold(0_i64, |number, digit| {
                let digit = digit.is_ascii_digit().then(|| i64::from(digit - b'0'))?;
                Some(number * 10 + digit)
            })
        };
        let dashes = bytes.get(4) == Some(&b'-') && bytes.get(7) == Some(&b'-');
        let parts = (number(0, 4), number(5, 7), number(8, 10));
        let (Some(year), Some(month), Some(day)) = parts else {
            return Err(InvalidDate);
        };
        if bytes.len() != 10 || !dashes {
            return Err(InvalidDate);
        }
        Self::from_calendar(year, month, day).ok_or(InvalidDate)
    }
}
/// As its text, `2026-11-30`.
impl serde::Serialize for Date {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Date {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <String as serde::Deserialize>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
