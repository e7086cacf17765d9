//! Durations as people say and type them: "4 hours" for what the wire calls `PT4H`.
//!
//! What is shown can be typed again, in both languages of the pages, and so can the form of ISO 8601. A
//! mark between digits is read only where it groups thousands in the reader's language: what may be a
//! decimal number is no duration.

#[cfg(any(test, target_arch = "wasm32"))]
use checklist_shared::template::CountedIn;
use checklist_shared::time::Timestamp;

/// What years, months, weeks, days, hours and minutes are called.
const UNITS: [&[&str]; 6] = [
    &["y", "year", "years", "j", "jahr", "jahre", "jahren"],
    &["month", "months", "monat", "monate", "monaten"],
    &["w", "week", "weeks", "woche", "wochen"],
    &["d", "day", "days", "t", "tag", "tage", "tagen"],
    &["h", "hour", "hours", "std", "stunde", "stunden"],
    &["m", "min", "minute", "minutes", "minuten"],
];

/// An ISO 8601 duration in words; any other text as it is.
#[cfg(any(test, target_arch = "wasm32"))]
#[must_use]
pub fn in_words(tag: &str, duration: &str) -> String {
    counted_in_words(tag, duration, CountedIn::Time)
}

/// The same where it may be counted in working time.
#[cfg(any(test, target_arch = "wasm32"))]
#[must_use]
pub fn counted_in_words(tag: &str, duration: &str, counted_in: CountedIn) -> String {
    checklist_control::preview::duration_phrase(tag, duration, counted_in)
        .unwrap_or_else(|| duration.to_owned())
}

/// The ISO 8601 form of what a reader of a language typed, such as "4 hours", "1 Tag 12 Std" or "PT4H";
/// `None` if it is no duration.
#[must_use]
pub fn to_iso(tag: &str, typed: &str) -> Option<String> {
    let iso = typed.trim().to_ascii_uppercase();
    if Timestamp::from_millis(0).plus_iso(&iso).is_ok() {
        return Some(iso);
    }
    let mut amounts = [0_u32; 6];
    let mut rest = typed.trim();
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let (number, behind) = number_at_start(tag, rest)?;
        let behind = behind.trim_start();
        let end = behind.find(|c: char| !c.is_ascii_alphabetic());
        let (unit, behind) = behind.split_at(end.unwrap_or(behind.len()));
        let unit = unit.to_ascii_lowercase();
        let place = UNITS
            .iter()
            .position(|names| names.contains(&unit.as_str()))?;
        amounts[place] = amounts[place].checked_add(number)?;
        rest = behind.trim_start_matches(['.', ',', ' ']);
    }
    let [years, months, weeks, days, hours, minutes] = amounts;
    // The standard has weeks alone, or none.
    if weeks > 0 && [years, months, days, hours, minutes] == [0; 5] {
        return Some(format!("P{weeks}W"));
    }
    let days = weeks.checked_mul(7)?.checked_add(days)?;
    let part = |number: u32, unit: &str| match number {
        0 => String::new(),
        number => format!("{number}{unit}"),
    };
    let date = part(years, "Y") + &part(months, "M") + &part(days, "D");
    let time = part(hours, "H") + &part(minutes, "M");
    Some(match (date.is_empty(), time.is_empty()) {
        (true, true) => "PT0M".to_owned(),
        (_, true) => ["P", &date].concat(),
        (_, false) => ["P", &date, "T", &time].concat(),
    })
}

/// The number that a text begins with, and what is behind it.
fn number_at_start<'a>(tag: &str, text: &'a str) -> Option<(u32, &'a str)> {
    let grouping = if tag == "de" { '.' } else { ',' };
    let digits = |text: &'a str| text.split_at_checked(text.find(|c: char| !c.is_ascii_digit())?);
    let (first, mut rest) = digits(text)?;
    let mut number = first.to_owned();
    while let Some((group, behind)) = rest.strip_prefix(grouping).and_then(digits)
        && group.len() == 3
    {
        number.push_str(group);
        rest = behind;
    }
    Some((number.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_becomes_iso_8601() {
        for (typed, iso) in [
            ("4 hours", "PT4H"),
            ("4h", "PT4H"),
            (" 1 Stunde ", "PT1H"),
            ("2 Tage", "P2D"),
            ("1 day 12 hours", "P1DT12H"),
            ("2 Wochen", "P2W"),
            ("1 Tag 1 Stunde 1 Minute", "P1DT1H1M"),
            ("1 Tag, 30 Min.", "P1DT30M"),
            ("90 minutes", "PT90M"),
            ("2 weeks", "P2W"),
            ("1 week 1 day", "P8D"),
            ("0 h", "PT0M"),
            ("P14D", "P14D"),
            ("pt4h", "PT4H"),
            ("P1M", "P1M"),
            ("1 month", "P1M"),
            ("2 Monate", "P2M"),
            ("1 Jahr 6 Monate", "P1Y6M"),
            ("1 month 1 week", "P1M7D"),
            ("1,440 minutes", "PT1440M"),
            ("1 Tag,30 Min", "P1DT30M"),
        ] {
            assert_eq!(to_iso("en", typed).as_deref(), Some(iso), "{typed}");
        }
    }

    #[test]
    fn what_is_no_duration_is_not_guessed() {
        for typed in [
            "",
            "4",
            "hours",
            "soon",
            "4 hippos",
            "4 moons",
            "-1 day",
            "1.5 hours",
            "1.440 minutes",
            "1,44 hours",
            "1,4400 hours",
            "99999999999 days",
            "P",
        ] {
            assert_eq!(to_iso("en", typed), None, "{typed}");
        }
        assert_eq!(to_iso("de", "1,440 Minuten"), None);
    }

    #[test]
    fn what_is_shown_can_be_typed_again_in_both_languages() {
        for iso in [
            "P1Y",
            "P3Y",
            "P1M",
            "P18M",
            "P1W",
            "P2W",
            "P1D",
            "P14D",
            "PT1H",
            "PT4H",
            "PT1M",
            "PT30M",
            "P1Y2M3DT4H5M",
            "PT1440M",
            "P1000D",
            "PT1000000M",
            "PT30S",
            "PT0S",
        ] {
            for tag in ["en", "de"] {
                let shown = in_words(tag, iso);
                assert_eq!(to_iso(tag, &shown).as_deref(), Some(iso), "{shown}");
            }
        }
        assert_eq!(in_words("en", "PT1440M"), "1,440 minutes");
        assert_eq!(in_words("de", "P1M"), "1 Monat");
    }
}
