//! Due dates: days and moments, how they are written, and when they are over.
//!
//! The calendar is held against the library that the server uses for times.

use checklist_shared::Timestamp;
use checklist_shared::date::Date;
use checklist_shared::due::Due;
use checklist_shared::due_notice::{DueEvent, outlook};
use proptest::prelude::*;
use serde_json::json;

fn day(text: &str) -> Date {
    text.parse().expect(text)
}

#[test]
fn a_day_is_read_and_written_and_so_is_a_moment() {
    for text in [
        "2026-11-30",
        "0000-01-01",
        "9999-12-31",
        "2024-02-29",
        "1969-12-31",
    ] {
        let due: Due = text.parse().expect(text);
        assert_eq!((due, due.to_string().as_str()), (Due::Day(day(text)), text));
        assert_eq!(serde_json::from_value::<Due>(json!(text)).expect(text), due);
        assert_eq!(serde_json::to_value(due).expect(text), json!(text));
    }
    let moment: Due = "2026-11-30T23:30:00-05:00".parse().expect("a moment");
    assert_eq!(moment.to_string(), "2026-12-01T04:30:00Z");
}

#[test]
fn what_is_no_date_is_refused_with_both_forms_in_the_sentence() {
    for text in [
        "",
        "2026",
        "2026-11",
        "2026-13-01",
        "2026-00-10",
        "2026-02-29",
        "1900-02-29",
        "2026-04-31",
        "2026-11-31x",
        "26-11-30",
        "2026/11/30",
        "2026-1-3",
        " 2026-11-30",
        "+2026-11-30",
        "2026-11-30T",
        "2026-11-30T09:00:00",
        "tomorrow",
        "３０２６-11-30",
        "20261130",
        "-001-01-01",
    ] {
        let refused = text.parse::<Due>().expect_err(text).to_string();
        assert!(
            refused.contains("2026-11-30 or") && refused.contains("T09:14:00Z"),
            "{refused}"
        );
    }
}

#[test]
fn a_day_is_over_when_it_is_over_where_the_reader_is() {
    let due = Due::Day(day("2026-11-30"));
    let now: Timestamp = "2026-11-30T23:30:00Z".parse().expect("a time");
    // Half past eleven in London, half past eight in the morning of the next day in Tokyo.
    assert!(!due.is_over(now, day("2026-11-30")));
    assert!(due.is_over(now, day("2026-12-01")));
    assert!(!due.is_over(now, day("2026-11-29")));
    let moment = Due::At(now);
    assert!(!moment.is_over(now, day("2026-12-01")));
    assert!(moment.is_over(
        Timestamp::from_millis(now.as_millis() + 1),
        day("2026-11-29")
    ));
}

fn due() -> impl Strategy<Value = Due> {
    let days = -719_528_i64..=2_932_895;
    let moments = days
        .clone()
        .prop_flat_map(|day| (Just(day), 0..86_400_000_i64));
    prop_oneof![
        days.prop_map(|days| Due::Day(Date::from_days(days))),
        moments.prop_map(|(day, of_day)| Timestamp::from_millis(day * 86_400_000 + of_day).into()),
    ]
}

proptest! {
    #[test]
    fn a_due_date_ends_where_it_is_over_for_a_reader_in_utc(due in due(), later in -100_000_000_i64..100_000_000) {
        let now = Timestamp::from_millis(due.end().as_millis() + later);
        let today = Date::from_days(now.as_millis().div_euclid(86_400_000));
        prop_assert_eq!(due.is_over(now, today), due.end() < now);
    }

    #[test]
    fn whenever_it_is_looked_at_each_is_announced_once_and_in_its_order(
        due in due(),
        notice in prop::option::of(1_i64..100_000_000),
        looks in prop::collection::vec(-200_000_000_i64..200_000_000, 0..20),
    ) {
        let mut announced = Vec::new();
        for look in looks {
            let now = Timestamp::from_millis(due.end().as_millis() + look);
            let outlook = outlook(due, notice, announced.last().copied(), now);
            let overdue = announced.last() == Some(&DueEvent::Overdue) || due.end() < now;
            announced.extend(outlook.announce);
            prop_assert_eq!(announced.last() == Some(&DueEvent::Overdue), overdue);
            prop_assert!(outlook.next.is_none_or(|next| next > now));
        }
        let in_order = announced.windows(2).all(|pair| pair[0] < pair[1]);
        prop_assert!(in_order && (notice.is_some() || !announced.contains(&DueEvent::Due)));
    }

    #[test]
    fn who_looks_only_when_told_to_misses_nothing(
        due in due(),
        notice in prop::option::of(1_i64..100_000_000),
        early in 0_i64..200_000_000,
    ) {
        let first = due.end().as_millis().saturating_sub(early);
        let mut announced = Vec::new();
        let mut look = Some(Timestamp::from_millis(first));
        while let Some(now) = look {
            let outlook = outlook(due, notice, announced.last().copied(), now);
            announced.extend(outlook.announce);
            look = outlook.next;
        }
        let as_due = notice.map(|_| DueEvent::Due);
        prop_assert_eq!(announced, as_due.into_iter().chain([DueEvent::Overdue]).collect::<Vec<_>>());
    }

    #[test]
    fn every_day_is_the_one_of_the_calendar(days in -719_528_i64..=2_932_896) {
        let date = Date::from_days(days);
        let (year, month, of_month) = date.calendar();
        prop_assert_eq!(Date::from_calendar(year, month, of_month), Some(date));
        prop_assert_eq!(date.to_string().parse::<Date>(), Ok(date));
        let known = jiff::civil::date(1970, 1, 1).saturating_add(jiff::Span::new().days(days));
        let found = (i64::from(known.year()), i64::from(known.month()), i64::from(known.day()));
        prop_assert_eq!((year, month, of_month), found);
    }

    #[test]
    fn whatever_is_read_is_written_the_same_way_again(text in "\\PC{0,24}|[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]{8,12}Z)?") {
        if let Ok(due) = text.parse::<Due>() {
            prop_assert_eq!(due.to_string().parse::<Due>(), Ok(due));
            if let Due::Day(day) = due {
                prop_assert_eq!(day.to_string(), text);
            }
        }
    }
}
