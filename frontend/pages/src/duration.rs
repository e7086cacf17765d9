//! Durations as people say and type them: "4 hours" for what the wire calls `PT4H`.
//!
//! What is shown can be typed again, in both languages of the pages, and so can the form of ISO 8601.

use checklist_shared::time::Timestamp;

/// What weeks, days, hours and minutes are called.
const UNITS: [&[&str]; 4] = [
    &["w", "week", "weeks", "woche", "wochen"],
    &["d", "day", "days", "t", "tag", "tage", "tagen"],
    &["h", "hour", "hours", "std", "stunde", "stunden"],
    &["m", "min", "minute", "minutes", "minuten"],
];

/// An ISO 8601 duration in words; any other text as it is.
#[cfg(target_arch = "wasm32")]
#[must_use]
pub fn in_words(tag: &str, duration: &str) -> String {
    checklist_control::preview::duration_phrase(tag, duration)
        .unwrap_or_else(|| duration.to_owned())
}

/// The ISO 8601 form of what was typed, such as "4 hours", "1 Tag 12 Std" or "PT4H"; `None` if it is
/// no duration.
#[must_use]
pub fn to_iso(typed: &str) -> Option<String> {
    let iso = typed.trim().to_ascii_uppercase();
    if Timestamp::from_millis(0).plus_iso(&iso).is_ok() {
        return Some(iso);
    }
    let mut amounts = [0_u32; 4];
    let mut rest = typed.trim();
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let (number, behind) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
        let behind = behind.trim_start();
        let end = behind.find(|c: char| !c.is_ascii_alphabetic());
        let (unit, behind) = behind.split_at(end.unwrap_or(behind.len()));
        let unit = unit.to_ascii_lowercase();
        let place = UNITS
            .iter()
            .position(|names| names.contains(&unit.as_str()))?;
        amounts[place] = amounts[place].checked_add(number.parse().ok()?)?;
        rest = behind.trim_start_matches(['.', ',', ' ']);
    }
    let [weeks, days, hours, minutes] = amounts;
    // The standard has weeks alone, or none.
    if weeks > 0 && [days, hours, minutes] == [0, 0, 0] {
        return Some(format!("P{weeks}W"));
    }
    let days = weeks.checked_mul(7)?.checked_add(days)?;
    let part = |number: u32, unit: &str| match number {
        0 => String::new(),
        number => format!("{number}{unit}"),
    };
    let (date, time) = (part(days, "D"), part(hours, "H") + &part(minutes, "M"));
    Some(match (date.is_empty(), time.is_empty()) {
        (true, true) => "PT0M".to_owned(),
        (_, true) => ["P", &date].concat(),
        (_, false) => ["P", &date, "T", &time].concat(),
    })
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
        ] {
            assert_eq!(to_iso(typed).as_deref(), Some(iso), "{typed}");
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
            "4 months",
            "-1 day",
            "1.5 hours",
            "99999999999 days",
            "P",
        ] {
            assert_eq!(to_iso(typed), None, "{typed}");
        }
    }
}
