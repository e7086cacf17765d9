//! The reader for whom a server renders: clock, time zone and language.
//!
//! Set per thread, and only during rendering. ICU formats times, as browsers do.

use std::cell::RefCell;

use checklist_shared::Timestamp;
use checklist_shared::date::Date as Day;
use icu_datetime::input::{Date, DateTime, Time};
use icu_datetime::{DateTimeFormatter, fieldsets};
use icu_locale_core::Locale;
use jiff::Zoned;
use jiff::tz::TimeZone;

use crate::i18n::due::{Today, two_digit_hours};

/// The reader for whom a list is rendered.
#[derive(Clone, Debug)]
pub struct Reader {
    /// The present time.
    pub now: Timestamp,
    /// The reader's time zone.
    pub zone: TimeZone,
    /// The reader's language tag.
    pub language: String,
}

thread_local! {
    static READER: RefCell<Option<Reader>> = const { RefCell::new(None) };
}

/// Draws something for a reader.
pub fn reading<T>(reader: Reader, draw: impl FnOnce() -> T) -> T {
    let before = READER.replace(Some(reader));
    let drawn = draw();
    READER.set(before);
    drawn
}

/// Milliseconds since 1970; nothing before anybody reads.
pub fn now() -> i64 {
    READER.with_borrow(|reader| {
        let reader = reader.as_ref();
        reader.map_or(0, |reader| reader.now.as_millis())
    })
}

fn zone() -> TimeZone {
    READER.with_borrow(|reader| {
        let zone = reader.as_ref().map(|reader| reader.zone.clone());
        zone.unwrap_or(TimeZone::UTC)
    })
}

fn local(millis: i64) -> Zoned {
    let instant = jiff::Timestamp::from_millisecond(millis);
    instant
        .unwrap_or(jiff::Timestamp::UNIX_EPOCH)
        .to_zoned(zone())
}

/// The bounds of the reader's present day.
pub fn today() -> Today {
    let now = now();
    let today = local(now);
    let midnight = |days: i64| {
        let day = today.date().saturating_add(jiff::Span::new().days(days));
        let begins = day.to_zoned(zone());
        begins.map_or(now, |begins| begins.timestamp().as_millisecond())
    };
    let (month, day) = (i64::from(today.month()), i64::from(today.day()));
    let date = Day::from_calendar(i64::from(today.year()), month, day);
    Today {
        date: date.unwrap_or(Day::from_days(0)),
        now,
        start: midnight(0),
        end: midnight(1),
        tomorrow_end: midnight(2),
    }
}

/// The time of day in the reader's way of writing, for example `09:14`.
pub fn time_of_day(time: Timestamp, _tag: &str) -> String {
    let at = local(time.as_millis());
    written_time(&at).map_or_else(
        || at.strftime("%H:%M").to_string(),
        |(_, time)| with_plain_spaces(time),
    )
}

/// Date and time in the reader's way of writing, for example `18 Nov, 09:14`; with the year
/// where it is not this one.
pub fn date_and_time(time: Timestamp, _tag: &str) -> String {
    let at = local(time.as_millis());
    written_moment(&at).map_or_else(
        || at.strftime("%Y-%m-%d %H:%M").to_string(),
        with_plain_spaces,
    )
}

/// A day in the reader's way of writing, for example `18 Nov`; with the year where it is not this
/// one.
pub fn date(day: Day, _tag: &str) -> String {
    let (year, month, of_month) = day.calendar();
    let written = || {
        let year = i32::try_from(year).ok()?;
        let (month, of_month) = (u8::try_from(month).ok()?, u8::try_from(of_month).ok()?);
        if year != i32::from(local(now()).year()) {
            return written_with_year((year, month, of_month));
        }
        let formatter =
            DateTimeFormatter::try_new(locale().into(), fieldsets::MD::medium()).ok()?;
        let date = Date::try_new_iso(year, month, of_month).ok()?;
        Some(formatter.format(&date).to_string())
    };
    written().map_or_else(|| day.to_string(), with_plain_spaces)
}

/// The time as the tables have it, and as it is written.
fn written_time(at: &Zoned) -> Option<(String, String)> {
    let formatter = DateTimeFormatter::try_new(locale().into(), fieldsets::T::hm()).ok()?;
    let table = formatter.format(&clock(at)?).to_string();
    let two_digits = READER.with_borrow(|reader| {
        let reader = reader.as_ref();
        reader.is_some_and(|reader| two_digit_hours(&reader.language))
    });
    let written = match table.strip_prefix('0') {
        Some(short) if !two_digits && !short.starts_with(':') => short.to_owned(),
        _ => table.clone(),
    };
    Some((table, written))
}

fn written_moment(at: &Zoned) -> Option<String> {
    let month = u8::try_from(at.month()).ok()?;
    let day_of_month = u8::try_from(at.day()).ok()?;
    let date = Date::try_new_iso(i32::from(at.year()), month, day_of_month).ok()?;
    let time = clock(at)?;
    let short = fieldsets::MD::medium();
    let timed = DateTimeFormatter::try_new(locale().into(), short.with_time_hm()).ok()?;
    let written = timed.format(&DateTime { date, time }).to_string();
    let (table, time) = written_time(at)?;
    let written = written.replacen(&table, &time, 1);
    if at.year() == local(now()).year() {
        return Some(written);
    }
    let day = DateTimeFormatter::try_new(locale().into(), short).ok()?;
    let day = day.format(&date).to_string();
    Some(written.replacen(
        &day,
        &written_with_year((i32::from(at.year()), month, day_of_month))?,
        1,
    ))
}

