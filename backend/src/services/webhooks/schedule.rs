//! When a delivery that was not taken is sent again: later each time, for about three days.
//!
//! Five seconds, then four times as long each time, at most half a day; a fifth more or less, so
//! that what failed together does not come back together. A receiver that says `Retry-After` is
//! left alone at least as long.

use std::time::Duration;

use checklist_shared::time::Timestamp;
use http::HeaderMap;
use http::header::{DATE, RETRY_AFTER};

use crate::clock::random;

/// The first pause.
const FIRST: Duration = Duration::from_secs(5);
/// The longest pause,
const LONGEST: Duration = Duration::from_secs(12 * 60 * 60);
/// and the longest that a receiver can ask for.
const LONGEST_ASKED: Duration = Duration::from_secs(24 * 60 * 60);
/// How often it is sent at most.
const ATTEMPTS: u32 = 13;

/// A webhook that has taken nothing for so long when a delivery is given up is turned off.
pub(super) const FAILING: Duration = Duration::from_secs(2 * 24 * 60 * 60);

/// When the next attempt is due after so many that failed; `None` when it is given up.
pub(super) fn next(failed: u32, asked: Option<Duration>, now: Timestamp) -> Option<Timestamp> {
    if failed >= ATTEMPTS {
        return None;
    }
    let pause = pause(failed).mul_f64(spread());
    let pause = pause.max(asked.unwrap_or_default().min(LONGEST_ASKED));
    Some(after(now, pause))
}

/// A while after a time.
pub(super) fn after(now: Timestamp, time: Duration) -> Timestamp {
    let millis = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(now.as_millis().saturating_add(millis))
}

/// A while before a time.
pub(super) fn before(now: Timestamp, time: Duration) -> Timestamp {
    let millis = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(now.as_millis().saturating_sub(millis))
}

fn pause(failed: u32) -> Duration {
    let times = 4_u32.saturating_pow(failed.saturating_sub(1));
    FIRST.saturating_mul(times).min(LONGEST)
}

/// 0.8 to 1.2.
fn spread() -> f64 {
    let mut byte = [128];
    // Without randomness they come back together.
    let _ = random(&mut byte);
    0.8 + 0.4 * f64::from(byte[0]) / 255.0
}

/// How long the receiver wants to be left alone: in seconds, or until a date, which is compared
/// with the answer's own where it has one.
pub(super) fn asked_wait(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let wanted = text(RETRY_AFTER)?.trim();
    if let Ok(seconds) = wanted.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = |text: &str| {
        jiff::fmt::rfc2822::DateTimeParser::new()
            .parse_timestamp(text.trim())
            .ok()
    };
    let here = date(text(DATE).unwrap_or_default()).map(|date| date.as_millisecond());
    let left = date(wanted)?.as_millisecond() - here.unwrap_or_else(|| now.as_millis());
    Some(Duration::from_millis(u64::try_from(left).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_763_640_000_000);

    fn headers(pairs: &[(http::HeaderName, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            let value = http::HeaderValue::from_static(value);
            (name.clone(), value)
        });
        pairs.collect()
    }

    #[test]
    fn a_delivery_is_tried_for_about_three_days_and_then_given_up() {
        let pauses: Vec<Duration> = (1..ATTEMPTS).map(pause).collect();
        assert!(pauses.is_sorted());
        let days = pauses.iter().sum::<Duration>().as_secs_f64() / 86_400.0;
        assert!((2.5..3.5).contains(&days), "{days} days");
        assert!(next(ATTEMPTS - 1, None, NOW).is_some());
        assert_eq!(next(ATTEMPTS, None, NOW), None);
        for failed in 1..ATTEMPTS {
            let due = next(failed, None, NOW).expect("another try").as_millis();
            let share = (due - NOW.as_millis()) as f64 / pause(failed).as_millis() as f64;
            assert!((0.79..=1.21).contains(&share), "{failed}: {share}");
        }
    }

    #[test]
    fn a_receiver_is_left_alone_as_long_as_it_asks_for_a_day_at_most() {
        let wait = |seconds| next(1, Some(Duration::from_secs(seconds)), NOW).expect("a time");
        assert_eq!(wait(100), after(NOW, Duration::from_secs(100)));
        assert_eq!(wait(999_999), after(NOW, LONGEST_ASKED));
        assert!(wait(0) > NOW);
    }

    #[test]
    fn retry_after_is_read_in_seconds_and_as_a_date() {
        let seconds = headers(&[(RETRY_AFTER, "120")]);
        assert_eq!(asked_wait(&seconds, NOW), Some(Duration::from_secs(120)));
        let date = headers(&[
            (DATE, "Fri, 20 Nov 2026 04:00:00 GMT"),
            (RETRY_AFTER, "Fri, 20 Nov 2026 04:00:12 GMT"),
        ]);
        assert_eq!(asked_wait(&date, NOW), Some(Duration::from_secs(12)));
        let past = headers(&[(RETRY_AFTER, "Fri, 20 Nov 2020 04:00:12 GMT")]);
        assert_eq!(asked_wait(&past, NOW), Some(Duration::ZERO));
        assert_eq!(asked_wait(&headers(&[(RETRY_AFTER, "soon")]), NOW), None);
        assert_eq!(asked_wait(&headers(&[]), NOW), None);
    }
}
