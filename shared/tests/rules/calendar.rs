//! Calendars of templates: working time is held against counting it minute by minute.

use checklist_shared::calendar::{Calendar, Start, TimeOfDay, ValidCalendar, Weekday};
use checklist_shared::problem::FieldErrorCode;
use checklist_shared::{Template, Timestamp, limits::Limits};
use proptest::prelude::*;
use serde_json::{Value, json};

const MINUTE: i64 = 60_000;

fn faults(calendar: Value) -> Vec<(String, FieldErrorCode)> {
    let template = json!({
        "Id": "t", "Key": "t", "Name": { "en": "T" }, "Calendar": calendar, "Items": []
    });
    let template: Template = serde_json::from_value(template).expect("a template");
    let faults = template.validate(&Limits::default());
    faults
        .into_iter()
        .map(|fault| (fault.pointer, fault.code))
        .collect()
}

#[test]
fn a_calendar_has_a_known_time_zone_a_working_day_and_hours_that_end_after_they_start() {
    assert_eq!(faults(json!({ "TimeZone": "America/New_York" })), []);
    let one = |pointer: &str, code| vec![(pointer.to_owned(), code)];
    for zone in ["", "Europe/Atlantis", "CEST", "+01:00"] {
        let wrong = one("/Calendar/TimeZone", FieldErrorCode::Invalid);
        assert_eq!(faults(json!({ "TimeZone": zone })), wrong, "{zone}");
    }
    assert_eq!(
        faults(json!({ "TimeZone": "UTC", "WorkingDays": [] })),
        one("/Calendar/WorkingDays", FieldErrorCode::Required)
    );
    for days in [vec!["Monday", "Monday"], vec!["Sunday"; 50_000]] {
        assert_eq!(
            faults(json!({ "TimeZone": "UTC", "WorkingDays": days })),
            one("/Calendar/WorkingDays", FieldErrorCode::Duplicate)
        );
    }
    for (start, end) in [("17:00", "08:00"), ("08:00", "08:00")] {
        let hours = json!({ "Start": start, "End": end });
        assert_eq!(
            faults(json!({ "TimeZone": "UTC", "WorkingHours": hours })),
            one("/Calendar/WorkingHours", FieldErrorCode::Invalid)
        );
    }
    let many = vec!["2026-12-25"; Calendar::MOST_HOLIDAYS + 1];
    assert_eq!(
        faults(json!({ "TimeZone": "UTC", "Holidays": many })),
        one("/Calendar/Holidays", FieldErrorCode::LimitExceeded)
    );
}

#[test]
fn days_without_a_calendar_are_refused_where_they_are_asked_for() {
    let template = json!({
        "Id": "t", "Key": "t", "Name": { "en": "T" }, "DueFrom": " ",
        "Items": [{ "Key": "a", "Text": { "en": "A" }, "DueOffset": "P1D", "DueCountedIn": "Days" }]
    });
    let template: Template = serde_json::from_value(template).expect("a template");
    let faults = template.validate(&Limits::default());
    let pointers: Vec<_> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
    assert_eq!(pointers, ["/DueFrom", "/Items/0/DueCountedIn"]);
}

#[test]
fn a_time_of_day_is_written_with_four_digits_up_to_the_end_of_the_day() {
    for text in ["00:00", "08:05", "24:00"] {
        let time: TimeOfDay = text.parse().expect(text);
        assert_eq!(time.to_string(), text);
    }
    for text in [
        "",
        "8:00",
        "08:60",
        "24:01",
        "25:00",
        "08.00",
        "08:00:00",
        "+8:00",
        "०८:००",
    ] {
        assert!(text.parse::<TimeOfDay>().is_err(), "{text}");
    }
}

fn valid(calendar: &Calendar) -> ValidCalendar {
    ValidCalendar::of(calendar).expect("a calendar without faults")
}

#[test]
fn a_calendar_that_never_works_counts_nothing_instead_of_counting_for_ever() {
    let calendar = |calendar: Value| serde_json::from_value::<Calendar>(calendar).expect("JSON");
    let never = calendar(json!({ "TimeZone": "UTC", "WorkingDays": [] }));
    assert!(ValidCalendar::of(&never).is_none());
    let nowhere = calendar(json!({ "TimeZone": "Europe/Atlantis" }));
    assert!(ValidCalendar::of(&nowhere).is_none());
    // The calendar of all days ends in the year 9999.
    let late = Start::Day("9999-12-30".parse().expect("a day"));
    let utc = valid(&calendar(json!({ "TimeZone": "UTC" })));
    assert_eq!(utc.after_working_time(late, "P1000D"), None);
}

