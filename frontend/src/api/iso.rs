//! Times as they travel. Pure; called by `write` and by whoever tells a host of a time.
//!
//! The other way round the browser reads them (`browser::parse_time`).

use checklist_shared::due::Date;
use checklist_shared::{Due, Timestamp};

/// A time as RFC 3339 in UTC. Written out here because the calendar library that the server
/// uses for it weighs more than the rest of this module.
#[must_use]
pub fn iso(time: Timestamp) -> String {
    let millis = time.as_millis();
    let (days, rest) = (millis.div_euclid(86_400_000), millis.rem_euclid(86_400_000));
    let mut out = Date::from_days(days).to_string();
    out.push('T');
    digits(&mut out, rest / 3_600_000, 2);
    out.push(':');
    digits(&mut out, rest / 60_000 % 60, 2);
    out.push(':');
    digits(&mut out, rest / 1_000 % 60, 2);
    out.push('.');
    digits(&mut out, rest % 1_000, 3);
    out.push('Z');
    out
}

/// A due date: a moment, or a day.
#[must_use]
pub fn due(due: Due) -> String {
    match due {
        Due::Day(day) => day.to_string(),
        Due::At(time) => iso(time),
    }
}

fn digits(out: &mut String, value: i64, width: usize) {
    let text = value.to_string();
    for _ in text.len()..width {
        out.push('0');
    }
    out.push_str(&text);
}
