//! The retry schedule of a delivery: exponential backoff for about three days.
//!
//! Five seconds, then four times as long each time, at most half a day, with a jitter of a fifth,
//! so that deliveries that failed together are not retried together. `Retry-After` of the receiver
//! is a lower bound.

use std::time::Duration;

use checklist_shared::time::Timestamp;
use http::HeaderMap;
use http::header::{DATE, RETRY_AFTER};

use checklist_runtime::clock::random;

/// The first pause.
const FIRST: Duration = Duration::from_secs(5);
/// The maximum pause.
const LONGEST: Duration = Duration::from_secs(12 * 60 * 60);
/// The maximum pause that a receiver can request.
const LONGEST_ASKED: Duration = Duration::from_secs(24 * 60 * 60);
/// The maximum number of attempts.
const ATTEMPTS: u32 = 13;

/// If a delivery is given up and its webhook has accepted nothing for this long, the webhook is
/// disabled.
pub(super) const FAILING: Duration = Duration::from_secs(2 * 24 * 60 * 60);

/// The time of the next attempt after this many failures; `None` to give up.
pub(super) fn next(failed: u32, asked: Option<Duration>, now: Timestamp) -> Option<Timestamp> {
    if failed >= ATTEMPTS {
        return None;
    }
    let pause = pause(failed).mul_f64(spread());
    let pause = pause.max(asked.unwrap_or_default().min(LONGEST_ASKED));
    Some(after(now, pause))
}

/// `now + time`, saturating.
pub(super) fn after(now: Timestamp, time: Duration) -> Timestamp {
    let millis = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(now.as_millis().saturating_add(millis))
}

/// `now - time`, saturating.
pub(super) fn before(now: Timestamp, time: Duration) -> Timestamp {
    let millis = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(now.as_millis().saturating_sub(millis))
}

fn pause(failed: u32) -> Duration {
    let times = 4_u32.saturating_pow(failed.saturating_sub(1));
    FIRST.saturating_mul(times).min(LONGEST)
}

/// The jitter factor, 0.8 to 1.2.
fn spread() -> f64 {
    let mut byte = [128];
    // Without randomness there is no jitter.
    let _ = random(&mut byte);
    0.8 + 0.4 * f64::from(byte[0]) / 255.0
}

/// The pause that `Retry-After` requests: seconds, or a date, which is compared with the response's
/// own `Date` if present.
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