#[test]
fn as_much_working_time_is_counted_as_a_thousand_days_have_whatever_their_length() {
    let calendar = |end: &str| {
        let hours = json!({ "Start": "08:00", "End": end });
        let calendar = json!({ "TimeZone": "UTC", "WorkingHours": hours });
        serde_json::from_value::<Calendar>(calendar).expect("JSON")
    };
    let start = Start::Day("2026-11-30".parse().expect("a day"));
    for (end, most, more) in [
        ("16:00", "PT8007H", "PT8008H"),
        ("08:01", "PT1000M", "PT1001M"),
        ("16:00", "P999DT15H", "P1000DT8H"),
    ] {
        let calendar = calendar(end);
        assert!(
            calendar.can_count(most) && !calendar.can_count(more),
            "{end} {most}"
        );
        let clock = valid(&calendar);
        assert!(
            clock.after_working_time(start, most).is_some(),
            "{end} {most}"
        );
    }
    let minutes = valid(&calendar("08:01"));
    assert_eq!(minutes.after_working_time(start, "PT16H42M"), None);
}

/// Whether somebody works in the minute that begins then, as calendar and clock say.
fn is_working(calendar: &Calendar, time: i64) -> bool {
    let zone = jiff::tz::TimeZone::get(&calendar.time_zone).expect("a zone");
    let local = zone.to_datetime(jiff::Timestamp::from_millisecond(time).expect("a time"));
    let day = local.date().to_string();
    let weekday = [
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
    ][usize::try_from(local.weekday().to_monday_zero_offset()).expect("a weekday")];
    // When the clock shows a time of this day for the first time.
    let shows = |clock: TimeOfDay| {
        let midnight = local.date().at(0, 0, 0, 0);
        let clock = clock.to_string();
        let minutes: Vec<i64> = clock
            .split(':')
            .filter_map(|part| part.parse().ok())
            .collect();
        let span = jiff::Span::new().hours(minutes[0]).minutes(minutes[1]);
        let shown = zone.to_ambiguous_timestamp(midnight.checked_add(span).expect("a time"));
        shown.compatible().expect("a time").as_millisecond()
    };
    let is_in_hours = calendar
        .working_hours
        .is_none_or(|hours| (shows(hours.start)..shows(hours.end)).contains(&time));
    is_in_hours
        && Weekday::from_name(weekday).is_some_and(|day| calendar.working_days.contains(&day))
        && !calendar
            .holidays
            .iter()
            .any(|holiday| holiday.to_string() == day)
}

prop_compose! {
    fn calendar()(
        zone in prop::sample::select(vec!["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia"]),
        days in prop::sample::subsequence(Weekday::ALL.to_vec(), 1..=7),
        hours in prop::option::of((0..1_440_u16, 1..=1_440_u16)),
        holidays in prop::collection::vec(0..60_u8, 0..10),
    ) -> Calendar {
        let clock = |minutes: u16| format!("{:02}:{:02}", minutes / 60, minutes % 60);
        let hours = hours.map(|(one, other)| (one.min(other - 1), one.max(other)));
        let day = |number: u8| format!("2026-{:02}-{:02}", 3 + number / 30, 1 + number % 30);
        let days: Vec<&str> = days.iter().map(|day| day.name()).collect();
        serde_json::from_value(json!({
            "TimeZone": zone, "WorkingDays": days,
            "WorkingHours": hours.map(|(start, end)| json!({ "Start": clock(start), "End": clock(end) })),
            "Holidays": holidays.into_iter().map(day).collect::<Vec<_>>(),
        })).expect("a calendar")
    }
}

/// The spring of 2026: clocks go forward in Berlin and New York and back on Lord Howe Island.
const SPRING: i64 = 1_772_323_200_000;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn working_hours_are_those_that_somebody_counts_who_watches_the_clock(
        calendar in calendar(),
        begins in 0..40_000_i64,
        minutes in 1..1_500_i64,
    ) {
        let begins = SPRING + begins * MINUTE;
        let start = Start::At(Timestamp::from_millis(begins));
        let duration = format!("PT{minutes}M");
        prop_assume!(calendar.can_count(&duration));
        let found = valid(&calendar).after_working_time(start, &duration);
        let mut left = minutes;
        let mut time = begins;
        // A calendar of one minute a week takes longer than anybody watches.
        let enough = begins + 300 * 24 * 60 * MINUTE;
        while left > 0 && time < enough {
            if is_working(&calendar, time) {
                left -= 1;
            }
            time += MINUTE;
        }
        if left == 0 {
            prop_assert_eq!(found.map(Timestamp::as_millis), Some(time));
        }
    }

    #[test]
    fn a_day_of_work_later_is_a_working_day_and_days_are_counted_one_after_the_other(
        calendar in calendar(),
        begins in 0..40_000_i64,
        (first, second) in (0..30_u32, 0..30_u32),
    ) {
        let start = Timestamp::from_millis(SPRING + begins * MINUTE);
        let clock = valid(&calendar);
        let after = |start, days: u32| {
            let due = clock.after_working_time(Start::At(start), &format!("P{days}D"));
            due.expect("a time")
        };
        let day = |time| clock.day_of(time).expect("a day");
        let due = after(start, first + second);
        prop_assert!(due >= start);
        prop_assert!(calendar.working_days.contains(&Weekday::of(day(due))));
        prop_assert!(!calendar.holidays.contains(&day(due)));
        prop_assert_eq!(day(due), day(after(after(start, first), second)));
        prop_assert!(first == 0 || due > after(start, second));
    }
}
