//! Times as they travel. Pure; called by `write` and by whoever tells a host of a time.
//!
//! The other way round the browser reads them (`browser::parse_time`).

use checklist_shared::{Due, Timestamp};

/// A time as RFC 3339 in UTC. Written out here because the calendar library that the server
/// uses for it is larger than everything else in this file.
#[must_use]
pub fn iso(time: Timestamp) -> String {
    let millis = time.as_millis();
    let (days, rest) = (millis.div_euclid(86_400_000), millis.rem_euclid(86_400_000));
    let (year, month, day) = civil(days);
    let mut out = String::with_capacity(24);
    digits(&mut out, year, 4);
    out.push('-');
    digits(&mut out, month, 2);
    out.push('-');
    digits(&mut out, day, 2);
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

/// Year, month and day of a day counted from 1970-01-01, in the Gregorian calendar. Years are
/// counted from March, so that the leap day is the last one and needs no case of its own.
const fn civil(days: i64) -> (i64, i64, i64) {
    // 719,468 days lie between 0000-03-01 and 1970-01-01; 146,097 days are 400 years.
    let shifted = days + 719_468;
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
