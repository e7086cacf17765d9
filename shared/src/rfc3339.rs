//! RFC 3339 in its usual form, `2026-11-20T09:14:00.5Z`, without a calendar library, which would be
//! a tenth of the control's download.
//!
//! Times are milliseconds since 1970 in UTC; years are Gregorian, also before 1582. `parse` reads
//! what `write` writes.

use crate::date::Date;
use crate::time::Timestamp;

const DAY: i64 = Timestamp::DAY;

/// The time as text, with as many digits after the second as it needs; `None` before the year 0.
pub(crate) fn write(millis: i64) -> Option<String> {
    let days = millis.div_euclid(DAY);
    let date = Date::from_days(days);
    // The calendar here begins with the year 0.
    if date.as_days() != days {
        return None;
    }
    let (year, month, day) = date.calendar();
    let of_day = millis.rem_euclid(DAY);
    let mut out = String::with_capacity(24);
    push(&mut out, year, 4);
    let parts = [
        ('-', month),
        ('-', day),
        ('T', of_day / 3_600_000),
        (':', of_day / 60_000 % 60),
        (':', of_day / 1_000 % 60),
    ];
    for (separator, part) in parts {
        out.push(separator);
        push(&mut out, part, 2);
    }
    let fraction = of_day % 1_000;
    if fraction > 0 {
        out.push('.');
        push(&mut out, fraction, 3);
        out.truncate(out.trim_end_matches('0').len());
    }
    out.push('Z');
    Some(out)
}

/// The time that a text in the usual form names, with `Z` or an offset; `None` for any other text.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let separators = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    if separators
        .iter()
        .any(|(at, separator)| bytes.get(*at) != Some(separator))
    {
        return None;
    }
    let field = |from: usize, to: usize, least: i64, most: i64| {
        number(bytes.get(from..to)?).filter(|value| (least..=most).contains(value))
    };
    let year = field(0, 4, 0, 9999)?;
    let date = Date::from_calendar(year, field(5, 7, 1, 12)?, field(8, 10, 1, 31)?)?;
    let (hour, minute) = (field(11, 13, 0, 23)?, field(14, 16, 0, 59)?);
    let second = field(17, 19, 0, 59)?;
    let rest = text.get(19..)?;
    let (fraction, zone) = match rest.strip_prefix('.') {
        Some(digits) => digits.split_at(digits.find(|c: char| !c.is_ascii_digit())?),
        None => ("", rest),
    };
    let fraction = match (fraction.len(), rest.starts_with('.')) {
        (0, false) => 0,
        (1..=3, true) => number(fraction.as_bytes())? * [100, 10, 1].get(fraction.len() - 1)?,
        _ => return None,
    };
    let of_day = ((hour * 60 + minute) * 60 + second) * 1_000 + fraction;
    Some(date.as_days() * DAY + of_day - offset(zone)?)
}

/// What `Z` or `+01:00` adds to UTC, in milliseconds.
fn offset(zone: &str) -> Option<i64> {
    let bytes = zone.as_bytes();
    let sign = match bytes.first()? {
        b'Z' if bytes.len() == 1 => return Some(0),
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    if bytes.len() != 6 || bytes.get(3) != Some(&b':') {
        return None;
    }
    let hours = number(bytes.get(1..3)?).filter(|hours| *hours <= 23)?;
    let minutes = number(bytes.get(4..6)?).filter(|minutes| *minutes <= 59)?;
    Some(sign * (hours * 60 + minutes) * 60_000)
}

fn number(digits: &[u8]) -> Option<i64> {
    digits.iter().try_fold(0, |value, digit| {
        digit
            .is_ascii_digit()
            .then(|| value * 10 + i64::from(digit - b'0'))
    })
}

fn push(out: &mut String, value: i64, width: u32) {
    for place in (0..width).rev() {
        let digit = value / 10_i64.pow(place) % 10;
        out.push(char::from(b'0' + digit as u8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0000-01-01T00:00:00Z.
    const FIRST: i64 = -62_167_219_200_000;

    #[cfg(not(target_arch = "wasm32"))]
    mod beside_the_library {
        use proptest::prelude::*;

        use super::*;

        proptest! {
            #[test]
            fn times_are_written_as_the_library_writes_them(millis in FIRST..253_370_764_800_000) {
                let time = jiff::Timestamp::from_millisecond(millis).expect("within its years");
                prop_assert_eq!(write(millis), Some(time.to_string()));
            }

            #[test]
            fn times_are_read_as_the_library_reads_them(
                text in "(0|1|2|9)[0-9]{3}-(0[0-9]|1[0-3])-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-6][0-9](\\.[0-9]{0,4})?(Z|z|[+-][0-2][0-9]:[0-6][0-9])?"
            ) {
                if let Some(millis) = parse(&text) {
                    let time: Result<jiff::Timestamp, _> = text.parse();
                    // The last day of the calendar is left out there.
                    if let Ok(time) = time {
                        prop_assert_eq!(millis, time.as_millisecond());
                    } else {
                        prop_assert!(text.starts_with("9999-12-3"), "{}", text);
                    }
                }
            }

            #[test]
            fn what_is_written_can_be_read(millis in FIRST..=253_402_300_799_999_i64) {
                prop_assert_eq!(write(millis).and_then(|text| parse(&text)), Some(millis));
            }
        }
    }

    #[test]
    fn the_usual_form_is_read_with_its_fraction_and_offset() {
        let read = |text| parse(text);
        assert_eq!(read("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(read("1970-01-01T01:00:00.25+01:00"), Some(250));
        assert_eq!(read("1969-12-31T23:59:59.999Z"), Some(-1));
        assert_eq!(read("2024-02-29T00:00:00Z"), Some(1_709_164_800_000));
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "1970-01-01",
            "1970-01-01T00:00:00",
            "1970-01-01T00:00:00.Z",
            "1970-13-01T00:00:00Z",
            "2023-02-29T00:00:00Z",
            "1970-01-01T24:00:00Z",
            "1970-01-01T00:00:00+1:00",
            "1970-01-01T00:00:00Zx",
            "1970-01-01T00:00:0\u{661}Z",
            "\u{661}970-01-01T00:00:00Z",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