fn written_with_year((year, month, day): (i32, u8, u8)) -> Option<String> {
    let date = Date::try_new_iso(year, month, day).ok()?;
    let full = DateTimeFormatter::try_new(locale().into(), fieldsets::YMD::medium()).ok()?;
    let full = full.format(&date).to_string();
    // Some languages write such dates in figures alone; browsers, asked for a month in letters,
    // write it in letters, with the year behind it.
    if full.contains(char::is_alphabetic) {
        return Some(full);
    }
    let day = DateTimeFormatter::try_new(locale().into(), fieldsets::MD::medium()).ok()?;
    let year = DateTimeFormatter::try_new(locale().into(), fieldsets::Y::medium()).ok()?;
    Some(format!("{} {}", day.format(&date), year.format(&date)))
}

fn clock(at: &Zoned) -> Option<Time> {
    let (hour, minute) = (u8::try_from(at.hour()), u8::try_from(at.minute()));
    Time::try_new(hour.ok()?, minute.ok()?, 0, 0).ok()
}

fn locale() -> Locale {
    READER.with_borrow(|reader| {
        let tag = reader.as_ref().map(|reader| reader.language.parse());
        tag.and_then(Result::ok).unwrap_or(Locale::UNKNOWN)
    })
}

/// Browsers write a plain blank where the tables have a narrow one.
fn with_plain_spaces(text: String) -> String {
    text.replace('\u{202f}', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads<T>(language: &str, zone: &str, read: impl FnOnce() -> T) -> T {
        let reader = Reader {
            now: "2026-11-18T22:30:00Z".parse().expect("a time"),
            zone: TimeZone::get(zone).expect("a zone"),
            language: language.to_owned(),
        };
        reading(reader, read)
    }

    fn written(language: &str, zone: &str, time: &str) -> (String, String) {
        let time = time.parse().expect("a time");
        reads(language, zone, || {
            (time_of_day(time, ""), date_and_time(time, ""))
        })
    }

    fn pair(time: &str, date: &str) -> (String, String) {
        (time.to_owned(), date.to_owned())
    }

    #[test]
    fn times_are_written_as_browsers_write_them() {
        let at = "2026-11-18T09:14:00Z";
        assert_eq!(written("en", "UTC", at), pair("9:14 AM", "Nov 18, 9:14 AM"));
        assert_eq!(written("en-GB", "UTC", at), pair("9:14", "18 Nov, 9:14"));
        assert_eq!(written("de", "UTC", at), pair("09:14", "18. Nov., 09:14"));
        assert_eq!(written("fr", "UTC", at), pair("09:14", "18 nov., 09:14"));
        assert_eq!(written("es", "UTC", at), pair("9:14", "18 nov, 9:14"));
        let last_year = written("de", "UTC", "2025-11-18T09:14:00Z").1;
        assert_eq!(last_year, "18. Nov. 2025, 09:14");
        let last_year = written("fr", "UTC", "2025-11-18T09:14:00Z").1;
        assert_eq!(last_year, "18 nov. 2025, 09:14");
    }

    #[test]
    fn days_are_written_as_browsers_write_them() {
        let day = |language: &str, day: &str| {
            let day = day.parse().expect("a day");
            reads(language, "UTC", || date(day, ""))
        };
        assert_eq!(day("en", "2026-11-30"), "Nov 30");
        assert_eq!(day("en-GB", "2026-11-30"), "30 Nov");
        assert_eq!(day("de", "2026-11-30"), "30. Nov.");
        assert_eq!(day("fr", "2025-11-30"), "30 nov. 2025");
        assert_eq!(day("de", "2025-11-30"), "30. Nov. 2025");
    }

    #[test]
    fn the_readers_date_is_that_of_the_zone() {
        assert_eq!(
            reads("en", "Asia/Tokyo", today).date.to_string(),
            "2026-11-19"
        );
        assert_eq!(
            reads("en", "America/Lima", today).date.to_string(),
            "2026-11-18"
        );
    }

    #[test]
    fn times_are_those_of_the_readers_zone() {
        let (time, date) = written("de", "Europe/Berlin", "2026-11-18T23:30:00Z");
        assert_eq!(time, "00:30");
        assert_eq!(date, "19. Nov., 00:30");
    }

    #[test]
    fn a_day_is_the_readers_day() {
        let hours = |from: i64, to: i64| (to - from) / 3_600_000;
        let day = reads("en", "Asia/Tokyo", today);
        // Half past seven in the morning there.
        assert_eq!(hours(day.start, day.now), 7);
        assert_eq!(hours(day.start, day.end), 24);
        assert_eq!(hours(day.start, day.tomorrow_end), 48);
    }

    #[test]
    fn what_is_no_language_is_written_all_the_same() {
        let (time, _) = written("no language at all", "UTC", "2026-11-18T09:14:00Z");
        assert!(time.contains("14"), "{time}");
    }
}
